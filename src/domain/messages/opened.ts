/** Who opened a conversation: that decides whether somebody who has opted out may be answered there. */
import type { Sql } from '../../db/client.ts'

/** Of a row `co`. Where that was not written down, whoever wrote its first message has. */
export const openedByCustomer = (sql: Sql) => sql`
  coalesce(co.opened_by_customer, (
    select m.direction = 'inbound' from messages m
    where m.workspace_id = co.workspace_id and m.conversation_id = co.id order by m.id limit 1), false)`
