/** What the deliveries of an endpoint can be narrowed down to, as it stands in the address. */
export const deliveryStatuses = ['pending', 'retrying', 'delivered', 'failed'] as const

/** What an endpoint can be told of. */
export const subscribable = [
  'message.received',
  'message.status',
  'sale.created',
  'customer.opted_out',
  'campaign.completed',
] as const
export type Subscribable = (typeof subscribable)[number]

/** And what a delivery can be about: a ping is sent to try an endpoint. */
export const deliverable = [...subscribable, 'ping'] as const

export interface DeliveryFilters {
  status?: (typeof deliveryStatuses)[number]
  eventType?: (typeof deliverable)[number]
}

/** What is no filter is left out. */
export const deliveryFilters = (search: Record<string, unknown>): DeliveryFilters => {
  const status = deliveryStatuses.find(one => one === search.status)
  const eventType = deliverable.find(one => one === search.eventType)
  return { ...(status && { status }), ...(eventType && { eventType }) }
}
