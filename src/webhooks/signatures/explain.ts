/** Explains why a digest does not match, by testing common mistakes. Pure. */
import type { Slices } from '../../platform/slices.ts'
import { digest, keyOf, mismatches, signedText } from './diagnosis.ts'
import { formsOf, parseShallow, sortedForm, toSentBody } from './json-forms.ts'
import { problem, type ReceivedWebhook, readHeaders, type Scheme, type SignatureProblem } from './received.ts'

/** Data of the service that the receiver does not have. */
export interface Evidence {
  /** Body of the delivery or event named in the headers; null if they name none of this workspace. */
  sentBody: string | null
  endpoints: { id: string; url: string; secret: string; previousSecret: string | null }[]
}

/**
 * Finds the input with which a `v1` of the scheme matches, the most likely mistakes first, and reports only the first
 * one. If no mistake explains the difference, reports the mismatch. Hashes a body in dozens of forms, in pieces.
 */
export function* explainMismatch(
  received: ReceivedWebhook,
  evidence: Evidence,
  scheme: Scheme,
): Slices<SignatureProblem[]> {
  const { secret, body } = received
  const headers = readHeaders(scheme, received.headers)
  const digests = new Set(headers.digests)
  const isMatch = (key: string | Buffer, text: string | Buffer) => digests.has(digest(scheme, key, text))

  const keys = candidateKeys[scheme](secret)
  for (const original of candidateBodies(body, evidence)) {
    const signed = Buffer.from(signedText(scheme, headers, original))
    const match = keys.find(({ key }) => isMatch(key, signed))
    if (match && original === body) return match.problems
    if (match) return [...match.problems, yield* toBodyChanged(original, body)]
    yield
  }
  const key = keyOf(scheme, secret)
  if (scheme === 'standard' && isMatch(key, `${headers.t}.${body}`)) return [idNotSigned]
  if (isMatch(key, body)) return [timeNotSigned[scheme]]
  const bodies = [body, evidence.sentBody ?? body]
  const texts = bodies.map(text => Buffer.from(signedText(scheme, headers, text)))
  for (const endpoint of evidence.endpoints) {
    const other = keyOf(scheme, endpoint.secret)
    if (texts.some(text => isMatch(other, text))) return [toOtherSigner(endpoint, secret)]
    yield
  }
  return [mismatches[scheme]]
}

const idNotSigned = problem(
  'id_not_signed',
  'The digest of webhook-signature was computed without the ID. Compute it over "<webhook-id>.<webhook-timestamp>.<body>".',
)

const timeNotSigned: Record<Scheme, SignatureProblem> = {
  service: problem('time_not_signed', 'The digest was computed over the body only. Compute it over "<t>.<body>".'),
  standard: problem(
    'time_not_signed',
    'The digest of webhook-signature was computed over the body only. Compute it over "<webhook-id>.<webhook-timestamp>.<body>".',
  ),
}

interface CandidateKey {
  key: string | Buffer
  problems: SignatureProblem[]
}

const secretPadded = problem('secret_padded', 'The secret has white space or quotes around it. Remove them.')

const trim = (secret: string): string => secret.trim().replaceAll(/^(["'])(.*)\1$/g, '$2')

/** Returns the keys of the secret as given, followed by likely corrections. */
const candidateKeys: Record<Scheme, (secret: string) => CandidateKey[]> = {
  service: secret => {
    const trimmed = trim(secret)
    const bare = trimmed.replace(/^whsec_/, '')
    return [
      { key: secret, problems: [] },
      { key: trimmed, problems: [secretPadded] },
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
        key: keyOf('standard', trimmed),
        problems: [
          problem(
            'key_base64_decoded',
            'It was signed with the secret decoded from base64. Use the UTF-8 bytes of the whole string, including the prefix.',
          ),
        ],
      },
    ]
  },
  standard: secret => {
    const trimmed = trim(secret)
    const bare = trimmed.replace(/^whsec_/, '')
    return [
      { key: keyOf('standard', secret), problems: [] },
      { key: keyOf('standard', trimmed), problems: [secretPadded] },
      ...[`whsec_${bare}`, bare].map(key => ({
        key,
        problems: [
          problem(
            'key_not_decoded',
            'webhook-signature was signed with the text of the secret. Decode the part after "whsec_" from base64.',
          ),
        ],
      })),
    ]
  },
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
