/** Erases personal data of a customer in outbound events, delivered or not. */
import type { Sql } from '../../db/client.ts'
import type { ErasedCustomer } from '../personal.ts'
import { erasedFieldsOf, outboundEventTypes } from './schema.ts'

const erasedByType = Object.fromEntries(outboundEventTypes.map(type => [type, erasedFieldsOf(type)]))

/**
 * Selects the events about a customer (workspace_id, id, type, data, sent_to). Current releases record the customer in
 * `tells_of`. Events of an earlier release are matched by the customer id or conversation id in their data, or by a row
 * of `consents`.
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

/**
 * Replaces each personal field of the customer's events with its erased value. The event type declares its personal
 * fields (schema.ts).
 */
export const eraseOutboundEventsOf = (sql: Sql, { workspaceId, customerId }: ErasedCustomer) => sql`
  with about as materialized (${tellingOf(sql, { workspaceId, customerId })})
  update outbound_events e set data = e.data || erased.fields
  from about, jsonb_each(${JSON.stringify(erasedByType)}::text::jsonb) as erased(type, fields)
  where e.workspace_id = ${workspaceId} and e.id = any(array(select id from about))
    and e.id = about.id and e.type = erased.type
    and e.data <> e.data || erased.fields`
