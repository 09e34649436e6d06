/**
 * Parses and writes JSON without losing digits of integers. Integers that a double would round, or write with an
 * exponent, are bigint. All other numbers are numbers. `JSON.stringify` writes both unchanged.
 */
import { randomUUID } from 'node:crypto'
import { runSync, type Slices } from './slices.ts'

declare global {
  interface JSON {
    /** Returns an object that `JSON.stringify` writes as the given JSON text. */
    rawJSON(text: string): object
  }
}

/** Lets `JSON.stringify` write a bigint anywhere in a value instead of throwing. */
Object.defineProperty(BigInt.prototype, 'toJSON', {
  value(this: bigint): object {
    return JSON.rawJSON(this.toString())
  },
  configurable: true,
  writable: true,
})

/** Number of JSON in memory. */
export type Numeral = number | bigint

/**
 * Parses JSON like `JSON.parse`, but keeps every digit of integers. PostgreSQL writes no exponents, so a search for
 * long digit runs is enough.
 */
export const parseJson = (text: string): unknown => (longDigits.test(text) ? parseExactly(text) : JSON.parse(text))

/** Minimum length of a digit run that a double may not represent. */
export const minLongDigits = 16
const longDigits = /\d{16}/

/** Parses a text that may contain long numbers in any notation. */
export const parseExactly = (text: string): unknown => runSync(parseExactlyInSlices(text))

/**
 * Parses like `parseExactly`, in pieces.
 *
 * Long numbers are replaced by unique strings before parsing and put back afterwards. A reviver would be called for
 * every value, and takes ten times as long.
 */
export function* parseExactlyInSlices(text: string): Slices<unknown> {
  const { marked, bigints } = yield* markBigints(text)
  yield
  const value: unknown = JSON.parse(marked)
  if (bigints.length === 0) return value
  yield
  return restoreBigints(value, bigints)
}

/** Random prefix of the strings that replace long numbers. No caller can know it. */
const marker = randomUUID()

const quote = 0x22
const backslash = 0x5c
const colon = 0x3a
const minus = 0x2d

/** Number of long integers that are replaced without interruption. */
const wholesPerPiece = 4096

/** Returns the text with each bigint replaced by a mark, and the bigints in order. */
function* markBigints(text: string): Slices<{ marked: string; bigints: bigint[] }> {
  const bigints: bigint[] = []
  let marked = ''
  let copied = 0
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === quote) i = endOfText(text, i)
    else if (c === minus || isDigit(c)) {
      const end = endOfNumber(text, i)
      const integer = parseBigintAt(text, i, end)
      if (integer !== null) {
        marked += `${text.slice(copied, i)}"${marker}${bigints.length}"`
        bigints.push(integer)
        copied = end
        if (bigints.length % wholesPerPiece === 0) yield
      }
      i = end - 1
    }
  }
  return { marked: marked + text.slice(copied), bigints }
}

const isDigit = (c: number): boolean => c >= 0x30 && c <= 0x39

/** Returns the index of the closing quote of the string that begins here, or the end of the text. */
export const endOfText = (text: string, start: number): number => {
  let end = start + 1
  for (let c = text.charCodeAt(end); end < text.length && c !== quote; c = text.charCodeAt(end))
    end += c === backslash ? 2 : 1
  return end
}

/** Returns the index after all characters that can belong to a number. */
const endOfNumber = (text: string, start: number): number => {
  let end = start + 1
  while (end < text.length && (isDigit(text.charCodeAt(end)) || '+-.eE'.includes(text[end]!))) end++
  return end
}

/** Returns null for text that stays unchanged: no JSON number, a member name, or a number that a double represents. */
const parseBigintAt = (text: string, start: number, end: number): bigint | null => {
  if (end - start < minLongDigits && !hasExponent(text, start, end)) return null
  const written = text.slice(start, end)
  if (!jsonNumber.test(written) || isName(text, end)) return null
  const numeral = toNumeral(Number(written), written)
  return typeof numeral === 'bigint' ? numeral : null
}

const hasExponent = (text: string, start: number, end: number): boolean => {
  for (let i = start; i < end; i++) if ((text.charCodeAt(i) | 0x20) === 0x65) return true
  return false
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

const isName = (text: string, end: number): boolean => {
  let next = end
  while (next < text.length && text.charCodeAt(next) <= 0x20) next++
  return text.charCodeAt(next) === colon
}

const restoreBigints = (value: unknown, bigints: bigint[]): unknown => {
  if (isMark(value)) return bigints[Number(value.slice(marker.length))]
  if (Array.isArray(value)) for (let i = 0; i < value.length; i++) value[i] = restoreBigints(value[i], bigints)
  else if (typeof value === 'object' && value !== null) restoreFields(value as Record<string, unknown>, bigints)
  return value
}

/** Reads names only if needed, because the engine caches the names of every object shape. */
const restoreFields = (object: Record<string, unknown>, bigints: bigint[]): void => {
  let hasMark = false
  for (const inner of Object.values(object))
    if (isMark(inner)) hasMark = true
    else restoreBigints(inner, bigints)
  if (hasMark)
    for (const name of Object.keys(object))
      if (isMark(object[name])) object[name] = restoreBigints(object[name], bigints)
}

const isMark = (value: unknown): value is string => typeof value === 'string' && value.startsWith(marker)

/** Returns the number, or a bigint with all its digits if it is an integer that a double would change. */
export const toNumeral = (value: number, written: string): Numeral => {
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER || !Number.isFinite(value)) return value
  const digits = integerDigits(written)
  return digits === null || digits === String(value) ? value : BigInt(digits)
}

const numeral = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]\+?(\d+))?$/

/**
 * Returns the digits without a point or exponent, or null for a number with decimals. The value is finite, so it has at
 * most a few hundred digits.
 */
const integerDigits = (written: string): string | null => {
  const [, sign, integer, fraction = '', power = '0'] = numeral.exec(written) ?? []
  if (integer === undefined) return null
  const decimals = trimTrailingZeros(fraction)
  const zeros = Number(power) - decimals.length
  return zeros < 0 ? null : `${sign}${trimLeadingZeros(`${integer}${decimals}`)}${'0'.repeat(zeros)}`
}

const trimLeadingZeros = (digits: string): string => {
  let begin = 0
  while (begin < digits.length - 1 && digits[begin] === '0') begin++
  return digits.slice(begin)
}

/** Avoids a regular expression, which would scan to the end again at every zero of a long run. */
const trimTrailingZeros = (digits: string): string => {
  let end = digits.length
  while (end > 0 && digits[end - 1] === '0') end--
  return digits.slice(0, end)
}
