/** Storage and decryption of the secrets that sign deliveries. */
import { LRUCache } from 'lru-cache'
import { chooseKeyId } from '../../core/keyring.ts'
import { hashSecret } from '../../core/secrets.ts'
import { DecryptionError, isEncrypted, type Keyring } from '../../platform/encryption.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import type { EndpointSecrets, StoredSecret } from './sql.ts'

/** The endpoint that the secrets belong to, used as AAD: they can be decrypted for this endpoint only. */
export interface SecretsEndpoint {
  workspaceId: string
  webhookId: string
}

/**
 * Returns the AAD of the secrets. It is the same before and after a rotation, which moves an encrypted secret without
 * decrypting it.
 */
export const secretsAad = ({ workspaceId, webhookId }: SecretsEndpoint): string[] => [
  'webhook secret',
  workspaceId,
  webhookId,
]

/** Returns a secret in the form to store. It is in plain text while any live process could not decrypt it. */
export const toStoredSecret = async (
  sql: Sql,
  keyring: Keyring | null,
  secret: string,
  endpoint: SecretsEndpoint,
): Promise<StoredSecret> => {
  const key = await chooseKeyId(sql, keyring)
  const stored =
    keyring === null || key === null ? Buffer.from(secret) : keyring.encrypt(secret, secretsAad(endpoint), key)
  return { bytes: stored, hash: hashSecret(secret) }
}

/** Returns the text of a secret that is stored in plain text, or null. */
export const readPlaintextSecret = (stored: Buffer): string | null =>
  isEncrypted(stored) ? null : stored.toString('utf8')

/**
 * Returns the secrets to sign with, the current one first. Returns null if the current one cannot be decrypted, because
 * the key is missing or differs, or if it was deleted. Omits a previous secret that cannot be decrypted.
 */
export const decryptSecrets = (
  keyring: Keyring | null,
  { secret, previousSecret }: EndpointSecrets,
  endpoint: SecretsEndpoint,
): string[] | null => {
  const current = decryptSecret(keyring, secret, endpoint)
  if (current === null) return null
  const previous = decryptSecret(keyring, previousSecret, endpoint)
  return previous === null ? [current] : [current, previous]
}

const cachesByKeyring = new WeakMap<Keyring, LRUCache<string, string>>()
const maxCached = 20_000

/** Decrypts a stored secret. Results are cached by the encrypted value, so an attempt needs no decryption. */
const decryptSecret = (keyring: Keyring | null, stored: string | null, endpoint: SecretsEndpoint): string | null => {
  if (stored === null) return null
  const bytes = Buffer.from(stored, 'base64')
  const plaintext = readPlaintextSecret(bytes)
  if (plaintext !== null || keyring === null) return plaintext
  let cache = cachesByKeyring.get(keyring)
  if (!cache) cachesByKeyring.set(keyring, (cache = new LRUCache({ max: maxCached })))
  const cacheKey = `${endpoint.webhookId} ${stored}`
  const cached = cache.get(cacheKey)
  if (cached !== undefined) return cached
  try {
    const secret = keyring.decrypt(bytes, secretsAad(endpoint))
    cache.set(cacheKey, secret)
    return secret
  } catch (error) {
    if (error instanceof DecryptionError) return null
    throw error
  }
}
