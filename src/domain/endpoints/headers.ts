/** The owner's own headers: validation and encryption. */
import { LRUCache } from 'lru-cache'
import { type Details, DomainError } from '../errors.ts'
import { CannotOpen, type Seals } from '../sealing.ts'

/** Header values by name. */
export type OwnHeaders = Readonly<Record<string, string>>

/** An HTTP token of at most 100 characters. */
const namePattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/
/** Printable ASCII without white space at either end. */
const valuePattern = /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/
const maxBytes = 16 * 1024

/** Headers about the target, length or encoding of a message, which only the sender can set. */
const ofTheSender = new Set(['host', 'accept-encoding', 'expect'])
/** Headers that apply to one connection (RFC 9110, 7.6.1), and headers for proxies. */
const hopByHop = new Set([
  'connection',
  'proxy-connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
  'proxy-authenticate',
  'proxy-authorization',
])

/** Returns the errors of the headers by field. Empty if they are valid. */
export const faultsOfHeaders = (headers: OwnHeaders): Details => {
  const faults: Details = {}
  const seen = new Set<string>()
  for (const [name, value] of Object.entries(headers)) {
    const reason = faultOfHeader(name, value, seen)
    if (reason !== null) faults[`headers.${name.slice(0, 100)}`] = reason
    seen.add(name.toLowerCase())
  }
  const bytes = Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  if (bytes > maxBytes) faults.headers ??= 'Must be at most 16 KiB together, names and values.'
  return faults
}

const faultOfHeader = (name: string, value: string, seen: ReadonlySet<string>): string | null => {
  const lower = name.toLowerCase()
  const meant = asReceiversRead(lower)
  if (!namePattern.test(name)) return 'Is not the name of a header: letters, digits and hyphens, at most 100 of them.'
  if (seen.has(lower)) return 'Is there twice; the names of headers have no case.'
  if (meant.startsWith('x-service-')) return 'Names that begin with X-Service- are ours; choose another.'
  if (meant.startsWith('content-') || ofTheSender.has(meant)) return 'Is set by us for every request; choose another.'
  if (hopByHop.has(meant)) return 'Belongs to a single connection and is not passed on; choose another.'
  return valuePattern.test(value)
    ? null
    : 'Must be printable ASCII characters on one line, without white space in front or behind.'
}

/**
 * Treats underscores as hyphens. Receivers that map headers to variables (CGI, PHP, WSGI) cannot distinguish
 * `X_Service-Event` from `X-Service-Event`.
 */
const asReceiversRead = (lower: string): string => lower.replaceAll('_', '-')

/** The endpoint that the headers belong to, used as AAD: they can be decrypted for this endpoint only. */
export interface HeadersOf {
  workspaceId: string
  webhookId: string
}

export const placeOfHeaders = ({ workspaceId, webhookId }: HeadersOf): string[] => [
  'webhook headers',
  workspaceId,
  webhookId,
]

/**
 * Returns the header names and the encrypted values as stored; `sealed` is null if there are none. Throws a 422 if
 * there is no encryption key.
 */
export const sealHeaders = (
  seals: Seals | null,
  headers: OwnHeaders,
  of: HeadersOf,
): { names: string[]; sealed: Buffer | null } => {
  const names = Object.keys(headers)
  if (names.length === 0) return { names, sealed: null }
  if (seals === null) throw noKey()
  return { names, sealed: seals.seal(JSON.stringify(headers), placeOfHeaders(of)) }
}

const noKey = () =>
  new DomainError(
    'unprocessable',
    'Headers of your own need the setting SECRETS_KEY, under which they are encrypted; ask the operator of the service to set it.',
  )

const opened = new WeakMap<Seals, LRUCache<string, OwnHeaders>>()
const maxOpened = 10_000

/**
 * Decrypts the headers from base64. Returns null if the key is missing or differs. Results are cached by the encrypted
 * value.
 */
export const openHeaders = (seals: Seals | null, sealed: string | null, of: HeadersOf): OwnHeaders | null => {
  if (sealed === null) return none
  if (seals === null) return null
  const cache = opened.get(seals) ?? new LRUCache<string, OwnHeaders>({ max: maxOpened })
  opened.set(seals, cache)
  const name = `${of.webhookId} ${sealed}`
  const known = cache.get(name)
  if (known) return known
  try {
    const headers: OwnHeaders = JSON.parse(seals.open(Buffer.from(sealed, 'base64'), placeOfHeaders(of)))
    cache.set(name, headers)
    return headers
  } catch (error) {
    if (error instanceof CannotOpen) return null
    throw error
  }
}

const none: OwnHeaders = {}
