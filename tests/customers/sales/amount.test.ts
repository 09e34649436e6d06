import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { validateAmount } from '../../../src/customers/sales/index.ts'

const amountOf = (written: string, currency = 'EUR') => {
  const judged = validateAmount(written, currency)
  return 'amount' in judged ? judged.amount : judged.faults
}

test.each([
  ['0.00', 'EUR', '0.00'],
  ['129.90', 'EUR', '129.90'],
  ['1E+3', 'JPY', '1000'],
  ['12.50e1', 'EUR', '125.0'],
  ['0.5e-1', 'EUR', '0.05'],
  ['100e-2', 'EUR', '1.00'],
  ['999999999999.999', 'KWD', '999999999999.999'],
  ['0.12', 'MGA', '0.12'],
  ['0.12', 'XCG', '0.12'],
])('%s in %s is %s', (written, currency, amount) => {
  expect(amountOf(written, currency)).toBe(amount)
})

test.each([
  ...'-0 -1 +1 01 1. .5 NaN Infinity 0x10 1,50 1000000000000 1e12 1e101 1e999999999999'.split(' '),
  ...['', ' 1', '1'.repeat(101), `0.${'0'.repeat(1000)}`],
])('%s is not an amount', written => {
  const wanted = 'Must be a number from 0 to 999999999999.999, such as 129.90, not a text.'
  expect(amountOf(written)).toEqual({ amount: wanted })
})

test.each([
  ['1.999', 'EUR', 'Has 3 decimals. Amounts in EUR can have at most 2.'],
  ['1.9990', 'EUR', 'Has 4 decimals. Amounts in EUR can have at most 2.'],
  ['9007199254740.993e-1', 'EUR', 'Has 4 decimals. Amounts in EUR can have at most 2.'],
  ['1.5', 'JPY', 'Has decimals. Amounts in JPY have none: remove them.'],
  ['1.0', 'KRW', 'Has decimals. Amounts in KRW have none: remove them.'],
  ['1.2345', 'CLF', 'Has 4 decimals. Amounts in CLF can have at most 3.'],
])('%s is not an amount in %s', (written, currency, amount) => {
  expect(amountOf(written, currency)).toEqual({ amount })
})

test.each([...' XXQ eur EURO BTC constructor DEM HRK BGN CUC ANG SLL ZWL LTL MRO STD VEF BYR ZMK'.split(' ')])(
  '%j is not a current currency',
  currency => {
    const wanted = 'Must be a current ISO 4217 currency code in capital letters, such as EUR.'
    expect(amountOf('1', currency)).toEqual({ currency: wanted })
  },
)

test.each('XCG ZWG SLE MRU STN VES VED BYN ZMW EUR'.split(' '))('%s is a current currency', one => {
  expect(amountOf('1', one)).toBe('1')
})

test('reports errors in the amount and the currency together', () => {
  expect(Object.keys(amountOf('1.2345', 'DEM') as object)).toEqual(['amount', 'currency'])
})

const decimals = { JPY: 0, EUR: 2, KWD: 3 }
const whole = fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9][0-9]{0,11}$/))
const number = fc
  .tuple(whole, fc.stringMatching(/^[0-9]{0,3}$/))
  .map(([before, after]) => (after === '' ? before : `${before}.${after}`))

test('any digits are kept exactly', () => {
  fc.assert(
    fc.property(number, fc.constantFrom('JPY', 'EUR', 'KWD'), (written, currency) => {
      const isFine = (written.split('.')[1] ?? '').length <= decimals[currency]
      expect(amountOf(written, currency)).toEqual(isFine ? written : { amount: expect.stringContaining(currency) })
    }),
  )
})

test('any digits with an exponent only move the decimal point', () => {
  fc.assert(
    fc.property(number, fc.integer({ min: -3, max: 3 }), (digits, exponent) => {
      const amount = amountOf(`${digits}e${exponent}`, 'KWD')
      if (typeof amount !== 'string') return
      expect(Number(amount)).toBe(Number(`${digits}e${exponent}`))
      expect(amount).toMatch(/^(0|[1-9][0-9]{0,11})(\.[0-9]{1,3})?$/)
    }),
  )
})
