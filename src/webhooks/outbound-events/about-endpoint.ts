/** Events about one endpoint, which are never sent to that endpoint (contract 10.4). */
import type { Sql } from '../../platform/postgres/client.ts'
import { type OutboundEventType, typesAboutEndpoint } from './schema.ts'

const types: readonly string[] = typesAboutEndpoint

/** Returns the ID of the endpoint that an event is about. Returns null for other events. */
export const readEndpointOf = ({
  type,
  data,
}: {
  type: OutboundEventType
  data: Record<string, unknown>
}): string | null => (types.includes(type) ? String(data.webhookId) : null)

/**
 * SQL condition: `event` is about the endpoint `w`. The type is compared first, so that the data of other events is not
 * read.
 */
export const isAboutEndpoint = (sql: Sql) => sql`
  case when event.type = any(${types}::text[]) then event.data ->> 'webhookId' is not distinct from w.id::text else false end`
