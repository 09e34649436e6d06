/** Storage and decryption of the secrets that sign deliveries. */
import { LRUCache } from 'lru-cache'
import { chooseKeyId } from '../../core/keyring.ts'
import { decodeSigningSecret, hashSecret } from '../../core/secrets.ts'
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

/** A secret that signs deliveries. */
export interface SigningSecret {
  /** The whole secret, which is the key of `X-Service-Signature` (contract 13.1). */
  text: string
  /** Its decoded bytes, the key of `webhook-signature` (contract 13.5). */
  bytes: Buffer
}

/**
 * Returns the secrets to sign with, the current one first. Returns null if the current one cannot be decrypted, because
 * the key is missing or differs, or if it was deleted. Omits a previous secret that cannot be decrypted.
 */
export const decryptSecrets = (
  keyring: Keyring | null,
  { secret, previousSecret }: EndpointSecrets,
  endpoint: SecretsEndpoint,
): SigningSecret[] | null => {
  const current = decryptSecret(keyring, secret, endpoint)
  if (current === null) return null
  const previous = decryptSecret(keyring, previousSecret, endpoint)
  return previous === null ? [current] : [current, previous]
}

const maxCached = 20_000
const cachesByKeyring = new WeakMap<Keyring, LRUCache<string, SigningSecret>>()
/** Cache without a keyring. It has the secrets that are stored in plain text. */
const plaintextCache = new LRUCache<string, SigningSecret>({ max: maxCached })

const cacheOf = (keyring: Keyring | null): LRUCache<string, SigningSecret> => {
  if (keyring === null) return plaintextCache
  const cache = cachesByKeyring.get(keyring) ?? new LRUCache<string, SigningSecret>({ max: maxCached })
  cachesByKeyring.set(keyring, cache)
  return cache
}

/** Decrypts a stored secret. Results are cached by the stored value, so an attempt needs no decryption. */
const decryptSecret = (
  keyring: Keyring | null,
  stored: string | null,
  endpoint: SecretsEndpoint,
): SigningSecret | null => {
  if (stored === null) return null
  const cache = cacheOf(keyring)
  const cacheKey = `${endpoint.webhookId} ${stored}`
  const cached = cache.get(cacheKey)
  if (cached !== undefined) return cached
  const text = readSecret(keyring, Buffer.from(stored, 'base64'), endpoint)
  if (text === null) return null
  const secret = { text, bytes: decodeSigningSecret(text) }
  cache.set(cacheKey, secret)
  return secret
}

const readSecret = (keyring: Keyring | null, bytes: Buffer, endpoint: SecretsEndpoint): string | null => {
  const plaintext = readPlaintextSecret(bytes)
  if (plaintext !== null || keyring === null) return plaintext
  try {
    return keyring.decrypt(bytes, secretsAad(endpoint))
  } catch (error) {
    if (error instanceof DecryptionError) return null
    throw error
  }
}
