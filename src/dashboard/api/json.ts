/**
 * JSON that keeps every digit of whole numbers, as the API does. Numbers that a double would round become bigint. All
 * other numbers stay numbers, and `JSON.stringify` writes both unchanged. Browsers from before 2025 lack the needed
 * functions, so numbers are rounded there.
 */

/** JSON functions that the TypeScript library types do not include yet. */
const exactJson = JSON as unknown as {
  /** Creates a piece of JSON that is written unchanged. */
  rawJSON?: (text: string) => object
  /** `source` is the original text of a number. */
  parse(text: string, reviver: (name: string, value: unknown, written?: { source?: string }) => unknown): unknown
}

const isExact = exactJson.rawJSON !== undefined

/** Lets `JSON.stringify` write a bigint instead of throwing. */
Object.defineProperty(BigInt.prototype, 'toJSON', {
  value(this: bigint): unknown {
    return exactJson.rawJSON?.(this.toString()) ?? Number(this)
  },
  configurable: true,
  writable: true,
})

/**
 * Parses like `JSON.parse`, but keeps every digit of whole numbers. It checks the text first, because a reviver is
 * slow.
 */
export const parseJson = (text: string): unknown =>
  isExact && mayLosePrecision(text) ? exactJson.parse(text, reviveExactNumber) : JSON.parse(text)

/** Returns true if the text has a run of 16 digits, which a double may not hold exactly. */
export const mayLosePrecision = (text: string): boolean => /\d{16}/.test(text)

const reviveExactNumber = (_name: string, value: unknown, written?: { source?: string }): unknown =>
  typeof value === 'number' && written?.source !== undefined ? toExactNumber(value, written.source) : value

/** Parses the text of a number field. */
export const parseNumber = (text: string): number | bigint =>
  isExact ? toExactNumber(Number(text), text.trim()) : Number(text)

const toExactNumber = (value: number, written: string): number | bigint =>
  !Number.isSafeInteger(value) && /^-?\d+$/.test(written) ? BigInt(written) : value
