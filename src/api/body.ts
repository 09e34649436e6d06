/**
 * Parses a request body into a JSON object. The checks run in this order, so that a hostile body is cheap to reject:
 * media type, size, UTF-8, nesting, JSON. Values that PostgreSQL cannot store and ambiguous values are rejected last
 * (contract 4.1).
 */
import { DomainError, invalidRequest } from '../core/errors.ts'
import { minLongDigits, parseExactlyInSlices } from '../platform/json.ts'
import type { Slices } from '../platform/slices.ts'
import { countNames, duplicateName } from './duplicate-names.ts'
import { HttpError } from './errors.ts'
import type { Body } from './limits/bodies.ts'

const maxLevels = 64
/** Maximum number of top-level fields, which is more than any operation takes. */
const maxFields = 100
/** Maximum characters of a path in an error, because the sender chooses the names. */
const maxPath = 200

/**
 * Estimated memory per bracket, comma and colon. Parsing creates objects, array elements and names for them. A text of
 * only brackets and commas grows by a factor of 25, which is the maximum. Strings keep their size and were already
 * counted on arrival.
 */
const bytesPerToken = 48
const maxGrowth = 28
/** Smaller amounts are not counted. Nearly every body is below this. */
const minCountedBytes = 16 * 1024

/** Reads the bytes of a request that must contain JSON. */
export const readJson = (request: Request, body: Body, maxBytes: number): Promise<Uint8Array> => {
  requireJson(request.headers.get('content-type'))
  requireUncompressed(request.headers.get('content-encoding'))
  return body.bytes(maxBytes)
}

/**
 * Parses the bytes, which must hold a JSON object, in pieces. The estimated memory is counted with the body before
 * parsing.
 */
export function* parseJsonObject(bytes: Uint8Array, body: Pick<Body, 'acquire'>): Slices<Record<string, unknown>> {
  const text = decode(bytes)
  const { tokens, names, mayBeUnstorable, mayBeLong } = scan(text)
  const memoryBytes = Math.min(tokens * bytesPerToken, bytes.byteLength * maxGrowth)
  if (memoryBytes > minCountedBytes) body.acquire(memoryBytes)
  yield
  const value = yield* parseText(text, mayBeLong)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidRequest({ body: 'Must be a JSON object: { … }.' })
  }
  yield
  if (mayBeUnstorable) {
    rejectUnstorable(value)
    yield
  }
  // `JSON.parse` keeps only one of two equal names, so the count then differs.
  if (countNames(value, text.length > minCountedBytes) !== names) {
    yield
    yield* rejectDuplicate(text)
  }
  return value as Record<string, unknown>
}

/** Returns the top-level numbers of a valid body as they were written. */
export const digitsOf = (bytes: Uint8Array): Record<string, string> => {
  const numbersByObject = new Map<unknown, [name: string, digits: string][]>()
  const reviver = function (this: unknown, name: string, value: unknown, { source }: { source?: string }): unknown {
    if (typeof value !== 'number') return value
    const siblings = numbersByObject.get(this)
    if (siblings) siblings.push([name, source!])
    else numbersByObject.set(this, [[name, source!]])
    return value
  }
  const root: unknown = JSON.parse(decode(bytes), reviver as (name: string, value: unknown) => unknown)
  return Object.fromEntries(numbersByObject.get(root) ?? [])
}

/** Returns whether the content type is JSON. */
export const isJsonType = (contentType: string | null): boolean =>
  contentType?.split(';', 1)[0]?.trim().toLowerCase() === 'application/json'

const requireJson = (contentType: string | null): void => {
  if (isJsonType(contentType)) return
  throw new DomainError(
    'unsupported_media_type',
    'Send the body as JSON, with the header Content-Type: application/json.',
  )
}

/** Rejects compressed bodies. Decompression is not supported, because the expanded size is not declared. */
const requireUncompressed = (encoding: string | null): void => {
  if (encoding === null) return
  const unsupported = encoding.split(',').find(coding => !['identity', ''].includes(coding.trim().toLowerCase()))
  if (unsupported === undefined) return
  throw new HttpError(
    'unsupported_media_type',
    `The body has the unsupported Content-Encoding ${unsupported.trim().slice(0, maxEncoding)}. Send it uncompressed, without Content-Encoding.`,
    { 'Accept-Encoding': 'identity' },
  )
}

const maxEncoding = 40

const malformed = (message: string) => new DomainError('malformed_request', message)

const utf8 = new TextDecoder('utf-8', { fatal: true })

const decode = (bytes: Uint8Array): string => {
  if (bytes.byteLength === 0) throw malformed('The body is empty. Send a JSON object.')
  try {
    return utf8.decode(bytes)
  } catch {
    throw malformed('The body is not valid UTF-8.')
  }
}

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const plus = 0x2b
const minus = 0x2d
const letterE = 0x65
const letterU = 0x75

/** Maximum zeros that all exponents of a body may add up to. PostgreSQL writes 1e308 with all of its zeros. */
const maxZeros = 1024 * 1024

/** A number with more digits than this, or with a longer exponent, may be too large to store. */
const safeDigits = 200
const safeExponent = 2

