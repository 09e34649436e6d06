/**
 * Queries for the results of a campaign. `countResults` looks up what each recipient of a page did after the message.
 * `countSentStatuses` and `countEffects` read a whole campaign, if customers did less than it has recipients.
 */
import type { PageRequest, Period } from '../../core/pagination.ts'
import { findLastScanned } from '../../core/scan.ts'
import type { Fragment, Sql } from '../../platform/postgres/client.ts'
import { type EffectRange, effectPeriod, effectsIn, hasOptedOut, hasReplied, salesAfter } from '../messages/index.ts'
import type { Result } from './results-schema.ts'
import type { Outcome } from './schema.ts'
import type { RecipientRow } from './sql.ts'

/** A campaign and the milliseconds after each message in which replies, opt-outs and sales count. */
export interface ResultsOf {
  workspaceId: string
  campaignId: string
  withinMs: number
}

/** Joins the message `m` of the recipient `r`, with the end of the period in which effects count. */
const joinMessage = (sql: Sql, { workspaceId, withinMs }: ResultsOf) => sql`
  left join lateral (
    select m.conversation_id, m.customer_id, m.status, m.detail, ${effectPeriod(sql, withinMs)}
    from messages m where m.workspace_id = ${workspaceId} and m.id = r.message_id and probe_index(m.id) offset 0
  ) m on true`

/** Results of a page of recipients. */
export interface ResultsPage {
  sent: number
  /** Id of the last customer of the page. Null if the page is empty. */
  last: string | null
  delivered: number
  read: number
  replied: number
  optedOut: number
  failed: { reason: string | null; count: number }[]
  /** Number of customers with a sale. */
  buyers: number
  sales: { currency: string; count: number; amount: string }[]
}

/** Maximum number of reasons that one statement returns. The rest is counted as `other`. */
const maxReasons = 200

/** CTE `reasons`: `details` (detail, count), those with the most messages first. */
const countReasons = (sql: Sql, details: Fragment) => sql`
  reasons as materialized (
    select detail, count, row_number() over (order by count desc, detail) as position from (${details}) d
  )`

const reasonsColumn = (sql: Sql) => sql`
  (select coalesce(json_agg(json_build_object('reason', reason, 'count', count)), '[]') from (
    select case when position <= ${maxReasons} then detail else 'other' end as reason, sum(count) as count
    from reasons group by 1) r) as failed`

/** Columns of the CTE `sold` (customer_id, currency, amount). */
const salesColumns = (sql: Sql) => sql`
  (select count(distinct customer_id)::integer from sold) as buyers,
  (select coalesce(json_agg(json_build_object('currency', currency, 'count', count, 'amount', amount::text)), '[]')
    from (select currency, count(*) as count, sum(amount) as amount from sold group by currency) s) as sales`

/** Counts the results of at most `limit` recipients who got a message, in the order of their ids. */
export const countResults = async (sql: Sql, p: ResultsOf, after: string, limit: number): Promise<ResultsPage> => {
  const [row] = await sql<ResultsPage[]>`
    with page as materialized (
      select r.customer_id, r.message_id from campaign_recipients r
      where r.workspace_id = ${p.workspaceId} and r.campaign_id = ${p.campaignId} and r.outcome = 'sent'
        and r.customer_id > ${after}
      order by r.customer_id limit ${limit}
    ), results as materialized (
      select m.*, ${hasReplied(sql, p.workspaceId)} as replied, ${hasOptedOut(sql, p.workspaceId)} as opted_out
      from page r ${joinMessage(sql, p)}
    ), sold as materialized (
      select m.customer_id, s.currency, s.amount from results m
      cross join lateral (${salesAfter(sql, p.workspaceId)} offset 0) s
    ), ${countReasons(sql, sql`select detail, count(*) as count from results where status = 'failed' group by detail`)}
    select (select count(*)::integer from page) as sent,
      (select customer_id from page order by customer_id desc limit 1) as last,
      count(*) filter (where status in ('delivered', 'read'))::integer as delivered,
      count(*) filter (where status = 'read')::integer as read,
      count(*) filter (where replied)::integer as replied,
      count(*) filter (where opted_out)::integer as "optedOut",
      ${reasonsColumn(sql)}, ${salesColumns(sql)}
    from results`
  return row!
}

