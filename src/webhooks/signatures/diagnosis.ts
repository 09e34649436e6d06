/** Checks the signatures of a delivery as every receiver should. Pure. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { decodeSigningSecret } from '../../core/secrets.ts'
import {
  problem,
  type ReceivedWebhook,
  readHeaders,
  type Scheme,
  type SignatureHeaders,
  type SignatureProblem,
  schemesOf,
} from './received.ts'

/** Maximum difference in seconds between the signed time and the receiver's clock (contract 13.2). */
export const toleranceSeconds = 300

/** Result of checking the headers of one scheme. */
export interface SchemeCheck {
  scheme: Scheme
  valid: boolean
  /** Problems of the signature. A valid one can only have `secret_not_standard`. */
  problems: SignatureProblem[]
  /** Signed time; null if it is missing or unreadable. */
  timestamp: number | null
  /** Seconds from the signed time to the receipt: positive if late, negative if it is in the future. */
  secondsOff: number | null
  /** Index of the matching `v1`, counted from 1; null if none matches. */
  matched: number | null
  /** Digest with the given secret, as the header of the scheme writes it. */
  expected: string | null
}

/** Checks of all schemes that the headers have. The fields of a scheme are those of the first check. */
export interface SignatureCheck extends SchemeCheck {
  checks: SchemeCheck[]
}

/**
 * Checks every scheme that the headers have, or `service` if they have none. `explainMismatch` explains a digest that
 * does not match.
 */
export const checkSignature = (received: ReceivedWebhook): SchemeCheck[] => {
  const present = schemesOf(received.headers)
  return (present.length === 0 ? (['service'] as const) : present).map(scheme => checkScheme(received, scheme))
}

/**
 * Combines the checks. The result is valid if all are. It has the problems of the invalid checks, and only the first
 * problem with a code: a changed body breaks both signatures.
 */
export const combineChecks = (checks: SchemeCheck[]): SignatureCheck => {
  const problems = new Map<string, SignatureProblem>()
  for (const check of checks)
    if (!check.valid) for (const one of check.problems) if (!problems.has(one.code)) problems.set(one.code, one)
  return { ...checks[0]!, valid: checks.every(({ valid }) => valid), problems: [...problems.values()], checks }
}

const checkScheme = (received: ReceivedWebhook, scheme: Scheme): SchemeCheck => {
  const headers = readHeaders(scheme, received.headers)
  if (headers.t === null) return unreadable(scheme, headers.problems)
  const expected = digest(scheme, keyOf(scheme, received.secret), signedText(scheme, headers, received.body))
  const index = headers.digests.findIndex(one => isSame(one, expected))
  const secondsOff = Math.floor(received.at.getTime() / 1000) - Number(headers.t)
  const problems = [...(index === -1 ? [mismatches[scheme]] : []), ...problemsOfClock(secondsOff, timeNames[scheme])]
  const hints = scheme === 'standard' && index !== -1 && !isStandardSecret(received.secret) ? [secretNotStandard] : []
  return {
    scheme,
    valid: problems.length === 0,
    problems: [...problems, ...hints],
    timestamp: Number(headers.t),
    secondsOff,
    matched: index === -1 ? null : index + 1,
    expected,
  }
}

/** Returns the key that a receiver derives from the secret. */
export const keyOf = (scheme: Scheme, secret: string): string | Buffer =>
  scheme === 'service' ? secret : decodeSigningSecret(secret)

/** Returns the text that the scheme signs for a body. */
export const signedText = (scheme: Scheme, { id, t }: Pick<SignatureHeaders, 'id' | 't'>, body: string): string =>
  scheme === 'service' ? `${t}.${body}` : `${id}.${t}.${body}`

/** Returns the digest in the encoding of the scheme. */
export const digest = (scheme: Scheme, key: string | Buffer, text: string | Buffer): string =>
  createHmac('sha256', key)
    .update(text)
    .digest(scheme === 'service' ? 'hex' : 'base64')

/** Problem of a digest whose cause is not known. */
export const mismatches: Record<Scheme, SignatureProblem> = {
  service: problem(
    'digest_mismatch',
    'No v1 is the digest of this body with this secret. The secret is wrong, or the body was changed.',
  ),
  standard: problem(
    'digest_mismatch',
    'No v1 of webhook-signature is the digest of this ID, time and body with this secret. One of them is wrong.',
  ),
}

const secretNotStandard = problem(
  'secret_not_standard',
  'The secret is base64url without padding, which most libraries of Standard Webhooks cannot read. Rotate it once.',
)

const isStandardSecret = (secret: string): boolean => /^(whsec_)?[A-Za-z0-9+/]{43}=$/.test(secret)

const unreadable = (scheme: Scheme, problems: SignatureProblem[]): SchemeCheck => ({
  scheme,
  valid: false,
  problems,
  timestamp: null,
  secondsOff: null,
  matched: null,
  expected: null,
})

const timeNames: Record<Scheme, string> = { service: 't of X-Service-Signature', standard: 'webhook-timestamp' }

const problemsOfClock = (secondsOff: number, name: string): SignatureProblem[] => {
  if (Math.abs(secondsOff) <= toleranceSeconds) return []
  const signed = `By ${name}, it was signed ${Math.abs(secondsOff)} seconds`
  const advice = `at most ${toleranceSeconds} are accepted. Either the clock is wrong or an old request was replayed`
  return secondsOff > 0
    ? [problem('timestamp_too_old', `${signed} before it was received; ${advice}.`)]
    : [problem('timestamp_in_future', `${signed} after it was received; ${advice}.`)]
}

const isSame = (left: string, right: string): boolean =>
  left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right))
