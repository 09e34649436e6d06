/** Erasing what receivers answered to what they were told of a customer. */
import type { Sql } from '../../db/client.ts'
import { tellingOf } from '../outbound-events/index.ts'
import type { ErasedCustomer, PersonalColumns } from '../personal.ts'

export const personalInDeliveries: PersonalColumns = { delivery_attempts: ['response_body'] }

export const eraseAnswersOf = (sql: Sql, person: ErasedCustomer) => sql`
  with told as materialized (
    select about.workspace_id, sent.value::uuid as delivery_id
    from (${tellingOf(sql, person)}) about, jsonb_each_text(about.sent_to) sent
  )
  update delivery_attempts a set response_body = null
  from told
  where a.workspace_id = told.workspace_id and a.delivery_id = told.delivery_id and a.response_body is not null`
