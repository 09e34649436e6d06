/**
 * JSON whose whole numbers keep every digit. Those that a double would round, or write with an exponent, are bigint; all
 * others are numbers as ever. `JSON.stringify` writes either as it came.
 */

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
const longDigits = new RegExp(`\\d{${fewestLongDigits}}`)

/** The same of a text in which there may be long numbers, in any of the ways to write them. */
export const parseExactly = (text: string): unknown =>
  JSON.parse(text, kept as (name: string, value: unknown) => unknown)

const kept = (_name: string, value: unknown, { source }: { source?: string }): unknown =>
  typeof value === 'number' ? numeralOf(value, source!) : value

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
  return zeros < 0 ? null : `${sign}${`${whole}${decimals}`.replace(/^0+(?=\d)/, '')}${'0'.repeat(zeros)}`
}

/** No regular expression: each would look for the end at every zero of a long row once more. */
const withoutZerosBehind = (digits: string): string => {
  let end = digits.length
  while (end > 0 && digits[end - 1] === '0') end--
  return digits.slice(0, end)
}
