/** Filters of the rejected events, as stored in the address. */
import { parseTimeRange, type TimeRange } from '../../ui/time-range/time-range.ts'

export type RejectedEventFilters = TimeRange

/** Reads the filters from the address and ignores invalid values. */
export const parseRejectedEventFilters = (search: Record<string, unknown>): RejectedEventFilters =>
  parseTimeRange(search)
