import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { validateAmount } from '../../../src/customers/sales/index.ts'

const amountOf = (written: string, currency = 'EUR') => {
  const judged = validateAmount(written, currency)
  return 'amount' in judged ? judged.amount : judged.faults
}

const wanted = 'Must be a number from 0 to 999999999999.999, such as 129.90, not a text.'

test.each([
  ['0', 'EUR', '0'],
  ['0.00', 'EUR', '0.00'],
  ['129.9', 'EUR', '129.9'],
  ['129.90', 'EUR', '129.90'],
  ['1e3', 'EUR', '1000'],
  ['1E+3', 'JPY', '1000'],
  ['1.5e1', 'JPY', '15'],
  ['12.50e1', 'EUR', '125.0'],
  ['1e-2', 'EUR', '0.01'],
  ['0.5e-1', 'EUR', '0.05'],
  ['100e-2', 'EUR', '1.00'],
  ['999999999999.99', 'EUR', '999999999999.99'],
  ['999999999999.999', 'KWD', '999999999999.999'],
  ['0.001', 'BHD', '0.001'],
  ['9007199254740.993e-1', 'EUR', { amount: 'Has 4 decimals. Amounts in EUR can have at most 2.' }],
  ['900719925474.993', 'TND', '900719925474.993'],
  ['0.12', 'MGA', '0.12'],
  ['0.12', 'XCG', '0.12'],
])('%s in %s is %j', (written, currency, amount) => {
  expect(amountOf(written, currency)).toEqual(amount)
})

test.each([
  ['-0', wanted],
  ['-1', wanted],
  ['+1', wanted],
  ['01', wanted],
  ['1.', wanted],
  ['.5', wanted],
  ['', wanted],
  ['NaN', wanted],
  ['Infinity', wanted],
  ['0x10', wanted],
  ['1,50', wanted],
  [' 1', wanted],
  ['1000000000000', wanted],
  ['1e12', wanted],
  ['1e101', wanted],
  ['1e999999999999', wanted],
  ['1'.repeat(101), wanted],
  [`0.${'0'.repeat(1000)}`, wanted],
  ['1.999', 'Has 3 decimals. Amounts in EUR can have at most 2.'],
  ['1.9990', 'Has 4 decimals. Amounts in EUR can have at most 2.'],
])('%s is not an amount in EUR', (written, reason) => {
  expect(amountOf(written)).toEqual({ amount: reason })
})

test.each([
  ['1.5', 'JPY', { amount: 'Has decimals. Amounts in JPY have none: remove them.' }],
  ['1.0', 'KRW', { amount: 'Has decimals. Amounts in KRW have none: remove them.' }],
  ['1.2345', 'KWD', { amount: 'Has 4 decimals. Amounts in KWD can have at most 3.' }],
  ['1.2345', 'CLF', { amount: 'Has 4 decimals. Amounts in CLF can have at most 3.' }],
])('%s is not an amount in %s', (written, currency, faults) => {
  expect(amountOf(written, currency)).toEqual(faults)
})

test.each([
  ...['XXQ', 'eur', 'EURO', '', 'BTC', 'constructor'],
  ...['DEM', 'HRK', 'BGN', 'CUC', 'ANG', 'SLL', 'ZWL', 'LTL', 'MRO', 'STD', 'VEF', 'BYR', 'ZMK'],
])('%j is not a current currency', currency => {
  expect(amountOf('1', currency)).toEqual({
    currency: 'Must be a current ISO 4217 currency code in capital letters, such as EUR.',
  })
})

test('reports errors in the amount and the currency together', () => {
  expect(Object.keys(amountOf('1.2345', 'DEM') as object)).toEqual(['amount', 'currency'])
})

describe('any digits', () => {
  const decimals = { JPY: 0, EUR: 2, KWD: 3 }
  const digits = (max: number, min = 0) => fc.stringMatching(new RegExp(`^[0-9]{${min},${max}}$`))
  const whole = fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9][0-9]{0,11}$/))

  test('are kept exactly', () => {
    fc.assert(
      fc.property(whole, digits(3), fc.constantFrom('JPY', 'EUR', 'KWD'), (before, after, currency) => {
        const written = after === '' ? before : `${before}.${after}`
        const judged = validateAmount(written, currency)
        if (after.length <= decimals[currency as keyof typeof decimals]) expect(judged).toEqual({ amount: written })
        else expect(judged).toEqual({ faults: { amount: expect.stringContaining(currency) } })
      }),
    )
  })

  test('with an exponent only move the decimal point', () => {
    fc.assert(
      fc.property(whole, digits(3), fc.integer({ min: -3, max: 3 }), (before, after, exponent) => {
        const written = `${after === '' ? before : `${before}.${after}`}e${exponent}`
        const judged = validateAmount(written, 'KWD')
        if (!('amount' in judged)) return
        expect(Number(judged.amount)).toBe(Number(written))
        expect(judged.amount).toMatch(/^(0|[1-9][0-9]{0,11})(\.[0-9]{1,3})?$/)
      }),
    )
  })
})

test.each(['XCG', 'ZWG', 'SLE', 'MRU', 'STN', 'VES', 'VED', 'BYN', 'ZMW', 'EUR'])(
  '%s is a current currency',
  currency => {
    expect(validateAmount('1', currency)).toEqual({ amount: '1' })
  },
)
