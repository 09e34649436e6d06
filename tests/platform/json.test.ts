import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseExactly, parseJson } from '../../src/platform/json.ts'

describe('a whole number keeps every digit', () => {
  test.each([
    '9007199254740993',
    '-9007199254740993',
    '12345678901234567890',
    '1152921504606846976',
    '1000000000000000000000',
    `1${'0'.repeat(250)}7`,
  ])('%s', number => {
    expect(JSON.stringify(parseJson(`{"a":[${number}]}`))).toBe(`{"a":[${number}]}`)
  })

  test.each([
    ['1e25', '10000000000000000000000000'],
    ['-1.5E+22', '-15000000000000000000000'],
    ['9007199254740993.00', '9007199254740993'],
    ['9007199254740993e0', '9007199254740993'],
    ['900719925474099.30e1', '9007199254740993'],
  ])('written as %s it is %s, which is how PostgreSQL writes it', (written, whole) => {
    expect(JSON.stringify(parseExactly(`[${written}]`))).toBe(`[${whole}]`)
  })

  test('whatever its digits, in any depth, beside any other value', () => {
    const other = fc.jsonValue().filter(value => !/\de/.test(JSON.stringify(value)))
    const whole = fc.bigInt({ min: -(10n ** 300n), max: 10n ** 300n }).map(String)
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

test('what a double holds to the digit is a number, and so is what has decimals', () => {
  const text =
    '[9007199254740991, 9007199254740994, 100000000000000000000, 0.12345678901234567, 9007199254740993.5, 2e3]'
  expect(parseExactly(text)).toEqual(JSON.parse(text))
  expect(parseJson(text)).toEqual(JSON.parse(text))
})

test('digits in texts and names stay texts and names', () => {
  expect(parseJson('{"9007199254740993":"9007199254740993"}')).toEqual({ '9007199254740993': '9007199254740993' })
})

test('a megabyte of zeros is read in the time that a megabyte takes', () => {
  const begun = performance.now()
  parseExactly(`[9007199254740993.${'0'.repeat(1_000_000)}1, 1${'0'.repeat(1_000_000)}, 0.${'0'.repeat(1_000_000)}1]`)
  expect(performance.now() - begun).toBeLessThan(2000)
})
