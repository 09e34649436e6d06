/** Sales over time, computed from the loaded rows. */
import { type ChartRange, toChartRange, withDefaultRange } from '../../ui/time-range/time-range.ts'
import type { Sale, SaleFilters } from './filters.ts'
import { sumAmounts } from './sum-amounts.ts'

/** Amount of the sales of an hour or a day. */
interface SaleBar {
  at: string
  amount: number
}

/**
 * Returns the range of the chart: the time range of the list, as far as its sales are loaded. All times start with the first
 * sale, at most 400 days ago.
 */
export const chartRangeOf = (
  sales: readonly Sale[],
  { range, since, until, sort }: SaleFilters,
  isComplete: boolean,
): ChartRange => {
  const times = sales.map(({ createdAt }) => createdAt).toSorted()
  const hasStart = (range !== undefined && range !== 'all') || since !== undefined
  if (times.length === 0 || (isComplete && hasStart))
    return toChartRange(withDefaultRange({ range, since, until }, '30d'))
  const end = !isComplete && sort === 'oldest' ? times.at(-1) : until
  return toChartRange({ since: times[0]!, ...(end !== undefined && { until: end }) })
}

const hourMs = 3_600_000

/** Returns the amounts in a currency, oldest first, with the hours or days without a sale. */
export const toSaleBars = (
  sales: readonly Sale[],
  { from, to, by }: ChartRange,
  currency: string | undefined,
): SaleBar[] => {
  const unitMs = by === 'hour' ? hourMs : 24 * hourMs
  const start = Date.parse(from)
  const bars = Array.from({ length: Math.ceil((Date.parse(to) - start) / unitMs) }, (): number[] => [])
  for (const { voidedAt, createdAt, amount, currency: other } of sales) {
    const index = Math.floor((Date.parse(createdAt) - start) / unitMs)
    if (voidedAt === null && other === currency) bars[index]?.push(amount)
  }
  return bars.map((amounts, index) => ({
    at: new Date(start + index * unitMs).toISOString(),
    amount: sumAmounts(amounts),
  }))
}
