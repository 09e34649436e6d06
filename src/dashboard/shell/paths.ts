/** Returns the page of a record by its type, or null. Used by the search, the alerts and the traces. */
export const recordPath = (type: string, id: string): string | null => pages[type]?.(encodeURIComponent(id)) ?? null

const pages: Record<string, (id: string) => string> = {
  event: id => `/events/${id}`,
  not_accepted: id => `/not-accepted/${id}`,
  outbound_event: id => `/outbound/${id}`,
  delivery: id => `/deliveries/${id}`,
  webhook: id => `/webhooks/${id}`,
  customer: id => `/customers/${id}`,
  conversation: id => `/inbox/${id}`,
  sale: id => `/sales/${id}`,
  message: id => `/messages/${id}`,
  workflow: id => `/workflows/${id}`,
  run: id => `/runs/${id}`,
  template: id => `/templates/${id}`,
  campaign: id => `/campaigns/${id}`,
  channel: id => `/channels/${id}`,
  api_key: () => '/api-keys',
  member: id => `/team/${id}`,
  plan: () => '/settings/plan',
  allowance: () => '/settings/plan',
}

/** Search parameter that opens the form for a new record over its list, for example `/team?new=true`. */
export interface NewForm {
  new?: true
}

export const parseNewForm = (search: Record<string, unknown>): NewForm =>
  String(search.new) === 'true' ? { new: true } : {}
