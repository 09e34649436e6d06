/** Explains why a signature is invalid, by testing common mistakes. Pure. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Slices } from '../../platform/slices.ts'
import { formsOf, parseShallow, sortedForm, toSentBody } from './json-forms.ts'

/** Maximum difference in seconds between `t` and the receiver's clock (contract 13.2). */
export const toleranceSeconds = 300

/** Delivery as the receiver has it. */
export interface ReceivedWebhook {
  secret: string
  /** Header names in any case. */
  headers: Record<string, string>
  /** The raw body as text. */
  body: string
  /** Time of receipt. */
  at: Date
}

/** Codes of all problems that can be reported. */
export const problemCodes = [
  'header_missing',
  'timestamp_missing',
  'timestamp_repeated',
  'timestamp_malformed',
  'timestamp_too_old',
  'timestamp_in_future',
  'digest_missing',
  'digest_malformed',
  'digest_mismatch',
  'body_changed',
  'time_not_signed',
  'secret_padded',
  'secret_without_prefix',
  'key_without_prefix',
  'key_base64_decoded',
  'secret_rotated',
  'secret_of_other_endpoint',
] as const
export type ProblemCode = (typeof problemCodes)[number]

export interface SignatureProblem {
  code: ProblemCode
  /** The problem and its solution. Never contains the secret. */
  message: string
}

/** Result of checking a signature. */
export interface SignatureCheck {
  valid: boolean
  problems: SignatureProblem[]
  /** `t` of the header; null if it is missing or unreadable. */
  timestamp: number | null
  /** Seconds from `t` to the time of receipt: positive if late, negative if `t` is in the future. */
  secondsOff: number | null
  /** Index of the matching `v1`, counted from 1; null if none matches. */
  matched: number | null
  /** Digest of `t` and the body with the given secret. */
  expected: string | null
}

/** Data of the service that the receiver does not have. */
export interface Evidence {
  /** Body of the delivery named in the headers; null if they name no delivery of this workspace. */
  sentBody: string | null
  endpoints: { id: string; url: string; secret: string; previousSecret: string | null }[]
}

/** Checks a signature as every receiver should. `explainMismatch` explains a digest that does not match. */
export const checkSignature = (received: ReceivedWebhook): SignatureCheck => {
  const header = findHeader(received.headers)
  if (header === null) return unreadable([problem('header_missing', 'The header X-Service-Signature is missing.')])
  const { t, digests, problems } = readHeader(header)
  if (t === null) return unreadable(problems)

  const expected = digest(received.secret, `${t}.${received.body}`)
  const index = digests.findIndex(one => isSame(one, expected))
  const secondsOff = Math.floor(received.at.getTime() / 1000) - Number(t)
  if (index === -1) problems.push(mismatch)
  problems.push(...problemsOfClock(secondsOff))
  return {
    valid: problems.length === 0,
    problems,
    timestamp: Number(t),
    secondsOff,
    matched: index === -1 ? null : index + 1,
    expected,
  }
}

const mismatch: SignatureProblem = {
  code: 'digest_mismatch',
  message: 'No v1 is the digest of this body with this secret. The secret is wrong, or the body was changed.',
}

const problem = (code: ProblemCode, message: string): SignatureProblem => ({ code, message })

const unreadable = (problems: SignatureProblem[]): SignatureCheck => ({
  valid: false,
  problems,
  timestamp: null,
  secondsOff: null,
  matched: null,
  expected: null,
})

const findHeader = (headers: Record<string, string>): string | null =>
  Object.entries(headers)
    .find(([name]) => name.trim().toLowerCase() === 'x-service-signature')?.[1]
    .trim() ?? null

/** Ignores fields other than `t` and `v1`, because a later version of the scheme may add some. */
const readHeader = (header: string): { t: string | null; digests: string[]; problems: SignatureProblem[] } => {
  const fields = header.split(',').map(field => {
    const [name, ...value] = field.split('=')
    return { name, value: value.join('=') }
  })
  const times = fields.filter(({ name }) => name === 't').map(({ value }) => value)
  const digests = fields.filter(({ name }) => name === 'v1').map(({ value }) => value)
  const problems = [...problemsOfTime(times), ...problemsOfDigests(digests, header)]
  return { t: problems.length === 0 ? times[0]! : null, digests, problems }
}

