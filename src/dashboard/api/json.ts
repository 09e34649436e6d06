/**
 * JSON whose whole numbers keep every digit, as the interface keeps them: those that a double would round are bigint, all
 * others are numbers as ever, and `JSON.stringify` writes either as it came. Browsers from before 2025 know no way to do
 * so, and round.
 */

/** What the types of the language do not know yet. */
const exactJson = JSON as unknown as {
  /** A piece of JSON that is written as it is. */
  rawJSON?: (text: string) => object
  /** Of a number, `source` is how it stands in the text. */
  parse(text: string, reviver: (name: string, value: unknown, written?: { source?: string }) => unknown): unknown
}

const isExact = exactJson.rawJSON !== undefined

/** Without it a single long number anywhere in a value would keep all of it from being written. */
Object.defineProperty(BigInt.prototype, 'toJSON', {
  value(this: bigint): unknown {
    return exactJson.rawJSON?.(this.toString()) ?? Number(this)
  },
  configurable: true,
  writable: true,
})

/** As `JSON.parse`, with every digit of whole numbers. A look comes first: to be asked of each value takes its time. */
export const parseJson = (text: string): unknown =>
  isExact && mayBeRounded(text) ? exactJson.parse(text, exactly) : JSON.parse(text)

/** Whether it has as many digits in a row as a double may not hold. */
export const mayBeRounded = (text: string): boolean => /\d{16}/.test(text)

const exactly = (_name: string, value: unknown, written?: { source?: string }): unknown =>
  typeof value === 'number' && written?.source !== undefined ? numeralOf(value, written.source) : value

/** What somebody typed where a number is wanted. */
export const numberOf = (text: string): number | bigint =>
  isExact ? numeralOf(Number(text), text.trim()) : Number(text)

const numeralOf = (value: number, written: string): number | bigint =>
  !Number.isSafeInteger(value) && /^-?\d+$/.test(written) ? BigInt(written) : value
