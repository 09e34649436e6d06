/** Queries for the results of a campaign. They look up what each recipient did after the message, page by page. */
import type { PageRequest } from '../../core/pagination.ts'
import { findLastScanned } from '../../core/scan.ts'
import type { Fragment, Sql } from '../../platform/postgres/client.ts'
import { effectPeriod, hasOptedOut, hasReplied, salesAfter } from '../messages/index.ts'
import type { Result } from './results-schema.ts'
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

/** Maximum number of reasons of one page. The others are counted with the reason null. */
const maxReasons = 200

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
    ), reasons as materialized (
      select detail, count(*)::integer as count, row_number() over (order by count(*) desc, detail) as position
      from results where status = 'failed' group by detail
    )
    select (select count(*)::integer from page) as sent,
      (select customer_id from page order by customer_id desc limit 1) as last,
      count(*) filter (where status in ('delivered', 'read'))::integer as delivered,
      count(*) filter (where status = 'read')::integer as read,
      count(*) filter (where replied)::integer as replied,
      count(*) filter (where opted_out)::integer as "optedOut",
      (select coalesce(json_agg(json_build_object('reason', reason, 'count', count)), '[]') from (
        select case when position <= ${maxReasons} then detail end as reason, sum(count) as count from reasons group by 1) r) as failed,
      (select count(distinct customer_id)::integer from sold) as buyers,
      (select coalesce(json_agg(json_build_object('currency', currency, 'count', count, 'amount', amount::text)), '[]')
        from (select currency, count(*) as count, sum(amount) as amount from sold group by currency) s) as sales
    from results`
  return row!
}

/** Selects a page of the recipients with a result, newest customers first. Reads at most `maxScanned` recipients. */
export const selectRecipientsWith = (
  sql: Sql,
  p: ResultsOf & { result: Result; page: PageRequest },
  maxScanned: number,
) => sql<RecipientRow[]>`
  select r.customer_id as id, r.outcome, r.reason, r.message_id as "messageId", m.status as "messageStatus", r.at
  from (select * from ${sentRecipients(sql, p)} order by r.customer_id desc limit ${maxScanned}) r
  ${joinMessage(sql, p)}
  where ${conditionOf(sql, p)}
  order by r.customer_id desc limit ${p.page.limit + 1}`

/** Returns the last recipient that a scan of `maxScanned` rows reads. Null if the scan reaches the end. */
export const findLastRecipient = (sql: Sql, p: ResultsOf & { page: PageRequest }, maxScanned: number) =>
  findLastScanned(sql, sql`select r.customer_id as id from ${sentRecipients(sql, p)}`, maxScanned)

const sentRecipients = (sql: Sql, p: ResultsOf & { page: PageRequest }) => sql`
  campaign_recipients r
  where r.workspace_id = ${p.workspaceId} and r.campaign_id = ${p.campaignId} and r.outcome = 'sent'
    ${p.page.before === null ? sql`` : sql`and r.customer_id < ${p.page.before}`}`

const conditionOf = (sql: Sql, { workspaceId, result }: { workspaceId: string; result: Result }): Fragment => {
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
