/**
 * SQL of the backfill of hourly stats. Each statement counts a page of rows and moves its watermark, so that no row is
 * counted twice, even after a crash. Newer rows are counted when they are written.
 */
import type { Fragment, Sql } from '../../db/client.ts'
import { addingHours } from './sql.ts'

export type Source = 'events' | 'runs' | 'messages' | 'deliveries' | 'refusals'

/** Rows of a workspace that are not counted yet. */
export interface History {
  workspaceId: string
  source: Source
}

/** Returns any uncounted history; null if everything is counted. */
export const findHistory = async (sql: Sql): Promise<History | null> => {
  const [row] = await sql<History[]>`
    select workspace_id as "workspaceId", source from tally_backfills order by workspace_id, source limit 1`
  return row ?? null
}

export interface HistoryPage {
  workspaceId: string
  limit: number
}

export const countEventsOfOld = (sql: Sql, p: HistoryPage) =>
  countingPage(
    sql,
    p,
    'events',
    sql`select e.id, e.created_at as at from events e where e.workspace_id = ${p.workspaceId}`,
    sql`select ${hourOf(sql, sql`at`)} as hour, 'events' as sort, 1 as n from page where at < before`,
  )

export const countRunsOfOld = (sql: Sql, p: HistoryPage) =>
  countingPage(
    sql,
    p,
    'runs',
    sql`select r.id, r.created_at as at from workflow_runs r where r.workspace_id = ${p.workspaceId}`,
    sql`select ${hourOf(sql, sql`at`)} as hour, 'runs_started' as sort, 1 as n from page where at < before`,
  )

/** Counts a page of messages. A message that was skipped when it was created has no row in `message_statuses`. */
export const countMessagesOfOld = (sql: Sql, p: HistoryPage) =>
  countingPage(
    sql,
    p,
    'messages',
    sql`select m.id, m.created_at as at, m.direction, m.status from messages m where m.workspace_id = ${p.workspaceId}`,
    sql`
      select ${hourOf(sql, sql`at`)} as hour,
        case when direction = 'inbound' then 'messages_received'
          when status = 'skipped' and not exists (select from message_statuses s
            where s.workspace_id = ${p.workspaceId} and s.message_id = page.id) then 'messages_skipped'
          else 'messages_queued' end as sort, 1 as n
      from page where at < before
      union all
      select ${hourOf(sql, sql`s.at`)}, 'messages_' || s.status, 1
      from page cross join lateral (select s.at, s.status from message_statuses s
        where s.workspace_id = ${p.workspaceId} and s.message_id = page.id offset 0) s
      where s.at < before`,
  )

export const countDeliveriesOfOld = (sql: Sql, p: HistoryPage) =>
  countingPage(
    sql,
    p,
    'deliveries',
    sql`select d.id, d.last_attempt_at as at, d.status from deliveries d where d.workspace_id = ${p.workspaceId}`,
    sql`
      select ${hourOf(sql, sql`at`)} as hour, 'deliveries_' || status as sort, 1 as n
      from page where at < before and status in ('delivered', 'failed')
      union all
      select ${hourOf(sql, sql`a.at`)}, 'attempts', 1
      from page cross join lateral (select a.at from delivery_attempts a
        where a.workspace_id = ${p.workspaceId} and a.delivery_id = page.id offset 0) a
      where a.at < before`,
  )

export const countRefusalsOfOld = (sql: Sql, p: HistoryPage) =>
  countingPage(
    sql,
    p,
    'refusals',
    sql`select f.id, f.last_at as at, f.count from refusals f where f.workspace_id = ${p.workspaceId}`,
    sql`select ${hourOf(sql, sql`at`)} as hour, 'refused' as sort, count as n from page where at < before`,
  )

const hourOf = (sql: Sql, time: Fragment) => sql`date_trunc('hour', ${time}, 'UTC')`

/** `counted` is a query over `page` and `before` that returns the hour, the column and the count. */
const countingPage = (sql: Sql, p: HistoryPage, source: Source, rows: Fragment, counted: Fragment) => sql`
  with place as materialized (
    select below, before from tally_backfills where workspace_id = ${p.workspaceId} and source = ${source} for update
  ), page as materialized (
    select r.*, place.before from place cross join lateral (
      select * from (${rows}) r where r.id < place.below order by r.id desc limit ${p.limit}) r
  ), counted as materialized (${counted}), added as (${addingHours(
    sql,
    sql`select ${p.workspaceId}::uuid, hour, ${ofSort(sql, 'events')}, ${ofSort(sql, 'refused')},
      ${ofSort(sql, 'runs_started')}, ${ofSort(sql, 'messages_queued')}, ${ofSort(sql, 'messages_sent')},
      ${ofSort(sql, 'messages_delivered')}, ${ofSort(sql, 'messages_read')}, ${ofSort(sql, 'messages_failed')},
      ${ofSort(sql, 'messages_skipped')}, ${ofSort(sql, 'messages_unknown')}, ${ofSort(sql, 'messages_received')},
      ${ofSort(sql, 'deliveries_delivered')}, ${ofSort(sql, 'deliveries_failed')}, ${ofSort(sql, 'attempts')}
    from counted group by hour order by hour`,
  )}), moved as (
    update tally_backfills set below = (select id from page order by id limit 1)
    where workspace_id = ${p.workspaceId} and source = ${source} and exists (select from page)
  ), ended as (
    delete from tally_backfills
    where workspace_id = ${p.workspaceId} and source = ${source} and exists (select from place)
      and not exists (select from page)
  )
  select count(*)::integer as counted from page`

const ofSort = (sql: Sql, sort: string) => sql`coalesce(sum(n) filter (where sort = ${sort}), 0)`
