/** Erases personal data of a customer in outbound events, delivered or not. */

import type { ErasedCustomer } from '../../core/personal-data.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { erasedFieldsOf, outboundEventTypes } from './schema.ts'

const erasedByType = Object.fromEntries(outboundEventTypes.map(type => [type, erasedFieldsOf(type)]))

/** Selects the events about a customer (workspace_id, id, type, data, sent_to). */
export const selectEventsAbout = (sql: Sql, { workspaceId, customerId }: ErasedCustomer) => sql`
  select e.workspace_id, e.id, e.type, e.data, e.sent_to from outbound_events e
  where e.workspace_id = ${workspaceId} and e.data_subject_id = ${customerId}`

/**
 * Replaces each personal field of the customer's events with its erased value. The event type declares its personal
 * fields (schema.ts).
 */
export const eraseOutboundEventsOf = (sql: Sql, { workspaceId, customerId }: ErasedCustomer) => sql`
  with personal_events as materialized (${selectEventsAbout(sql, { workspaceId, customerId })})
  update outbound_events e set data = e.data || erased.fields
  from personal_events, jsonb_each(${JSON.stringify(erasedByType)}::text::jsonb) as erased(type, fields)
  where e.workspace_id = ${workspaceId} and e.id = any(array(select id from personal_events))
    and e.id = personal_events.id and e.type = erased.type
    and e.data <> e.data || erased.fields`
