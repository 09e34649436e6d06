/** Filters and order of the sales list, as stored in the address. */
import type { Schemas } from '../../api/client.ts'
import { listParams } from '../../api/pages.ts'
import { parseSort, type Sorted } from '../../ui/list/sort.ts'
import { parseTimeRange, type TimeRange, toTimeQuery } from '../../ui/time-range/time-range.ts'
import { isId } from '../customers/filters.ts'

export type Sale = Schemas['Sale']

export interface SaleFilters extends TimeRange, Sorted {
  customerId?: string
}

/** Reads the filters from the address and ignores invalid values. */
export const parseSaleFilters = (search: Record<string, unknown>): SaleFilters => ({
  ...(isId(search.customerId) && { customerId: search.customerId }),
  ...parseTimeRange(search),
  ...parseSort(search),
})

export interface SaleTotal {
  currency: string
  amount: number
  count: number
}

/** Returns the sums of the sales that are not voided, by currency, the largest number of sales first. */
export const totalsOf = (sales: readonly Sale[]): SaleTotal[] => {
  const byCurrency = Map.groupBy(
    sales.filter(({ voidedAt }) => voidedAt === null),
    ({ currency }) => currency,
  )
  return [...byCurrency]
    .map(([currency, all]) => ({
      currency,
      // Adds in hundredths, because sums of decimals are not exact.
      amount: all.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0) / 100,
      count: all.length,
    }))
    .toSorted((a, b) => b.count - a.count)
}

/** Returns the parameters of the list, shared by its page and by the prefetch. */
export const saleParams = ({ customerId, sort, ...range }: SaleFilters) => {
  const { since, until } = toTimeQuery(range)
  return listParams({
    ...(customerId && { customerId }),
    ...(sort && { sort }),
    ...(since && { from: since }),
    ...(until && { to: until }),
  })
}
