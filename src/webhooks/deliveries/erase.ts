/** Erases the responses of receivers to outbound events about a customer. */

import type { ErasedCustomer, PersonalColumns } from '../../core/personal-data.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { selectEventsAbout } from '../outbound-events/index.ts'

export const personalInDeliveries: PersonalColumns = { delivery_attempts: ['response_body'] }

/**
 * Uses an array of ids, each of which is one index probe. With a join, PostgreSQL may read all attempts. The event does
 * not name deliveries created by sending it again, so a second query finds them.
 */
export const eraseResponsesOf = (sql: Sql, { workspaceId, customerId }: ErasedCustomer) => sql`
  with personal_events as materialized (${selectEventsAbout(sql, { workspaceId, customerId })})
  update delivery_attempts set response_body = null
  where workspace_id = ${workspaceId} and response_body is not null and delivery_id = any(array(
    select sent.value::uuid from personal_events, jsonb_each_text(personal_events.sent_to) sent
    union all
    select d.id from personal_events cross join lateral (
      select d.id from deliveries d where d.workspace_id = personal_events.workspace_id and d.event_id = personal_events.id and d.resent offset 0
    ) d))`
