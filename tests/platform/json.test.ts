import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseExactly, parseJson } from '../../src/platform/json.ts'

describe('an integer keeps every digit', () => {
  test.each([
    ['1e25', '10000000000000000000000000'],
    ['-1.5E+22', '-15000000000000000000000'],
    ['9007199254740993.00', '9007199254740993'],
    ['9007199254740993e0', '9007199254740993'],
    ['900719925474099.30e1', '9007199254740993'],
  ])('written as %s it is %s, as in PostgreSQL', (written, whole) => {
    expect(JSON.stringify(parseExactly(`[${written}]`))).toBe(`[${whole}]`)
  })

  test('keeps any digits, at any depth, next to any other value', () => {
    const other = fc.jsonValue().filter(value => !/\de/.test(JSON.stringify(value)))
    // Mostly from the first integer that a double cannot represent, with 16 digits, up to some that have more.
    const sizes = [10n ** 16n, 10n ** 19n, 10n ** 300n]
    const positive = fc.oneof(...sizes.map(max => fc.bigInt({ min: 2n ** 53n, max })), fc.nat().map(BigInt))
    const whole = fc.tuple(fc.constantFrom(1n, -1n), positive).map(([sign, size]) => String(sign * size))
    fc.assert(
      fc.property(whole, other, (number, other) => {
        const text = `{"x":{"number":[${number}]},"other":${JSON.stringify(other)}}`
        expect(JSON.stringify(parseJson(text))).toBe(
          JSON.stringify({ x: { number: ['?'] }, other }).replace('"?"', number),
        )
      }),
    )
  })
})

test('values that a double represents exactly, and decimals, are numbers', () => {
  const text =
    '[9007199254740991, 9007199254740994, 100000000000000000000, 0.12345678901234567, 9007199254740993.5, 2e3]'
  expect(parseExactly(text)).toEqual(JSON.parse(text))
  expect(parseJson(text)).toEqual(JSON.parse(text))
})

test('a value under the name __proto__ is an ordinary value', () => {
  const value = parseExactly('{"__proto__":9007199254740993,"a":{"__proto__":[9007199254740993]}}') as object
  expect(JSON.stringify(value)).toBe('{"__proto__":9007199254740993,"a":{"__proto__":[9007199254740993]}}')
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
})

test('invalid JSON stays invalid', () => {
  const long = '9007199254740993'
  const texts = `{#:1}|{# \n: 1}|[0#]|[+#]|[.#]|[#.]|[x#]|[#-5]|[# 5]|["a"#]|[-]|["#|["\\|[#e]`.replaceAll('#', long)
  for (const text of texts.split('|')) {
    expect(() => JSON.parse(text), text).toThrow(SyntaxError)
    expect(() => parseExactly(text), text).toThrow(SyntaxError)
  }
})

/** Replaces exact integers by doubles. */
const rounded = (value: unknown): unknown => {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(rounded)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, rounded(inner)]))
}

test('reads any text like JSON.parse, except for integers that a double would change', () => {
  const piece = fc.constantFrom(...'{}[]:,"-+.eE0123456789 \\', '"a":', '12345678901234567890', 'true', 'null', '"\\""')
  const parsed = (parse: (text: string) => unknown, text: string) => {
    try {
      return JSON.stringify(rounded(parse(text)))
    } catch {
      return 'no JSON'
    }
  }
  const text = fc.oneof(
    fc.array(piece, { maxLength: 12 }).map(pieces => pieces.join('')),
    fc.json().map(json => json.replaceAll('1', '12345678901234567890')),
  )
  fc.assert(
    fc.property(text, text => expect(parsed(parseExactly, text)).toBe(parsed(JSON.parse, text))),
    { numRuns: 1000 },
  )
})

test('reads a megabyte of zeros in the time of any other megabyte', () => {
  const begun = performance.now()
  parseExactly(`[9007199254740993.${'0'.repeat(1_000_000)}1, 1${'0'.repeat(1_000_000)}, 0.${'0'.repeat(1_000_000)}1]`)
  expect(performance.now() - begun).toBeLessThan(2000)
})