/** Current statuses of the messages of a campaign. */
export interface StatusCounts extends Pick<ResultsPage, 'sent' | 'delivered' | 'read' | 'failed'> {
  /** Times at which the provider accepted the first and the last message. Null without one. */
  firstSentAt: Date | null
  lastSentAt: Date | null
}

/**
 * Counts the statuses of all messages of a campaign. Subtracts the few messages of recipients with another outcome than
 * `sent`, so that it does not look up a recipient for each message.
 */
export const countSentStatuses = async (sql: Sql, { workspaceId, campaignId }: ResultsOf): Promise<StatusCounts> => {
  const columns = sql`m.status, case when m.status = 'failed' then m.detail end as detail`
  const [row] = await sql<StatusCounts[]>`
    with counts as materialized (
      select status, detail, sum(count)::integer as count, min(first) as first, max(last) as last from (
        select ${columns}, count(*) as count, min(m.sent_at) as first, max(m.sent_at) as last
        from messages m
        where m.workspace_id = ${workspaceId} and m.sent_by = 'campaign' and m.sent_by_id = ${campaignId}
        group by 1, 2
        union all
        select ${columns}, -1, null, null
        from (${notSent(sql, { workspaceId, campaignId })} offset 0) r
        cross join lateral (
          select m.status, m.detail from messages m
          where m.workspace_id = ${workspaceId} and m.id = r.message_id and probe_index(m.id) offset 0
        ) m
      ) c group by status, detail
    ), ${countReasons(sql, sql`select detail, count from counts where status = 'failed' and count > 0`)}
    select (select c.sent from campaigns c where c.workspace_id = ${workspaceId} and c.id = ${campaignId}) as sent,
      coalesce(sum(count) filter (where status in ('delivered', 'read')), 0)::integer as delivered,
      coalesce(sum(count) filter (where status = 'read'), 0)::integer as read, ${reasonsColumn(sql)},
      min(first) as "firstSentAt", max(last) as "lastSentAt"
    from counts`
  return row!
}

/** Recipients who have a message and another outcome than `sent`. */
const notSent = (sql: Sql, { workspaceId, campaignId }: Omit<ResultsOf, 'withinMs'>) => sql`
  select r.customer_id, r.message_id from campaign_recipients r
  where r.workspace_id = ${workspaceId} and r.campaign_id = ${campaignId}
    and r.outcome in ('queued', 'skipped', 'unknown') and r.message_id is not null`

/** Returns whether a period has at most `limit` effects of all customers. */
export const hasFewEffects = async (sql: Sql, range: EffectRange, limit: number): Promise<boolean> => {
  const { inbound, optOuts, sales } = effectsIn(sql, range)
  const few = (rows: Fragment) => sql`(select count(*) from (${rows} limit ${limit} + 1) e)`
  const [row] = await sql<{ isFew: boolean }[]>`
    select ${few(inbound)} + ${few(optOuts)} + ${few(sales)} <= ${limit} as "isFew"`
  return row!.isFew
}

/** Replies, opt-outs and sales after the messages of a campaign. */
export type EffectCounts = Pick<ResultsPage, 'replied' | 'optedOut' | 'buyers' | 'sales'>

/**
 * Counts replies, opt-outs and sales of all recipients. Starts from what customers did in the period, and finds the
 * messages of these customers, in the order of the index.
 */
