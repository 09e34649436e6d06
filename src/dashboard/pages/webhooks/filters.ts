/** Filters of an endpoint's deliveries, as stored in the address. */
import { type OutboundType, outboundTypes } from '../../api/event-types.ts'

export const deliveryStatuses = ['pending', 'retrying', 'delivered', 'failed'] as const

export interface DeliveryFilters {
  status?: (typeof deliveryStatuses)[number]
  eventType?: OutboundType
}

/** Reads the filters from the address and ignores invalid values. */
export const parseDeliveryFilters = (search: Record<string, unknown>): DeliveryFilters => {
  const status = deliveryStatuses.find(one => one === search.status)
  const eventType = outboundTypes.find(one => one === search.eventType)
  return { ...(status && { status }), ...(eventType && { eventType }) }
}
