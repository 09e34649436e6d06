/** Filters of an endpoint's deliveries, as stored in the address. */
export const deliveryStatuses = ['pending', 'retrying', 'delivered', 'failed'] as const

/** Event types that an endpoint can subscribe to. */
export const subscribable = [
  'message.received',
  'message.status',
  'sale.created',
  'customer.opted_out',
  'campaign.completed',
] as const
export type Subscribable = (typeof subscribable)[number]

/** Event types of deliveries. A `ping` tests an endpoint. */
export const deliverable = [...subscribable, 'ping'] as const

export interface DeliveryFilters {
  status?: (typeof deliveryStatuses)[number]
  eventType?: (typeof deliverable)[number]
}

/** Reads the filters from the address and ignores invalid values. */
export const deliveryFilters = (search: Record<string, unknown>): DeliveryFilters => {
  const status = deliveryStatuses.find(one => one === search.status)
  const eventType = deliverable.find(one => one === search.eventType)
  return { ...(status && { status }), ...(eventType && { eventType }) }
}
