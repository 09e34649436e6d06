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
  with about as materialized (${selectEventsAbout(sql, { workspaceId, customerId })})
  update delivery_attempts set response_body = null
  where workspace_id = ${workspaceId} and response_body is not null and delivery_id = any(array(
    select sent.value::uuid from about, jsonb_each_text(about.sent_to) sent
    union all
    select d.id from about cross join lateral (
      select d.id from deliveries d where d.workspace_id = about.workspace_id and d.event_id = about.id and d.resent offset 0
    ) d))`
