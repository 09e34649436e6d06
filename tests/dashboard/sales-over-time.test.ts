/** Tests the amounts in the chart of the sales. */
import { expect, test } from 'bun:test'
import type { Sale } from '../../src/dashboard/pages/sales/filters.ts'
import { chartRangeOf, toSaleBars } from '../../src/dashboard/pages/sales/sales-over-time.ts'
import { sumAmounts } from '../../src/dashboard/pages/sales/sum-amounts.ts'

const sale = (createdAt: string, amount: number, rest: Partial<Sale> = {}) =>
  ({ createdAt, amount, currency: 'EUR', voidedAt: null, ...rest }) as Sale

const until = '2026-11-08T00:00:00.000Z'
const sales = [
  sale('2026-11-07T09:00:00.000Z', 0.1),
  sale('2026-11-07T08:00:00.000Z', 0.2),
  sale('2026-11-06T08:00:00.000Z', 5, { currency: 'USD' }),
  sale('2026-11-05T08:00:00.000Z', 7, { voidedAt: until }),
  sale('2026-11-03T08:00:00.000Z', 12.5),
]

test('adds the sales of a day, without voided ones and other currencies', () => {
  const bars = toSaleBars(sales, chartRangeOf(sales, { until }, true), 'EUR')
  expect(bars.map(({ at, amount }) => [at.slice(0, 10), amount])).toEqual([
    ['2026-11-03', 12.5],
    ['2026-11-04', 0],
    ['2026-11-05', 0],
    ['2026-11-06', 0],
    ['2026-11-07', 0.3],
  ])
})

test('adds amounts with three decimals, and the largest amounts, exactly', () => {
  expect(sumAmounts([0.125, 0.125, 0.1, 0.2])).toBe(0.55)
  expect(sumAmounts([999_999_999_999.999, 0.001])).toBe(1_000_000_000_000)
  expect(sumAmounts([])).toBe(0)
  const dinars = [0.125, 0.125].map(amount => sale(until, amount, { currency: 'KWD' }))
  const bars = toSaleBars(dinars, chartRangeOf(dinars, { until }, true), 'KWD')
  expect(bars.map(({ amount }) => amount).filter(amount => amount > 0)).toEqual([0.25])
})

test('begins with the time range of the list, or with the first loaded sale while more can be loaded', () => {
  const filters = { since: '2026-11-01T00:00:00.000Z', until }
  expect(chartRangeOf(sales, filters, true).from).toBe('2026-11-01T00:00:00.000Z')
  expect(chartRangeOf(sales, filters, false).from).toBe('2026-11-03T00:00:00.000Z')
})

test('ends with the last loaded sale, if the oldest are loaded first', () => {
  const range = chartRangeOf(sales.toReversed(), { sort: 'oldest' }, false)
  expect(range.to).toBe('2026-11-07T23:59:59.999Z')
})
