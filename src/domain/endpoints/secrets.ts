/** Storage and decryption of the secrets that sign deliveries. */
import { LRUCache } from 'lru-cache'
import type { Sql } from '../../db/client.ts'
import { keyForAll } from '../openers.ts'
import { CannotOpen, type Seals } from '../sealing.ts'
import { hashSecret } from '../secrets.ts'
import { type ClearSecrets, type EndpointSecrets, findClearSecrets, type KeptSecret, takeOverSecrets } from './sql.ts'

/** The endpoint that the secrets belong to, used as AAD: they can be decrypted for this endpoint only. */
export interface SecretsOf {
  workspaceId: string
  webhookId: string
}

/**
 * Returns the AAD of the secrets. It is the same before and after a rotation, which moves an encrypted secret without
 * decrypting it.
 */
export const placeOfSecrets = ({ workspaceId, webhookId }: SecretsOf): string[] => [
  'webhook secret',
  workspaceId,
  webhookId,
]

/** Returns a secret in the form to store. It stays in plain text while any live process could not decrypt it. */
export const keptSecret = async (sql: Sql, seals: Seals | null, secret: string, of: SecretsOf): Promise<KeptSecret> => {
  const key = await keyForAll(sql, seals)
  if (seals === null || key === null) return { clear: secret, sealed: null, hash: null }
  return { clear: null, sealed: seals.seal(secret, placeOfSecrets(of), key), hash: hashSecret(secret) }
}

/**
 * Returns the secrets to sign with, the current one first. Returns null if the current one cannot be decrypted, because
 * the key is missing or differs. Omits a previous secret that cannot be decrypted.
 */
export const openSecrets = (
  seals: Seals | null,
  { secret, previousSecret, sealedSecret, sealedPreviousSecret }: EndpointSecrets,
  of: SecretsOf,
): string[] | null => {
  const inForce = secret ?? opened(seals, sealedSecret, of)
  if (inForce === null) return null
  const previous = previousSecret ?? opened(seals, sealedPreviousSecret, of)
  return previous === null ? [inForce] : [inForce, previous]
}

const known = new WeakMap<Seals, LRUCache<string, string>>()
const maxKnown = 20_000

/** Decrypts a secret. Results are cached by the encrypted value, so an attempt needs no decryption. */
const opened = (seals: Seals | null, sealed: string | null, of: SecretsOf): string | null => {
  if (sealed === null || seals === null) return null
  let cache = known.get(seals)
  if (!cache) known.set(seals, (cache = new LRUCache({ max: maxKnown })))
  const name = `${of.webhookId} ${sealed}`
  const found = cache.get(name)
  if (found !== undefined) return found
  try {
    const secret = seals.open(Buffer.from(sealed, 'base64'), placeOfSecrets(of))
    cache.set(name, secret)
    return secret
  } catch (error) {
    if (error instanceof CannotOpen) return null
    throw error
  }
}

/**
 * Result of encrypting plain text secrets: the number encrypted, and why others were left. `left` is null if none were.
 */
export interface TakeOver {
  sealed: number
  /** `waiting`: a live process could not decrypt them. `changing`: endpoints were changed concurrently too often. */
  left: 'waiting' | 'changing' | null
}

const pageSize = 50
/**
 * Maximum number of consecutive pages without any encrypted endpoint, because each was changed between read and write.
 */
const maxTries = 5

/** Encrypts secrets that are stored in plain text, page by page, with a key that every live process has. */
export const sealClearSecrets = async (sql: Sql, seals: Seals): Promise<TakeOver> => {
  for (let [sealed, tries] = [0, 0]; ; ) {
    const page = await findClearSecrets(sql, pageSize)
    if (page.length === 0) return { sealed, left: null }
    // Checked for each page, because a process may have started since.
    const key = await keyForAll(sql, seals)
    if (key === null) return { sealed, left: 'waiting' }
    const taken = await takeOverSecrets(
      sql,
      page.map(row => sealedOf(row, seals, key)),
    )
    sealed += taken
    tries = taken === 0 ? tries + 1 : 0
    if (tries === maxTries) return { sealed, left: 'changing' }
  }
}

const sealedOf = ({ workspaceId, id, version, secret, previousSecret }: ClearSecrets, seals: Seals, key: string) => {
  const place = placeOfSecrets({ workspaceId, webhookId: id })
  const hexOf = (clear: string | null) => (clear === null ? null : seals.seal(clear, place, key).toString('hex'))
  return { workspaceId, id, version, sealed: hexOf(secret), sealedPrevious: hexOf(previousSecret) }
}
