/** Erasing what receivers answered to what they were told of a customer. */
import type { Sql } from '../../db/client.ts'
import type { ErasedCustomer, PersonalColumns } from '../personal.ts'

export const personalInDeliveries: PersonalColumns = { delivery_attempts: ['response_body'] }

export const eraseAnswersOf = (sql: Sql, { workspaceId, customerId }: ErasedCustomer) => sql`
  with told as materialized (
    select e.workspace_id, sent.value::uuid as delivery_id
    from outbound_events e, jsonb_each_text(e.sent_to) sent
    where e.workspace_id = ${workspaceId} and e.tells_of = ${customerId}
  )
  update delivery_attempts a set response_body = null
  from told
  where a.workspace_id = told.workspace_id and a.delivery_id = told.delivery_id and a.response_body is not null`
