/**
 * JSON whose whole numbers keep every digit. Those that a double would round, or write with an exponent, are bigint; all
 * others are numbers as ever. `JSON.stringify` writes either as it came.
 */
import { randomUUID } from 'node:crypto'

declare global {
  interface JSON {
    /** A piece of JSON that is written as it is. */
    rawJSON(text: string): object
  }
}

/** Without it a single long number anywhere in a value would keep all of it from being written. */
Object.defineProperty(BigInt.prototype, 'toJSON', {
  value(this: bigint): object {
    return JSON.rawJSON(this.toString())
  },
  configurable: true,
  writable: true,
})

/** A whole number of JSON as it is kept in memory. */
export type Numeral = number | bigint

/** As `JSON.parse`, with every digit of whole numbers. What PostgreSQL writes has no exponents, so that a look will do. */
export const parseJson = (text: string): unknown => (longDigits.test(text) ? parseExactly(text) : JSON.parse(text))

/** The fewest digits in a row that a double may not hold. */
export const fewestLongDigits = 16
const longDigits = /\d{16}/

/**
 * The same of a text in which there may be long numbers, in any of the ways to write them. They are parsed as texts that
 * stand nowhere else, and put in their places afterwards: a reviver is called for every value there is, and takes ten
 * times as long.
 */
export const parseExactly = (text: string): unknown => {
  const { marked, wholes } = markWholes(text)
  const value: unknown = JSON.parse(marked)
  return wholes.length === 0 ? value : filled(value, wholes)
}

/** Known to nobody outside. */
const marker = randomUUID()

const quote = 0x22
const backslash = 0x5c
const colon = 0x3a
const minus = 0x2d

/** The text with a mark for each number that is to be a bigint, and those in their order. */
const markWholes = (text: string): { marked: string; wholes: bigint[] } => {
  const wholes: bigint[] = []
  let marked = ''
  let copied = 0
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === quote) i = endOfText(text, i)
    else if (c === minus || isDigit(c)) {
      const end = endOfNumber(text, i)
      const whole = wholeAt(text, i, end)
      if (whole !== null) {
        marked += `${text.slice(copied, i)}"${marker}${wholes.length}"`
        wholes.push(whole)
        copied = end
      }
      i = end - 1
    }
  }
  return { marked: marked + text.slice(copied), wholes }
}

const isDigit = (c: number): boolean => c >= 0x30 && c <= 0x39

/** Where a text that begins here ends, be it at the end of all. */
const endOfText = (text: string, begins: number): number => {
  let end = begins + 1
  for (let c = text.charCodeAt(end); end < text.length && c !== quote; c = text.charCodeAt(end))
    end += c === backslash ? 2 : 1
  return end
}

/** Behind whatever could belong to a number. */
const endOfNumber = (text: string, begins: number): number => {
  let end = begins + 1
  while (end < text.length && (isDigit(text.charCodeAt(end)) || '+-.eE'.includes(text[end]!))) end++
  return end
}

/** Null for what stays as it is: no number of JSON, in the place of a name, or one that a double holds. */
const wholeAt = (text: string, begins: number, end: number): bigint | null => {
  if (end - begins < fewestLongDigits && !hasExponent(text, begins, end)) return null
  const written = text.slice(begins, end)
  if (!jsonNumber.test(written) || isName(text, end)) return null
  const numeral = numeralOf(Number(written), written)
  return typeof numeral === 'bigint' ? numeral : null
}

const hasExponent = (text: string, begins: number, end: number): boolean => {
  for (let i = begins; i < end; i++) if ((text.charCodeAt(i) | 0x20) === 0x65) return true
  return false
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

const isName = (text: string, end: number): boolean => {
  let next = end
  while (next < text.length && text.charCodeAt(next) <= 0x20) next++
  return text.charCodeAt(next) === colon
}

const filled = (value: unknown, wholes: bigint[]): unknown => {
  if (isMark(value)) return wholes[Number(value.slice(marker.length))]
  if (Array.isArray(value)) for (let i = 0; i < value.length; i++) value[i] = filled(value[i], wholes)
  else if (typeof value === 'object' && value !== null) fillFields(value as Record<string, unknown>, wholes)
  return value
}

/** Names are asked for only where they are needed: for objects of a great many shapes they would be kept. */
const fillFields = (object: Record<string, unknown>, wholes: bigint[]): void => {
  let hasMark = false
  for (const inner of Object.values(object))
    if (isMark(inner)) hasMark = true
    else filled(inner, wholes)
  if (hasMark)
    for (const name of Object.keys(object)) if (isMark(object[name])) object[name] = filled(object[name], wholes)
}

const isMark = (value: unknown): value is string => typeof value === 'string' && value.startsWith(marker)

/** The number, or all of its digits where it is a whole one that a double would change. */
export const numeralOf = (value: number, written: string): Numeral => {
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER || !Number.isFinite(value)) return value
  const digits = wholeDigits(written)
  return digits === null || digits === String(value) ? value : BigInt(digits)
}

const numeral = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]\+?(\d+))?$/

/** Written out without a point or an exponent; null where it has decimals. It is finite, so it has few hundred digits. */
const wholeDigits = (written: string): string | null => {
  const [, sign, whole, fraction = '', power = '0'] = numeral.exec(written) ?? []
  if (whole === undefined) return null
  const decimals = withoutZerosBehind(fraction)
  const zeros = Number(power) - decimals.length
  return zeros < 0 ? null : `${sign}${withoutZerosInFront(`${whole}${decimals}`)}${'0'.repeat(zeros)}`
}

const withoutZerosInFront = (digits: string): string => {
  let begin = 0
  while (begin < digits.length - 1 && digits[begin] === '0') begin++
  return digits.slice(begin)
}

/** No regular expression: each would look for the end at every zero of a long row once more. */
const withoutZerosBehind = (digits: string): string => {
  let end = digits.length
  while (end > 0 && digits[end - 1] === '0') end--
  return digits.slice(0, end)
}
