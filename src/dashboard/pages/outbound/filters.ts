/** Filters of the outbound events list, as stored in the address. */
import { type OutboundType, outboundTypes } from '../../api/event-types.ts'

export interface OutboundFilters {
  type?: OutboundType
}

/** Reads the filters from the address and ignores invalid values. */
export const parseOutboundFilters = (search: Record<string, unknown>): OutboundFilters => {
  const type = outboundTypes.find(one => one === search.type)
  return type ? { type } : {}
}
