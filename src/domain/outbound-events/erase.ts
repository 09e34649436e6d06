/** Erasing what endpoints were, or are still to be, told of a customer. */
import type { Sql } from '../../db/client.ts'
import type { ErasedCustomer } from '../personal.ts'
import { erasedFieldsOf, outboundEventTypes } from './schema.ts'

const erasedByType = Object.fromEntries(outboundEventTypes.map(type => [type, erasedFieldsOf(type)]))

/** What is personal in an event, its type declares (schema.ts). Puts into each personal field of the event's type what is to stand there. */
export const eraseOutboundEventsOf = (sql: Sql, { workspaceId, customerId }: ErasedCustomer) => sql`
  update outbound_events e set data = e.data || erased.fields
  from jsonb_each(${JSON.stringify(erasedByType)}::text::jsonb) as erased(type, fields)
  where e.workspace_id = ${workspaceId} and e.tells_of = ${customerId} and e.type = erased.type
    and e.data <> e.data || erased.fields`
