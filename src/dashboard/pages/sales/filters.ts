/** Filters and order of the sales list, as stored in the address. */
import type { Schemas } from '../../api/client.ts'
import { listParams } from '../../api/pages.ts'
import { parseSort, type Sorted } from '../../ui/list/sort.ts'
import { parseTimeRange, type TimeRange, toTimeQuery } from '../../ui/time-range/time-range.ts'
import { isId } from '../customers/filters.ts'
import { sumAmounts } from './sum-amounts.ts'

export type Sale = Schemas['Sale']

export interface SaleFilters extends TimeRange, Sorted {
  customerId?: string
  markedBy?: Sale['markedBy']['type']
  voided?: 'true' | 'false'
}

/** Whether only voided sales are listed, or only the others. */
export const states = ['false', 'true'] as const
export const origins = ['user', 'workflow'] as const

/** Reads the filters from the address and ignores invalid values. */
export const parseSaleFilters = (search: Record<string, unknown>): SaleFilters => {
  const markedBy = origins.find(one => one === search.markedBy)
  const voided = states.find(one => one === String(search.voided))
  return {
    ...(isId(search.customerId) && { customerId: search.customerId }),
    ...(markedBy && { markedBy }),
    ...(voided && { voided }),
    ...parseTimeRange(search),
    ...parseSort(search),
  }
}

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
      amount: sumAmounts(all.map(({ amount }) => amount)),
      count: all.length,
    }))
    .toSorted((a, b) => b.count - a.count)
}

/** Returns the parameters of the list, shared by its page and by the prefetch. */
export const saleParams = ({ customerId, markedBy, voided, sort, ...range }: SaleFilters) => {
  const { since, until } = toTimeQuery(range)
  return listParams({
    ...(customerId && { customerId }),
    ...(markedBy && { markedBy }),
    ...(voided && { voided: voided === 'true' }),
    ...(sort && { sort }),
    ...(since && { from: since }),
    ...(until && { to: until }),
  })
}
