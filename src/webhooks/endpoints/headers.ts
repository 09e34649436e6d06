/** The owner's own headers: validation and encryption. */
import { LRUCache } from 'lru-cache'
import { type Details, DomainError } from '../../core/errors.ts'
import { DecryptionError, type Keyring } from '../../platform/encryption.ts'

/** Header values by name. */
export type OwnHeaders = Readonly<Record<string, string>>

/** An HTTP token of at most 100 characters. */
const namePattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/
/** Printable ASCII without white space at either end. */
const valuePattern = /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/
const maxBytes = 16 * 1024

/** Headers about the target, length or encoding of a message, which only the sender can set. */
const senderHeaders = new Set(['host', 'accept-encoding', 'expect'])
/** Headers that sign a delivery (contract 13.5). */
const signatureHeaders = new Set(['webhook-id', 'webhook-timestamp', 'webhook-signature'])
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
  const seenNames = new Set<string>()
  for (const [name, value] of Object.entries(headers)) {
    const reason = faultOfHeader(name, value, seenNames)
    if (reason !== null) faults[`headers.${name.slice(0, 100)}`] = reason
    seenNames.add(name.toLowerCase())
  }
  const bytes = Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  if (bytes > maxBytes) faults.headers ??= 'Must be at most 16 KiB together, names and values.'
  return faults
}

const faultOfHeader = (name: string, value: string, seenNames: ReadonlySet<string>): string | null => {
  const lower = name.toLowerCase()
  const normalized = normalizeName(lower)
  if (!namePattern.test(name)) return 'Is not a valid header name. Use at most 100 letters, digits and hyphens.'
  if (seenNames.has(lower)) return 'Occurs twice. Header names are case-insensitive. Send it once.'
  if (normalized.startsWith('x-service-')) return 'Names that begin with X-Service- are reserved. Choose another name.'
  if (signatureHeaders.has(normalized)) return 'Is a header of the signature, set by the service. Choose another name.'
  if (normalized.startsWith('content-') || senderHeaders.has(normalized))
    return 'Is set by the service for every request. Choose another name.'
  if (hopByHop.has(normalized)) return 'Is a header of a single connection. Choose another name.'
  return valuePattern.test(value)
    ? null
    : 'Must be printable ASCII on one line, without leading or trailing white space.'
}

/**
 * Treats underscores as hyphens. Receivers that map headers to variables (CGI, PHP, WSGI) cannot distinguish
 * `X_Service-Event` from `X-Service-Event`.
 */
const normalizeName = (lower: string): string => lower.replaceAll('_', '-')

/**
 * Whether a stored header is sent. Headers stored before deliveries had a Standard Webhooks signature can have its
 * names, and must not replace it.
 */
export const isSent = (name: string): boolean => !signatureHeaders.has(normalizeName(name.toLowerCase()))

/** The endpoint that the headers belong to, used as AAD: they can be decrypted for this endpoint only. */
export interface HeadersEndpoint {
  workspaceId: string
  webhookId: string
}

export const headersAad = ({ workspaceId, webhookId }: HeadersEndpoint): string[] => [
  'webhook headers',
  workspaceId,
  webhookId,
]

/**
 * Returns the header names and the encrypted values as stored; `encrypted` is null if there are none. Throws a 422 if
 * there is no encryption key.
 */
export const encryptHeaders = (
  keyring: Keyring | null,
  headers: OwnHeaders,
  endpoint: HeadersEndpoint,
): { names: string[]; encrypted: Buffer | null } => {
  const names = Object.keys(headers)
  if (names.length === 0) return { names, encrypted: null }
  if (keyring === null) throw missingKeyError()
  return { names, encrypted: keyring.encrypt(JSON.stringify(headers), headersAad(endpoint)) }
}

const missingKeyError = () =>
  new DomainError(
    'unprocessable',
    'Custom headers require the setting SECRETS_KEY, which encrypts them. Ask the operator to set it.',
  )

const cachesByKeyring = new WeakMap<Keyring, LRUCache<string, OwnHeaders>>()
const maxCached = 10_000

/**
 * Decrypts the headers to send from base64. Returns null if the key is missing or differs. Results are cached by the encrypted
 * value.
 */
export const decryptHeaders = (
  keyring: Keyring | null,
  encrypted: string | null,
  endpoint: HeadersEndpoint,
): OwnHeaders | null => {
  if (encrypted === null) return noHeaders
  if (keyring === null) return null
  const cache = cachesByKeyring.get(keyring) ?? new LRUCache<string, OwnHeaders>({ max: maxCached })
  cachesByKeyring.set(keyring, cache)
  const name = `${endpoint.webhookId} ${encrypted}`
  const cached = cache.get(name)
  if (cached) return cached
  try {
    const stored: OwnHeaders = JSON.parse(keyring.decrypt(Buffer.from(encrypted, 'base64'), headersAad(endpoint)))
    const headers = Object.fromEntries(Object.entries(stored).filter(([name]) => isSent(name)))
    cache.set(name, headers)
    return headers
  } catch (error) {
    if (error instanceof DecryptionError) return null
    throw error
  }
}

const noHeaders: OwnHeaders = {}