export const countEffects = async (sql: Sql, p: ResultsOf, range: EffectRange): Promise<EffectCounts> => {
  const { inbound, optOuts, sales } = effectsIn(sql, range)
  const [row] = await sql<EffectCounts[]>`
    with inbound as materialized (${inbound}), opt_outs as materialized (${optOuts}), all_sales as materialized (${sales}),
    active as materialized (
      (select customer_id from inbound union select customer_id from opt_outs union select customer_id from all_sales)
      except select customer_id from (${notSent(sql, p)}) r
      order by customer_id
    ), sent as materialized (
      select m.* from active a cross join lateral (
        select m.customer_id, m.conversation_id, ${effectPeriod(sql, p.withinMs)} from messages m
        where m.workspace_id = ${p.workspaceId} and m.sent_by = 'campaign' and m.sent_by_id = ${p.campaignId}
          and m.customer_id = a.customer_id offset 0
      ) m
    ), opted_out as materialized (
      select m.customer_id, min(o.at) as at from sent m
      join opt_outs o on o.customer_id = m.customer_id and o.at >= m.sent_at and o.at < m.until
      group by m.customer_id
    ), sold as materialized (
      select m.customer_id, s.currency, s.amount from sent m
      join all_sales s on s.customer_id = m.customer_id and s.at >= m.sent_at and s.at < m.until
    )
    select (
        select count(distinct m.customer_id)::integer from sent m
        join inbound i on i.conversation_id = m.conversation_id and i.at >= m.sent_at and i.at < m.until
        left join opted_out o on o.customer_id = m.customer_id
        where o.at is null or i.at < o.at
      ) as replied,
      (select count(*)::integer from opted_out) as "optedOut", ${salesColumns(sql)}`
  return row!
}

/** Recipients of a campaign. Null selects every outcome, result and customer. */
export interface RecipientsOf extends ResultsOf {
  outcome: Outcome | null
  /** Result of the message, only with the outcome `sent`. */
  result: Result | null
  customerId: string | null
  period: Period | undefined
  page: PageRequest
}

/**
 * Selects a page of the recipients with a result, or with an outcome in a period, newest customers first. Reads at most
 * `maxScanned` recipients.
 */
export const selectRecipientsWith = (sql: Sql, p: RecipientsOf, maxScanned: number) => sql<RecipientRow[]>`
  select r.customer_id as id, r.outcome, r.reason, r.message_id as "messageId", m.status as "messageStatus", r.at
  from (select * from ${recipientsOf(sql, p)} order by r.customer_id desc limit ${maxScanned}) r
  ${joinMessage(sql, p)}
  where ${p.result === null ? sql`true` : conditionOf(sql, p.workspaceId, p.result)}
    ${p.period === undefined ? sql`` : sql`and r.at >= ${p.period.since} and r.at < ${p.period.end}`}
  order by r.customer_id desc limit ${p.page.limit + 1}`

/** Returns the last recipient that a scan of `maxScanned` rows reads. Null if the scan reaches the end. */
export const findLastRecipient = (sql: Sql, p: RecipientsOf, maxScanned: number) =>
  findLastScanned(sql, p.page, sql`select r.customer_id as id from ${recipientsOf(sql, p)}`, maxScanned)

const recipientsOf = (sql: Sql, p: RecipientsOf) => sql`
  campaign_recipients r
  where r.workspace_id = ${p.workspaceId} and r.campaign_id = ${p.campaignId}
    ${p.outcome === null ? sql`` : sql`and r.outcome = ${p.outcome}`}
    ${p.customerId === null ? sql`` : sql`and r.customer_id = ${p.customerId}`}
    ${p.page.before === null ? sql`` : sql`and r.customer_id < ${p.page.before}`}`

const conditionOf = (sql: Sql, workspaceId: string, result: Result): Fragment => {
  switch (result) {
    case 'delivered':
      return sql`m.status in ('delivered', 'read')`
    case 'read':
      return sql`m.status = 'read'`
    case 'failed':
      return sql`m.status = 'failed'`
    case 'replied':
      return hasReplied(sql, workspaceId)
    case 'opted_out':
      return hasOptedOut(sql, workspaceId)
    case 'sale':
      return sql`exists (${salesAfter(sql, workspaceId)} offset 0)`
  }
}
