/** Reads the signature headers of a received delivery, of both schemes. Pure. */

/**
 * Schemes of a signature: `service` is `X-Service-Signature` (contract 13.1), `standard` is Standard Webhooks (contract
 * 13.5).
 */
export const schemes = ['service', 'standard'] as const
export type Scheme = (typeof schemes)[number]

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
  'id_missing',
  'id_not_signed',
  'key_not_decoded',
  'secret_not_standard',
] as const
export type ProblemCode = (typeof problemCodes)[number]

export interface SignatureProblem {
  code: ProblemCode
  /** The problem and its solution. Never contains the secret. */
  message: string
}

export const problem = (code: ProblemCode, message: string): SignatureProblem => ({ code, message })

/** The signature headers of one scheme. */
export interface SignatureHeaders {
  /** Time of the signature. Null if the headers have problems. */
  t: string | null
  digests: string[]
  problems: SignatureProblem[]
  /** `webhook-id`. Empty for the scheme `service`. */
  id: string
}

/** Returns the value of a header, or null if it is missing. Ignores the case of its name. */
export const findHeader = (headers: Record<string, string>, name: string): string | null =>
  Object.entries(headers)
    .find(([one]) => one.trim().toLowerCase() === name)?.[1]
    .trim() ?? null

/** Returns the schemes whose headers are present, even in part. */
export const schemesOf = (headers: Record<string, string>): Scheme[] =>
  schemes.filter(scheme => headerNames[scheme].some(name => findHeader(headers, name) !== null))

const headerNames = {
  service: ['x-service-signature'],
  standard: ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
} as const satisfies Record<Scheme, readonly string[]>

/** Reads the headers of a scheme. Names every problem that it can find without the secret and the body. */
export const readHeaders = (scheme: Scheme, headers: Record<string, string>): SignatureHeaders =>
  scheme === 'service' ? readServiceHeader(headers) : readStandardHeaders(headers)

/** Ignores fields other than `t` and `v1`, because a later version of the scheme may add some. */
const readServiceHeader = (headers: Record<string, string>): SignatureHeaders => {
  const header = findHeader(headers, 'x-service-signature')
  if (header === null) return missing('The header X-Service-Signature is missing.')
  const fields = header.split(',').map(field => {
    const [name, ...value] = field.split('=')
    return { name, value: value.join('=') }
  })
  const times = fields.filter(({ name }) => name === 't').map(({ value }) => value)
  const digests = fields.filter(({ name }) => name === 'v1').map(({ value }) => value)
  const problems = [...problemsOfTimes(times), ...problemsOfHexDigests(digests, header)]
  return { t: problems.length === 0 ? times[0]! : null, digests, problems, id: '' }
}

/** Ignores signatures other than `v1`: other signers send `v1a`, for example. */
const readStandardHeaders = (headers: Record<string, string>): SignatureHeaders => {
  const [id, t, header] = headerNames.standard.map(name => findHeader(headers, name))
  if (header == null) return missing('The header webhook-signature is missing.')
  const digests = header
    .split(' ')
    .filter(one => one.startsWith('v1,'))
    .map(one => one.slice('v1,'.length))
  const problems = [
    ...(id ? [] : [problem('id_missing', 'The header webhook-id is missing. It is part of the signed text.')]),
    ...(t == null
      ? [problem('timestamp_missing', 'The header webhook-timestamp is missing.')]
      : problemsOfTime(t, 'webhook-timestamp')),
    ...problemsOfBase64Digests(digests, header),
  ]
  return { t: problems.length === 0 ? t! : null, digests, problems, id: id ?? '' }
}

const missing = (message: string): SignatureHeaders => ({
  t: null,
  digests: [],
  problems: [problem('header_missing', message)],
  id: '',
})

const problemsOfTimes = (times: string[]): SignatureProblem[] => {
  const [t] = times
  if (t === undefined) return [problem('timestamp_missing', 'X-Service-Signature has no part "t=".')]
  if (times.length > 1) return [problem('timestamp_repeated', 'X-Service-Signature has "t=" more than once.')]
  return problemsOfTime(t, '"t=" of X-Service-Signature')
}

const problemsOfTime = (t: string, name: string): SignatureProblem[] => {
  if (/^[0-9]{1,11}$/.test(t)) return []
  const guess = /^[0-9]{12,}$/.test(t) ? ' It seems to be in milliseconds.' : ''
  return [problem('timestamp_malformed', `${name} must be whole unix seconds.${guess}`)]
}

const problemsOfHexDigests = (digests: string[], header: string): SignatureProblem[] => {
  if (digests.length === 0) {
    const spaced = /,\s+v1=/.test(header) ? ' There must be no space after the comma.' : ''
    return [problem('digest_missing', `X-Service-Signature has no part "v1=".${spaced}`)]
  }
  if (digests.some(isHexDigest)) return []
  return digests.map((one, index) =>
    problem(
      'digest_malformed',
      `"v1=" number ${index + 1} must be 64 lower-case hexadecimal digits, but ${describeHexFault(one)}.`,
    ),
  )
}

const isHexDigest = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)

const describeHexFault = (text: string): string => {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return 'it has capital letters'
  if (/^[0-9a-f]*$/.test(text)) return `it has ${text.length} of them`
  return 'it has other characters, as a digest in base64 would'
}

const problemsOfBase64Digests = (digests: string[], header: string): SignatureProblem[] => {
  if (digests.length === 0) {
    const hint = header.includes('v1=') ? ' It starts with "v1," and has no equals sign there.' : ''
    return [problem('digest_missing', `webhook-signature has no part "v1,".${hint}`)]
  }
  if (digests.some(isBase64Digest)) return []
  return digests.map((one, index) =>
    problem(
      'digest_malformed',
      `Signature number ${index + 1} of webhook-signature must be 44 characters of base64, but ${describeBase64Fault(one)}.`,
    ),
  )
}

const isBase64Digest = (text: string): boolean => text.length === 44 && /^[A-Za-z0-9+/]*=$/.test(text)

const describeBase64Fault = (text: string): string => {
  if (isHexDigest(text.toLowerCase())) return 'it is hexadecimal'
  if (/[_-]/.test(text)) return 'it is base64url'
  return text.includes(',') ? 'it has a comma. Separate signatures by a space' : `it has ${text.length} characters`
}
