import type { RegisteredRouter } from '@tanstack/react-router'

/** Path of a route of the dashboard. */
type RoutePath = keyof RegisteredRouter['routesByPath']

/** Path of a page without parameters. */
export type PagePath = '/' | Exclude<RoutePath, `${string}$${string}` | `${string}/`>

/** Returns the page of a record by its type, or null. Used by the search, the alerts and the traces. */
export const recordPath = (type: string, id: string): string | null =>
  pages[type]?.replace('$id', encodeURIComponent(id)) ?? null

const pages: Record<string, RoutePath> = {
  event: '/events/$id',
  not_accepted: '/not-accepted/$id',
  outbound_event: '/outbound/$id',
  delivery: '/deliveries/$id',
  webhook: '/webhooks/$id',
  customer: '/customers/$id',
  conversation: '/inbox/$id',
  sale: '/sales/$id',
  message: '/messages/$id',
  workflow: '/workflows/$id',
  run: '/runs/$id',
  template: '/templates/$id',
  campaign: '/campaigns/$id',
  channel: '/channels/$id',
  api_key: '/api-keys',
  member: '/team/$id',
  plan: '/settings/plan',
  allowance: '/settings/plan',
}

/** Search parameter that opens the form for a new record over its list, for example `/team?new=true`. */
export interface NewForm {
  new?: true
}

export const parseNewForm = (search: Record<string, unknown>): NewForm =>
  String(search.new) === 'true' ? { new: true } : {}
