/** Credentials of channels: sealed in their row, open in this process alone, and in nothing that anybody reads. */
import { LRUCache } from 'lru-cache'
import { CannotOpen, type Seals } from '../sealing.ts'

/** What they belong to: sealed for one channel, they open for no other. */
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

/** They cannot be used; `message` says why, for an owner. */
export class NoCredentials extends Error {
  override readonly name = 'NoCredentials'
}

const opened = new WeakMap<Seals, LRUCache<string, object>>()
const maxOpened = 10_000

/**
 * The credentials of a channel; null where it has none. What was opened is remembered by what was sealed: rotated
 * credentials are sealed anew. Throws NoCredentials.
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

/** How every reason begins why they cannot be used. */
export const cannotBeRead = 'The credentials of the channel cannot be read with SECRETS_KEY'

/** Shorter ones are no secrets, and would be found in many words. */
const shortestSecret = 8

/** The text without any of the credentials, which a provider may repeat in what it says. */
export const withoutCredentials = (text: string, credentials: unknown): string =>
  textsIn(credentials)
    .filter(secret => secret.length >= shortestSecret)
    .reduce((cleaned, secret) => cleaned.replaceAll(secret, '…'), text)

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
