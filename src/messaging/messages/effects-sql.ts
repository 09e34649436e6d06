/**
 * SQL fragments for what a customer did after a message. They read `m` (id, conversation_id, customer_id, sent_at,
 * until). Rows recorded from `sent_at` until before `until` count. Each is false if `sent_at` is null. `offset 0` makes
 * the planner use one index lookup per message.
 */
import type { Fragment, Sql } from '../../platform/postgres/client.ts'
import { minIdOf } from '../../platform/postgres/ids.ts'

/**
 * SQL expression: whether the customer wrote in the conversation. Messages from an opt-out on, such as STOP, do not
 * count: the ledger has the time of the transaction that recorded the message. `condition` is empty, or ` and` with a
 * condition on the first message `i` of the customer.
 */
export const hasReplied = (sql: Sql, workspaceId: string, condition = sql``): Fragment => sql`
  exists (
    select from (
      select i.created_at from messages i
      where i.workspace_id = ${workspaceId} and i.conversation_id = m.conversation_id and i.id > m.id
        and i.id < ${minIdOf(sql, sql`m.until`)} and i.direction = 'inbound' and i.created_at >= m.sent_at
        and i.created_at < m.until
      order by i.id limit 1
    ) i
    where not exists (select from consents o
      where o.workspace_id = ${workspaceId} and o.customer_id = m.customer_id and o.kind = 'opt_out'
        and o.at >= m.sent_at and o.at <= i.created_at)
      ${condition} offset 0)`

/** SQL expression: whether the customer opted out, in any way. */
export const hasOptedOut = (sql: Sql, workspaceId: string): Fragment => sql`
  exists (select from consents o
    where o.workspace_id = ${workspaceId} and o.customer_id = m.customer_id and o.kind = 'opt_out'
      and o.at >= m.sent_at and o.at < m.until offset 0)`

/** SQL query for the sales of the customer that are not voided (currency, amount). */
export const salesAfter = (sql: Sql, workspaceId: string): Fragment => sql`
  select s.currency, s.amount from sales s
  where s.workspace_id = ${workspaceId} and s.customer_id = m.customer_id and s.id >= ${minIdOf(sql, sql`m.sent_at`)}
    and s.id < ${minIdOf(sql, sql`m.until`)} and s.voided_at is null`
