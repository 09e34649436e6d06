/** Verifies webhooks and returns typed events (contract 13). Needs `node:crypto`. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { components } from './schema.js'

/**
 * Body of a webhook. `type` determines the type of `data`. Later versions of the service can send other types: handle
 * them in `default`.
 */
export type WebhookEvent = components['schemas']['WebhookEvent']

/** Headers of a request, as Node, `fetch` or a framework have them. Names have any case. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>

export interface VerifyOptions {
  /** Time of receipt in unix seconds. Defaults to now. */
  now?: number
  /** Maximum difference between the signed time and `now`. Defaults to 300. */
  toleranceSeconds?: number
}

export type VerificationCode =
  | 'header_missing'
  | 'id_missing'
  | 'timestamp_missing'
  | 'timestamp_repeated'
  | 'timestamp_malformed'
  | 'timestamp_too_old'
  | 'timestamp_in_future'
  | 'digest_missing'
  | 'digest_malformed'
  | 'digest_mismatch'
  | 'secret_malformed'
  | 'body_malformed'

/** Thrown if a webhook must be rejected. Answer it with 401. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'

  constructor(readonly code: VerificationCode) {
    super(`${messages[code]} (${code})`)
  }
}

const messages: Record<VerificationCode, string> = {
  header_missing: 'The request has no signature header.',
  id_missing: 'The header webhook-id is missing.',
  timestamp_missing: 'The signature has no time.',
  timestamp_repeated: 'The signature has several times.',
  timestamp_malformed: 'The time of the signature must be whole unix seconds.',
  timestamp_too_old: 'The signature is too old.',
  timestamp_in_future: 'The signature is from the future. Check the clock of this machine.',
  digest_missing: 'The signature header has no v1.',
  digest_malformed: 'No v1 of the signature header is a digest.',
  digest_mismatch: 'The signature does not match. Check the secret, and pass the raw body.',
  secret_malformed: 'The secret must be whsec_ and 32 bytes in base64.',
  body_malformed: 'The body is not an event.',
}

/**
 * Verifies a webhook and returns its event. Throws WebhookVerificationError.
 *
 * @param body the raw body, before anything parses it
 * @param secret secret of the endpoint, or several during a rotation
 */
export const unwrap = (
  headers: WebhookHeaders,
  body: string | Uint8Array,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): WebhookEvent => {
  verify(headers, body, secret, options)
  return parseEvent(typeof body === 'string' ? body : decode(body))
}

/**
 * Verifies the headers of Standard Webhooks, or `X-Service-Signature` if the request has none of them. Throws
 * WebhookVerificationError.
 */
export const verify = (
  headers: WebhookHeaders,
  body: string | Uint8Array,
  secret: string | readonly string[],
  { now = Math.floor(Date.now() / 1000), toleranceSeconds = 300 }: VerifyOptions = {},
): void => {
  const isStandard = standardNames.some(name => findHeader(headers, name) !== null)
  const signature = isStandard ? readStandard(headers) : readService(headers)
  const secrets = typeof secret === 'string' ? [secret] : secret
  const expected = secrets.map(one => signature.digestOf(one, body))
  if (!signature.digests.some(digest => expected.some(one => isEqual(digest, one)))) fail('digest_mismatch')
  if (now - signature.time > toleranceSeconds) fail('timestamp_too_old')
  if (signature.time - now > toleranceSeconds) fail('timestamp_in_future')
}

interface Signature {
  time: number
  digests: string[]
  digestOf(secret: string, body: string | Uint8Array): string
}

const standardNames = ['webhook-id', 'webhook-timestamp', 'webhook-signature']

const readStandard = (headers: WebhookHeaders): Signature => {
  const [id, time, header] = standardNames.map(name => findHeader(headers, name))
  if (header == null) return fail('header_missing')
  if (!id) return fail('id_missing')
  if (time == null) return fail('timestamp_missing')
  if (!isTime(time)) return fail('timestamp_malformed')
  const digests = header.split(' ').flatMap(one => (one.startsWith('v1,') ? [one.slice(3)] : []))
  return {
    time: Number(time),
    digests: readDigests(digests, /^[A-Za-z0-9+/]{43}=$/),
    digestOf: (secret, body) =>
      createHmac('sha256', decodeSecret(secret)).update(`${id}.${time}.`).update(body).digest('base64'),
  }
}

/** Ignores fields other than `t` and `v1`. */
const readService = (headers: WebhookHeaders): Signature => {
  const header = findHeader(headers, 'x-service-signature')
  if (header === null) return fail('header_missing')
  const valuesOf = (name: string) =>
    header.split(',').flatMap(field => (field.split('=', 1)[0] === name ? [field.slice(name.length + 1)] : []))
  const [time, ...others] = valuesOf('t')
  if (time === undefined) return fail('timestamp_missing')
  if (others.length > 0) return fail('timestamp_repeated')
  if (!isTime(time)) return fail('timestamp_malformed')
  return {
    time: Number(time),
    digests: readDigests(valuesOf('v1'), /^[0-9a-f]{64}$/),
    // The key is the text of the secret.
    digestOf: (secret, body) => createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex'),
  }
}

const readDigests = (digests: string[], form: RegExp): string[] => {
  if (digests.length === 0) return fail('digest_missing')
  return digests.some(digest => form.test(digest)) ? digests : fail('digest_malformed')
}

const isTime = (text: string): boolean => /^[0-9]{1,11}$/.test(text)

/** Also decodes base64url without padding, the form of earlier secrets. */
const decodeSecret = (secret: string): Buffer => {
  const encoded = /^(?:whsec_)?([A-Za-z0-9+/_-]{43}=?)$/.exec(secret)?.[1]
  return encoded === undefined ? fail('secret_malformed') : Buffer.from(encoded, 'base64')
}

const findHeader = (headers: WebhookHeaders, name: string): string | null => {
  if (headers instanceof Headers) return headers.get(name)
  const value = Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1]
  return value === undefined ? null : String(value).trim()
}

const isEqual = (left: string, right: string): boolean => {
  const [a, b] = [Buffer.from(left), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}

const parseEvent = (text: string): WebhookEvent => {
  try {
    const event = JSON.parse(text) as WebhookEvent | null
    if (typeof event === 'object' && typeof event?.type === 'string') return event
  } catch {
    // Reported below, with the same code as another JSON value.
  }
  return fail('body_malformed')
}

const decode = (body: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
  } catch {
    return fail('body_malformed')
  }
}

const fail = (code: VerificationCode): never => {
  throw new WebhookVerificationError(code)
}
