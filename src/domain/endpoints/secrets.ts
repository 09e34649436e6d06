/** What an endpoint's attempts are signed with: how it is kept, and opened in the process that signs. */
import { LRUCache } from 'lru-cache'
import type { Sql } from '../../db/client.ts'
import { keyForAll } from '../openers.ts'
import { CannotOpen, type Seals } from '../sealing.ts'
import { hashSecret } from '../secrets.ts'
import { type ClearSecrets, type EndpointSecrets, findClearSecrets, type KeptSecret, takeOverSecrets } from './sql.ts'

/** What they belong to: sealed for one endpoint, they open for no other. */
export interface SecretsOf {
  workspaceId: string
  webhookId: string
}

/** The same before and after a rotation, which moves what is sealed without opening it. */
export const placeOfSecrets = ({ workspaceId, webhookId }: SecretsOf): string[] => [
  'webhook secret',
  workspaceId,
  webhookId,
]

/** As it is to be kept: in clear as long as there is a process that could not open it. */
export const keptSecret = async (sql: Sql, seals: Seals | null, secret: string, of: SecretsOf): Promise<KeptSecret> => {
  const key = await keyForAll(sql, seals)
  if (seals === null || key === null) return { clear: secret, sealed: null, hash: null }
  return { clear: null, sealed: seals.seal(secret, placeOfSecrets(of), key), hash: hashSecret(secret) }
}

/**
 * What is signed with, the secret in force first; null where that cannot be read, as the key is another one or none. One
 * from before a rotation that cannot be read is left out.
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

/** What was opened is remembered by what was sealed: an attempt costs a look-up, and no decryption. */
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

/** What became of those that are kept in clear: so many were sealed; why others were not, null where all were. */
export interface TakeOver {
  sealed: number
  /** A process lives that could not open them, or endpoints were changed again and again meanwhile. */
  left: 'waiting' | 'changing' | null
}

const pageSize = 50
/** An endpoint that was changed between reading and writing is read once more. */
const maxTries = 5

/** Seals what is kept in clear, a page at a time, under a key that every process has. */
export const sealClearSecrets = async (sql: Sql, seals: Seals): Promise<TakeOver> => {
  for (let [sealed, tries] = [0, 0]; ; ) {
    const page = await findClearSecrets(sql, pageSize)
    if (page.length === 0) return { sealed, left: null }
    // Asked for each page: a process may have been started since.
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
