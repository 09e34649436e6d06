/**
 * Encryption of channel credentials. They are stored encrypted, decrypted only in memory, and never returned or logged.
 */
import { LRUCache } from 'lru-cache'
import { CannotOpen, type Seals } from '../sealing.ts'

/** The channel that credentials belong to. It is part of the AAD, so they cannot be decrypted for another channel. */
export interface SealedFor {
  workspaceId: string
  channelId: string
}

export const placeOfCredentials = ({ workspaceId, channelId }: SealedFor): string[] => [
  'credentials',
  workspaceId,
  channelId,
]

export const sealCredentials = (seals: Seals, credentials: unknown, channel: SealedFor): Buffer =>
  seals.seal(JSON.stringify(credentials), placeOfCredentials(channel))

/** Thrown when credentials cannot be used. `message` explains the reason to an owner. */
export class NoCredentials extends Error {
  override readonly name = 'NoCredentials'
}

const opened = new WeakMap<Seals, LRUCache<string, object>>()
const maxOpened = 10_000

/**
 * Returns the decrypted credentials of a channel, or null if it has none. Results are cached by ciphertext, so replaced
 * credentials are never served from the cache. Throws NoCredentials.
 */
export const openCredentials = (seals: Seals | null, sealed: Uint8Array | null, channel: SealedFor): unknown => {
  if (sealed === null) return null
  if (seals === null) throw new NoCredentials(`${cannotBeRead}: the setting is missing.`)
  const cache = opened.get(seals) ?? new LRUCache<string, object>({ max: maxOpened })
  opened.set(seals, cache)
  const place = placeOfCredentials(channel)
  const name = `${place.join(' ')} ${Buffer.from(sealed).toString('base64')}`
  const known = cache.get(name)
  if (known) return known
  try {
    const credentials = JSON.parse(seals.open(sealed, place)) as object
    cache.set(name, credentials)
    return credentials
  } catch (error) {
    if (!(error instanceof CannotOpen)) throw error
    throw new NoCredentials(`${cannotBeRead}: it does not hold the key they were encrypted under.`)
  }
}

/** Beginning of every message that says why credentials cannot be used. */
export const cannotBeRead = 'The credentials of the channel cannot be read with SECRETS_KEY'

/** Shorter values are not secrets, and would match parts of ordinary words. */
const shortestSecret = 8

/** Removes credentials from a text, because providers can repeat them in their responses. */
export const withoutCredentials = (text: string, credentials: unknown): string =>
  textsIn(credentials)
    .filter(secret => secret.length >= shortestSecret)
    .reduce((cleaned, secret) => cleaned.replaceAll(secret, '…'), text)

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