const problemsOfTime = (times: string[]): SignatureProblem[] => {
  const [t] = times
  if (t === undefined) return [problem('timestamp_missing', 'X-Service-Signature has no part "t=".')]
  if (times.length > 1) return [problem('timestamp_repeated', 'X-Service-Signature has "t=" more than once.')]
  if (/^[0-9]{1,11}$/.test(t)) return []
  const guess = /^[0-9]{12,}$/.test(t) ? ' It seems to be in milliseconds.' : ''
  return [problem('timestamp_malformed', `"t=" of X-Service-Signature must be whole unix seconds.${guess}`)]
}

const problemsOfDigests = (digests: string[], header: string): SignatureProblem[] => {
  if (digests.length === 0) {
    const spaced = /,\s+v1=/.test(header) ? ' There must be no space after the comma.' : ''
    return [problem('digest_missing', `X-Service-Signature has no part "v1=".${spaced}`)]
  }
  if (digests.some(isDigest)) return []
  return digests.map((one, index) =>
    problem(
      'digest_malformed',
      `"v1=" number ${index + 1} must be 64 lower-case hexadecimal digits, but ${describeDigestFault(one)}.`,
    ),
  )
}

const isDigest = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)

const describeDigestFault = (text: string): string => {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return 'it has capital letters'
  if (/^[0-9a-f]*$/.test(text)) return `it has ${text.length} of them`
  return 'it has other characters, as a digest in base64 would'
}

const problemsOfClock = (secondsOff: number): SignatureProblem[] => {
  if (Math.abs(secondsOff) <= toleranceSeconds) return []
  const seconds = `${Math.abs(secondsOff)} seconds`
  const advice = `at most ${toleranceSeconds} are accepted. Either the clock is wrong or an old request was replayed`
  return secondsOff > 0
    ? [problem('timestamp_too_old', `It was signed ${seconds} before it was received; ${advice}.`)]
    : [problem('timestamp_in_future', `It was signed ${seconds} after it was received; ${advice}.`)]
}

const digest = (key: string | Buffer, text: string | Buffer): string =>
  createHmac('sha256', key).update(text).digest('hex')

const isSame = (left: string, right: string): boolean =>
  left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right))

/**
 * Finds the input with which a `v1` matches, the most likely mistakes first, and reports only the first one. If no
 * mistake explains the difference, reports the mismatch. Hashes a body in dozens of forms, in pieces.
 */
export function* explainMismatch(received: ReceivedWebhook, evidence: Evidence): Slices<SignatureProblem[]> {
  const { secret, headers, body } = received
  const { t, digests } = readHeader(findHeader(headers) ?? '')
  const digestSet = new Set(digests)
  const isMatch = (key: string | Buffer, text: string | Buffer) => digestSet.has(digest(key, text))

  const keys = candidateKeys(secret)
  for (const original of candidateBodies(body, evidence)) {
    const signed = Buffer.from(`${t}.${original}`)
    const match = keys.find(({ key }) => isMatch(key, signed))
    if (match && original === body) return match.problems
    if (match) return [...match.problems, yield* toBodyChanged(original, body)]
    yield
  }
  if (isMatch(secret, body)) {
    return [problem('time_not_signed', 'The digest was computed over the body only. Compute it over "<t>.<body>".')]
  }
  const bodies = [body, evidence.sentBody ?? body]
  const texts = bodies.map(text => Buffer.from(`${t}.${text}`))
  for (const endpoint of evidence.endpoints) {
    if (texts.some(text => isMatch(endpoint.secret, text))) return [toOtherSigner(endpoint, secret)]
    yield
  }
  return [mismatch]
}

