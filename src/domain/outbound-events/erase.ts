/** Erasing what endpoints were, or are still to be, told of a customer. */
import type { Sql } from '../../db/client.ts'
import type { ErasedCustomer } from '../personal.ts'
import { erasedFieldsOf, outboundEventTypes } from './schema.ts'

const erasedByType = Object.fromEntries(outboundEventTypes.map(type => [type, erasedFieldsOf(type)]))

/**
 * Which events tell of a customer (workspace_id, id, type, data, sent_to): those that say so, and those that a process of
 * an earlier release wrote, which name the customer or a conversation of theirs, or are named by an entry of the ledger.
 */
export const tellingOf = (sql: Sql, { workspaceId, customerId }: ErasedCustomer) => sql`
  select e.workspace_id, e.id, e.type, e.data, e.sent_to from outbound_events e
  where e.workspace_id = ${workspaceId} and e.tells_of = ${customerId}
  union all
  select e.workspace_id, e.id, e.type, e.data, e.sent_to from outbound_events e
  where e.workspace_id = ${workspaceId} and e.tells_of is null
    and (e.data ? 'customerId' or e.data ->> 'detail' is not null)
    and coalesce(e.data ->> 'customerId', e.data ->> 'conversationId') = any (array[${customerId}::text] || array(
      select co.id::text from conversations co where co.workspace_id = ${workspaceId} and co.customer_id = ${customerId}))
  union all
  select e.workspace_id, e.id, e.type, e.data, e.sent_to
  from consents c join outbound_events e on e.workspace_id = c.workspace_id and e.id = c.outbound_event_id
  where c.workspace_id = ${workspaceId} and c.customer_id = ${customerId} and e.tells_of is null`

/** What is personal in an event, its type declares (schema.ts). Puts into each personal field of the event's type what is to stand there. */
export const eraseOutboundEventsOf = (sql: Sql, { workspaceId, customerId }: ErasedCustomer) => sql`
  with about as materialized (${tellingOf(sql, { workspaceId, customerId })})
  update outbound_events e set data = e.data || erased.fields
  from about, jsonb_each(${JSON.stringify(erasedByType)}::text::jsonb) as erased(type, fields)
  where e.workspace_id = ${workspaceId} and e.id = any(array(select id from about))
    and e.id = about.id and e.type = erased.type
    and e.data <> e.data || erased.fields`
