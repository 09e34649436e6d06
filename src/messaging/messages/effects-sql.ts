/**
 * SQL fragments for what a customer did after a message. They read `m` (conversation_id, customer_id) with the columns
 * of `effectPeriod`. Rows recorded from `sent_at` until before `until` count. Each is false if `sent_at` is null.
 * `offset 0` makes the planner use one index lookup per message.
 */
import { minIdAt } from '../../core/ids.ts'
import type { Fragment, Sql } from '../../platform/postgres/client.ts'
import { minIdOf } from '../../platform/postgres/ids.ts'

/**
 * Maximum time between the id of a row and its time. Ids are made before the row is written, by an estimate of the
 * database's time.
 */
const idMarginMs = 10_000
const idMargin = `${idMarginMs} milliseconds`

/** Columns of `messages m`: the period in which effects count, and the range of the ids of such rows. */
export const effectPeriod = (sql: Sql, withinMs: number): Fragment => {
  const until = sql`m.sent_at + ${withinMs}::double precision * interval '1 millisecond'`
  return sql`m.sent_at, ${until} as until, ${minIdOf(sql, sql`m.sent_at - ${idMargin}::interval`)} as from_id,
    ${minIdOf(sql, sql`${until} + ${idMargin}::interval`)} as until_id`
}

/**
 * SQL expression: whether the customer wrote in the conversation. Messages from an opt-out on, such as STOP, do not
 * count: the ledger has the time of the transaction that recorded the message. `condition` is empty, or ` and` with a
 * condition on the first message `i` of the customer.
 */
export const hasReplied = (sql: Sql, workspaceId: string, condition = sql``): Fragment => sql`
  exists (
    select from (
      select i.created_at from messages i
      where i.workspace_id = ${workspaceId} and i.conversation_id = m.conversation_id and i.id > m.from_id
        and i.id < m.until_id and i.direction = 'inbound' and i.created_at >= m.sent_at and i.created_at < m.until
      order by i.created_at limit 1
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
  where s.workspace_id = ${workspaceId} and s.customer_id = m.customer_id and s.id >= m.from_id and s.id < m.until_id
    and s.created_at >= m.sent_at and s.created_at < m.until and s.voided_at is null`

/** The effects to read: those of a period, and the replies on a channel. */
export interface EffectRange {
  workspaceId: string
  channelId: string
  from: Date
  until: Date
}

/**
 * SQL queries for what all customers did in a period: `inbound` (customer_id, conversation_id, at), `optOuts`
 * (customer_id, at) and `sales` (customer_id, at, currency, amount) that are not voided. Each reads an index on time.
 */
export const effectsIn = (sql: Sql, { workspaceId, channelId, from, until }: EffectRange) => {
  const [fromId, untilId] = [minIdAt(new Date(+from - idMarginMs)), minIdAt(new Date(+until + idMarginMs))]
  return {
    inbound: sql`
      select i.customer_id, i.conversation_id, i.created_at as at from messages i
      where i.workspace_id = ${workspaceId} and i.channel_id = ${channelId} and i.direction = 'inbound'
        and i.sent_by is null and i.id >= ${fromId} and i.id < ${untilId}`,
    optOuts: sql`
      select o.customer_id, o.at from consents o
      where o.workspace_id = ${workspaceId} and o.kind = 'opt_out' and o.at >= ${from} and o.at < ${until}`,
    sales: sql`
      select s.customer_id, s.created_at as at, s.currency, s.amount from sales s
      where s.workspace_id = ${workspaceId} and s.id >= ${fromId} and s.id < ${untilId} and s.voided_at is null`,
  }
}
