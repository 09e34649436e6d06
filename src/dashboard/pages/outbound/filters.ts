/** Filters of the outbound events list, as stored in the address. */
import { type OutboundType, outboundTypes } from '../../api/event-types.ts'
import { listParams } from '../../api/pages.ts'
import {
  type Preset,
  parseTimeRange,
  type TimeRange,
  toTimeQuery,
  withDefaultRange,
} from '../../ui/time-range/time-range.ts'

/** Time range while the address has none. */
export const defaultRange: Preset = '30d'

export interface OutboundFilters extends TimeRange {
  type?: OutboundType
}

/** Reads the filters from the address and ignores invalid values. */
export const parseOutboundFilters = (search: Record<string, unknown>): OutboundFilters => {
  const type = outboundTypes.find(one => one === search.type)
  return { ...parseTimeRange(search), ...(type && { type }) }
}

/** Returns the parameters of the list, shared by its page and by the prefetch. */
export const outboundParams = ({ type, ...range }: OutboundFilters) =>
  listParams({ ...(type && { type }), ...toTimeQuery(withDefaultRange(range, defaultRange)) })
