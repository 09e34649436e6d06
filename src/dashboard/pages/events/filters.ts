/** What the list of events can be narrowed down to, as it stands in the address. */
export const reasons = ['no_listener', 'switched_off', 'never_published', 'not_run_for_customer'] as const

export interface EventFilters {
  type?: string
  reason?: (typeof reasons)[number]
}

/** What is no filter is left out. */
export const eventFilters = (search: Record<string, unknown>): EventFilters => {
  const reason = reasons.find(one => one === search.reason)
  return {
    ...(typeof search.type === 'string' && search.type && { type: search.type }),
    ...(reason && { reason }),
  }
}
