import type { RegisteredRouter } from '@tanstack/react-router'

/** Path of a page without parameters. */
export type PagePath = '/' | Exclude<keyof RegisteredRouter['routesByPath'], `${string}$${string}` | `${string}/`>

/** Pages of records by type. Used by the search, the alerts, the audit log and the traces. */
const pages = {
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
  workspace: '/settings/workspace',
  plan: '/settings/plan',
  allowance: '/settings/plan',
} as const

type RecordType = keyof typeof pages

/** Link to the page of a record. A page of all records of a type ignores the ID. */
export interface RecordLink {
  to: (typeof pages)[RecordType]
  params: { id: string }
}

export const recordLink = (type: RecordType, id: string): RecordLink => ({ to: pages[type], params: { id } })

/** Returns true for a type whose records have a page. A later release of the API can add types. */
export const hasPage = (type: string): type is RecordType => Object.hasOwn(pages, type)

/** Search parameter that opens the form for a new record over its list, for example `/team?new=true`. */
export interface NewForm {
  new?: true
}

export const parseNewForm = (search: Record<string, unknown>): NewForm =>
  String(search.new) === 'true' ? { new: true } : {}