/** Returns the secret as given, followed by likely corrections. */
const candidateKeys = (secret: string): { key: string | Buffer; problems: SignatureProblem[] }[] => {
  const trimmed = secret.trim().replaceAll(/^(["'])(.*)\1$/g, '$2')
  const bare = trimmed.replace(/^whsec_/, '')
  return [
    { key: secret, problems: [] },
    {
      key: trimmed,
      problems: [problem('secret_padded', 'The secret has white space or quotes around it. Remove them.')],
    },
    {
      key: `whsec_${bare}`,
      problems: [
        problem('secret_without_prefix', 'The secret lacks its prefix "whsec_". Use the whole string as the key.'),
      ],
    },
    {
      key: bare,
      problems: [
        problem(
          'key_without_prefix',
          'It was signed with the secret without its prefix "whsec_". Use the whole string as the key, including the prefix.',
        ),
      ],
    },
    {
      key: Buffer.from(bare, 'base64url'),
      problems: [
        problem(
          'key_base64_decoded',
          'It was signed with the secret decoded from base64. Use the UTF-8 bytes of the whole string, including the prefix.',
        ),
      ],
    },
  ]
}

/**
 * Maximum length of a body that is re-serialized in dozens of forms, each of which is hashed. Takes at most a tenth of
 * a second.
 */
const maxReformattedLength = 32 * 1024
/** Maximum length of one form. A deeply nested body with indentation can be a hundred times longer than its source. */
const maxFormLength = 8 * maxReformattedLength

/** Maximum length of a signed body whose JSON is compared. White space at most doubles a received body. */
const maxComparedLength = 256 * 1024

/** Yields the body as given, then possible originals, lazily. */
function* candidateBodies(body: string, { sentBody }: Evidence): Generator<string> {
  yield body
  if (sentBody !== null) yield sentBody
  yield* similarTexts(body)
  const value = parseShallow(body.trim().replace(/^\ufeff/, ''))
  if (value === undefined) return
  const sent = toSentBody(value)
  if (sent !== null) yield sent
  if (body.length > maxReformattedLength) return
  for (const { text } of formsOf(value, maxFormLength)) yield text
}

/** Returns possible originals that differ without parsing: line ends, white space and byte order mark. */
const similarTexts = (body: string): string[] => [
  body.replace(/\r?\n$/, ''),
  `${body}\n`,
  `${body}\r\n`,
  body.trim(),
  body.replace(/^\ufeff/, ''),
  body.replaceAll('\r\n', '\n'),
  body.replaceAll(/\r?\n/g, '\r\n'),
]

function* toBodyChanged(original: string, received: string): Slices<SignatureProblem> {
  yield
  const difference = yield* describeDifference(original, received)
  return problem(
    'body_changed',
    `The body is not the signed one: ${difference}. Verify the raw bytes before they are parsed or changed.`,
  )
}

function* describeDifference(original: string, received: string): Slices<string> {
  if (received.trimEnd() === original.trimEnd()) {
    const isLonger = received.length > original.length
    return isLonger ? 'a line end or a space was added at its end' : 'a line end or a space at its end was removed'
  }
  if (received === `\ufeff${original}`) return 'a byte order mark was added at its beginning'
  if (received.trim() === original.trim()) return 'white space around it was added or removed'
  if (normalizeLineEnds(received) === normalizeLineEnds(original)) return 'its line ends were changed'
  yield
  const value = original.length > maxComparedLength ? undefined : parseShallow(original)
  if (value === undefined) return `its content differs, ${describeFirstDifference(original, received)}`
  if (original.length <= maxReformattedLength)
    for (const { text, name } of formsOf(value, maxFormLength)) {
      if (text === received) return `it was parsed and serialized again as ${name}`
      yield
    }
  yield
  const isSameJson = sortedForm(value) === sortedForm(parseShallow(received.replace(/^\ufeff/, '')))
  return `${isSameJson ? 'it is the same JSON in another form' : 'its content differs'}, ${describeFirstDifference(original, received)}`
}

const normalizeLineEnds = (text: string): string => text.replaceAll('\r\n', '\n')

const describeFirstDifference = (original: string, received: string): string => {
  let index = 0
  while (index < original.length && original[index] === received[index]) index += 1
  const excerpt = (text: string) => JSON.stringify(text.slice(Math.max(0, index - 12), index + 12).toWellFormed())
  return `first at character ${index + 1}: signed ${excerpt(original)}, given ${excerpt(received)}`
}

const toOtherSigner = (
  { id, url, previousSecret }: Evidence['endpoints'][number],
  received: string,
): SignatureProblem =>
  previousSecret === received
    ? problem('secret_rotated', `The secret was replaced. The endpoint ${url} now signs with a newer one.`)
    : problem('secret_of_other_endpoint', `It was signed for the endpoint ${url} (${id}), which has another secret.`)