/** Result of the scan before parsing. */
interface Scanned {
  /** Number of opening brackets, commas and colons outside strings. */
  tokens: number
  /** Number of colons outside strings. JSON has one per name. */
  names: number
  /**
   * True if the text may hold values that cannot be stored. Only an escape can produce U+0000 or a lone surrogate. Only
   * a long number or a large exponent can overflow.
   */
  mayBeUnstorable: boolean
  /** True if the text may hold an integer that a double cannot represent exactly, or that is written differently. */
  mayBeLong: boolean
}

/**
 * Counts brackets outside strings, and the commas of the top-level object. It runs before anything recursive reads the
 * text, and before tens of thousands of unknown names are parsed. Each character is read only once, which a regular
 * expression for long numbers would not guarantee. Strings are only searched for escapes.
 */
const scan = (text: string): Scanned => {
  let level = 0
  let tokens = 0
  let names = 0
  let fields = 1
  let mayBeUnstorable = false
  let mayBeLong = false
  let digits = 0
  let maxDigits = safeDigits
  let inExponent = false
  let exponent = 0
  let zeros = 0
  let nextEscape = indexOrEnd(text.indexOf('\\'), text)
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c >= 0x30 && c <= 0x39) {
      if (++digits >= minLongDigits) {
        mayBeLong = true
        if (digits > maxDigits) mayBeUnstorable = true
      }
      if (inExponent) {
        mayBeLong = true
        if (digits > maxDigits) mayBeUnstorable = true
        if (exponent < 100) {
          zeros += 9 * exponent + c - 0x30
          exponent = 10 * exponent + c - 0x30
        }
      }
    } else {
      digits = 0
      exponent = 0
      inExponent = (c | 0x20) === letterE || (inExponent && (c === plus || c === minus))
      maxDigits = (c | 0x20) === letterE || (c === plus && maxDigits === safeExponent) ? safeExponent : safeDigits
      if (c === quote) {
        if (nextEscape < i) nextEscape = indexOrEnd(text.indexOf('\\', i), text)
        let end = indexOrEnd(text.indexOf('"', i + 1), text)
        while (nextEscape < end) {
          if (text.charCodeAt(nextEscape + 1) === letterU) mayBeUnstorable = true
          else if (nextEscape + 1 === end) end = indexOrEnd(text.indexOf('"', end + 1), text)
          nextEscape = indexOrEnd(text.indexOf('\\', nextEscape + 2), text)
        }
        i = end
      } else if (c === comma) {
        tokens++
        if (level === 1 && ++fields > maxFields)
          throw invalidRequest({ body: `Has more than ${maxFields} fields or elements.` })
      } else if (c === colon) {
        tokens++
        names++
      } else if ((c | 0x20) === 0x7b) {
        tokens++
        if (++level > maxLevels) throw invalidRequest({ body: `Is nested deeper than ${maxLevels} levels.` })
      } else if ((c | 0x20) === 0x7d) level--
    }
  }
  if (zeros > maxZeros)
    throw invalidRequest({
      body: 'Contains numbers that are larger than 1 MiB when written with all digits. Shorten them.',
    })
  return { tokens, names, mayBeUnstorable, mayBeLong }
}

const indexOrEnd = (index: number, text: string): number => (index < 0 ? text.length : index)

function* parseText(text: string, mayBeLong: boolean): Slices<unknown> {
  try {
    return mayBeLong ? yield* parseExactlyInSlices(text) : JSON.parse(text)
  } catch {
    throw malformed('The body is not valid JSON.')
  }
}

/** `path` leads to the value. Joining it for each value would take longer than the checks. */
const rejectUnstorable = (value: unknown, path: (string | number)[] = []): void => {
  if (typeof value === 'string') rejectUnstorableText(value, path)
  else if (typeof value === 'number' && !Number.isFinite(value))
    throw invalidRequest({ [displayPath(path) || 'body']: 'Is a number too large to store.' })
  else if (Array.isArray(value)) for (let i = 0; i < value.length; i++) rejectUnstorableIn(value[i], path, i)
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) {
      rejectUnstorableText(key, path)
      rejectUnstorableIn(inner, path, key)
    }
}

const rejectUnstorableIn = (inner: unknown, path: (string | number)[], at: string | number): void => {
  path.push(at)
  rejectUnstorable(inner, path)
  path.pop()
}

const rejectUnstorableText = (text: string, path: (string | number)[]): void => {
  if (!text.includes('\0') && text.isWellFormed()) return
  const location = displayPath(path)
  throw invalidRequest({
    body: `Contains U+0000 or an unpaired surrogate${location === '' ? '' : ` at ${location}`}. Remove it.`,
  })
}

const displayPath = (path: (string | number)[]): string => path.join('.').slice(0, maxPath)

function* rejectDuplicate(text: string): Slices<void> {
  const duplicatePath = yield* duplicateName(text)
  if (!duplicatePath) return
  throw invalidRequest({
    // The path can contain U+0000 or a lone surrogate, because `JSON.parse` dropped this value before it was checked.
    [duplicatePath.join('.').slice(0, maxPath).toWellFormed().replaceAll('\0', '\ufffd') || 'body']:
      'Occurs more than once in its object. Send it once.',
  })
}
