/**
 * Parses a request body into a JSON object. The checks run in this order, so that a hostile body is cheap to reject:
 * media type, size, UTF-8, nesting, JSON. Values that PostgreSQL cannot store and ambiguous values are rejected last
 * (contract 4.1).
 */
import { DomainError, invalidRequest } from '../domain/errors.ts'
import { fewestLongDigits, parseExactly } from '../platform/json.ts'
import type { Body } from './bodies.ts'
import { HttpError } from './errors.ts'
import { countNames, repeatedName } from './repeated-names.ts'

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
const bytesOfSign = 48
const mostOfByte = 28
/** Smaller amounts are not counted. Nearly every body is below this. */
const worthCounting = 16 * 1024

/** Reads the bytes of a request that must contain JSON. */
export const readJson = (request: Request, body: Body, maxBytes: number): Promise<Uint8Array> => {
  requireJson(request.headers.get('content-type'))
  requirePlain(request.headers.get('content-encoding'))
  return body.bytes(maxBytes)
}

/** Parses the bytes, which must hold a JSON object. The estimated memory is counted with the body before parsing. */
export const jsonObjectOf = (bytes: Uint8Array, body: Pick<Body, 'holds'>): Record<string, unknown> => {
  const text = decode(bytes)
  const { signs, names, mayBeUnstorable, mayBeLong } = scan(text)
  const inMemory = Math.min(signs * bytesOfSign, bytes.byteLength * mostOfByte)
  if (inMemory > worthCounting) body.holds(inMemory)
  const value = parse(text, mayBeLong)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidRequest({ body: 'Must be a JSON object: { … }.' })
  }
  if (mayBeUnstorable) refuseUnstorable(value)
  // `JSON.parse` keeps only one of two equal names, so the count then differs.
  if (countNames(value, text.length > worthCounting) !== names) refuseRepeated(text)
  return value as Record<string, unknown>
}

/** Returns the top-level numbers of a valid body as they were written. */
export const digitsOf = (bytes: Uint8Array): Record<string, string> => {
  const written = new Map<unknown, [name: string, digits: string][]>()
  const note = function (this: unknown, name: string, value: unknown, { source }: { source?: string }): unknown {
    if (typeof value !== 'number') return value
    const beside = written.get(this)
    if (beside) beside.push([name, source!])
    else written.set(this, [[name, source!]])
    return value
  }
  const top: unknown = JSON.parse(decode(bytes), note as (name: string, value: unknown) => unknown)
  return Object.fromEntries(written.get(top) ?? [])
}

/** Returns whether the content type is JSON. */
export const saysJson = (contentType: string | null): boolean =>
  contentType?.split(';', 1)[0]?.trim().toLowerCase() === 'application/json'

const requireJson = (contentType: string | null): void => {
  if (saysJson(contentType)) return
  throw new DomainError(
    'unsupported_media_type',
    'Send the body as JSON, with the header Content-Type: application/json.',
  )
}

/** Rejects compressed bodies. Decompression is not supported, because the expanded size is not declared. */
const requirePlain = (encoding: string | null): void => {
  if (encoding === null) return
  const other = encoding.split(',').find(one => !['identity', ''].includes(one.trim().toLowerCase()))
  if (other === undefined) return
  throw new HttpError(
    'unsupported_media_type',
    `The body is sent with Content-Encoding: ${other.trim().slice(0, maxEncoding)}, and none is expanded here; send it as it is, without Content-Encoding.`,
    { 'Accept-Encoding': 'identity' },
  )
}

const maxEncoding = 40

const malformed = (message: string) => new DomainError('malformed_request', message)

const utf8 = new TextDecoder('utf-8', { fatal: true })

const decode = (bytes: Uint8Array): string => {
  if (bytes.byteLength === 0) throw malformed('The body is empty; send a JSON object.')
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
  signs: number
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
  let signs = 0
  let names = 0
  let fields = 1
  let mayBeUnstorable = false
  let mayBeLong = false
  let digits = 0
  let mostDigits = safeDigits
  let inExponent = false
  let exponent = 0
  let zeros = 0
  let nextEscape = orEnd(text.indexOf('\\'), text)
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c >= 0x30 && c <= 0x39) {
      if (++digits >= fewestLongDigits) {
        mayBeLong = true
        if (digits > mostDigits) mayBeUnstorable = true
      }
      if (inExponent) {
        mayBeLong = true
        if (digits > mostDigits) mayBeUnstorable = true
        if (exponent < 100) {
          zeros += 9 * exponent + c - 0x30
          exponent = 10 * exponent + c - 0x30
        }
      }
    } else {
      digits = 0
      exponent = 0
      inExponent = (c | 0x20) === letterE || (inExponent && (c === plus || c === minus))
      mostDigits = (c | 0x20) === letterE || (c === plus && mostDigits === safeExponent) ? safeExponent : safeDigits
      if (c === quote) {
        if (nextEscape < i) nextEscape = orEnd(text.indexOf('\\', i), text)
        let end = orEnd(text.indexOf('"', i + 1), text)
        while (nextEscape < end) {
          if (text.charCodeAt(nextEscape + 1) === letterU) mayBeUnstorable = true
          else if (nextEscape + 1 === end) end = orEnd(text.indexOf('"', end + 1), text)
          nextEscape = orEnd(text.indexOf('\\', nextEscape + 2), text)
        }
        i = end
      } else if (c === comma) {
        signs++
        if (level === 1 && ++fields > maxFields)
          throw invalidRequest({ body: `Has more than ${maxFields} fields or elements.` })
      } else if (c === colon) {
        signs++
        names++
      } else if ((c | 0x20) === 0x7b) {
        signs++
        if (++level > maxLevels) throw invalidRequest({ body: `Is nested deeper than ${maxLevels} levels.` })
      } else if ((c | 0x20) === 0x7d) level--
    }
  }
  if (zeros > maxZeros)
    throw invalidRequest({ body: 'Holds numbers that are larger than 1 MiB when they are written out.' })
  return { signs, names, mayBeUnstorable, mayBeLong }
}

const orEnd = (found: number, text: string): number => (found < 0 ? text.length : found)

const parse = (text: string, mayBeLong: boolean): unknown => {
  try {
    return mayBeLong ? parseExactly(text) : JSON.parse(text)
  } catch {
    throw malformed('The body is not valid JSON.')
  }
}

const refuseUnstorable = (value: unknown, path = ''): void => {
  if (typeof value === 'string') refuseText(value, path)
  else if (typeof value === 'number' && !Number.isFinite(value))
    throw invalidRequest({ [path || 'body']: 'Is a number too large to be kept.' })
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      refuseText(key, path)
      refuseUnstorable(inner, (path === '' ? key : `${path}.${key}`).slice(0, maxPath))
    }
  }
}

const refuseText = (text: string, path: string): void => {
  if (!text.includes('\0') && text.isWellFormed()) return
  throw invalidRequest({
    body: `Holds U+0000 or half a surrogate pair${path === '' ? '' : ` at ${path}`}; neither can be stored.`,
  })
}

const refuseRepeated = (text: string): void => {
  const place = repeatedName(text)
  if (!place) return
  throw invalidRequest({
    // The path can contain U+0000 or a lone surrogate, because `JSON.parse` dropped this value before it was checked.
    [place.join('.').slice(0, maxPath).toWellFormed().replaceAll('\0', '\ufffd') || 'body']:
      'Is given more than once in its object; give it once.',
  })
}
