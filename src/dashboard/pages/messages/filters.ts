/** Filters of the messages list, as stored in the address. */
import { parseTimeRange, type TimeRange, toTimeQuery } from '../../ui/time-range/time-range.ts'
import { isId } from '../customers/filters.ts'

export interface MessageFilters extends TimeRange {
  customerId?: string
}

/** Reads the filters from the address and ignores invalid values. */
export const parseMessageFilters = (search: Record<string, unknown>): MessageFilters => ({
  ...(isId(search.customerId) && { customerId: search.customerId }),
  ...parseTimeRange(search),
})

export const toMessageQuery = ({ customerId, ...range }: MessageFilters) => ({
  ...(customerId !== undefined && { customerId }),
  ...toTimeQuery(range),
})
