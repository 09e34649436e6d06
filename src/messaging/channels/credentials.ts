/**
 * Encryption of channel credentials. They are stored encrypted, decrypted only in memory, and never returned or logged.
 */
import { LRUCache } from 'lru-cache'
import { DecryptionError, type Keyring } from '../../platform/encryption.ts'

/** The channel that credentials belong to. It is part of the AAD, so they cannot be decrypted for another channel. */
export interface CredentialsOwner {
  workspaceId: string
  channelId: string
}

export const credentialsAad = ({ workspaceId, channelId }: CredentialsOwner): string[] => [
  'credentials',
  workspaceId,
  channelId,
]

export const encryptCredentials = (keyring: Keyring, credentials: unknown, channel: CredentialsOwner): Buffer =>
  keyring.encrypt(JSON.stringify(credentials), credentialsAad(channel))

/** Thrown when credentials cannot be used. `message` explains the reason to an owner. */
export class NoCredentials extends Error {
  override readonly name = 'NoCredentials'
}

const decryptedBy = new WeakMap<Keyring, LRUCache<string, object>>()
const maxDecrypted = 10_000

/**
 * Returns the decrypted credentials of a channel, or null if it has none. Results are cached by ciphertext, so replaced
 * credentials are never served from the cache. Throws NoCredentials.
 */
export const decryptCredentials = (
  keyring: Keyring | null,
  encrypted: Uint8Array | null,
  channel: CredentialsOwner,
): unknown => {
  if (encrypted === null) return null
  if (keyring === null) throw new NoCredentials(`${cannotDecrypt}: the setting is missing.`)
  const cache = decryptedBy.get(keyring) ?? new LRUCache<string, object>({ max: maxDecrypted })
  decryptedBy.set(keyring, cache)
  const aad = credentialsAad(channel)
  const name = `${aad.join(' ')} ${Buffer.from(encrypted).toString('base64')}`
  const cached = cache.get(name)
  if (cached) return cached
  try {
    const credentials = JSON.parse(keyring.decrypt(encrypted, aad)) as object
    cache.set(name, credentials)
    return credentials
  } catch (error) {
    if (!(error instanceof DecryptionError)) throw error
    throw new NoCredentials(`${cannotDecrypt}: it does not contain the key that encrypted them.`)
  }
}

/** Beginning of every message that says why credentials cannot be used. */
export const cannotDecrypt = 'The credentials of the channel cannot be decrypted with SECRETS_KEY'

/** Shorter values are not secrets, and would match parts of ordinary words. */
const minRedactedLength = 8

/** Removes credentials from a text, because providers can repeat them in their responses. */
export const redactCredentials = (text: string, credentials: unknown): string =>
  collectTexts(credentials)
    .filter(secret => secret.length >= minRedactedLength)
    .reduce((cleaned, secret) => cleaned.replaceAll(secret, '…'), text)

const collectTexts = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(collectTexts) : []
}
