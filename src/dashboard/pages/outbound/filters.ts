/** Filters of the outbound events list, as stored in the address. */
export const types = [
  'message.received',
  'message.status',
  'sale.created',
  'customer.opted_out',
  'campaign.completed',
  'ping',
] as const

export interface OutboundFilters {
  type?: (typeof types)[number]
}

/** Reads the filters from the address and ignores invalid values. */
export const outboundFilters = (search: Record<string, unknown>): OutboundFilters => {
  const type = types.find(one => one === search.type)
  return type ? { type } : {}
}
