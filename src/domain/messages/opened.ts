/** Determines who opened a conversation. This decides whether a customer who has opted out may be answered in it. */
import type { Sql } from '../../db/client.ts'

/** SQL expression over a row `co`. If the column is null, the direction of the first message decides. */
export const openedByCustomer = (sql: Sql) => sql`
  coalesce(co.opened_by_customer, (
    select m.direction = 'inbound' from messages m
    where m.workspace_id = co.workspace_id and m.conversation_id = co.id order by m.id limit 1), false)`
