/** What the list of outbound events can be narrowed down to, as it stands in the address. */
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

/** What is no filter is left out. */
export const outboundFilters = (search: Record<string, unknown>): OutboundFilters => {
  const type = types.find(one => one === search.type)
  return type ? { type } : {}
}
