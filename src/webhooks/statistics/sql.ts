/** SQL that rolls up counts into hourly stats. */
import type { Fragment, Sql } from '../../platform/postgres/client.ts'

/** Cursor over counts that are not rolled up: a workspace and a row id. */
export interface StatsCursor {
  workspaceId: string
  id: string
}

/** Cursor before the first row. */
export const firstCursor: StatsCursor = {
  workspaceId: '00000000-0000-0000-0000-000000000000',
  id: '00000000-0000-0000-0000-000000000000',
}

/**
 * Rolls up a page of counts after a cursor. Returns their number and the last one. Runs as one statement, so that
 * readers see each count exactly once. Skips rows that another process is rolling up.
 */
export const rollUpPage = async (sql: Sql, after: StatsCursor, limit: number) => {
  const [row] = await sql<{ rolledUp: number; last: StatsCursor | null }[]>`
    with page as materialized (
      select workspace_id, id from hourly_stat_changes
      where (workspace_id, id) > (${after.workspaceId}::uuid, ${after.id}::uuid)
      order by workspace_id, id limit ${limit} for update skip locked
    ), removed as (
      delete from hourly_stat_changes t using page p where t.workspace_id = p.workspace_id and t.id = p.id
      returning t.*
    ), upserted as (${upsertHourlyStats(
      sql,
      sql`select workspace_id, hour, sum(events), sum(refused), sum(runs_started), sum(messages_queued),
        sum(messages_sent), sum(messages_delivered), sum(messages_read), sum(messages_failed), sum(messages_skipped),
        sum(messages_unknown), sum(messages_received), sum(deliveries_delivered), sum(deliveries_failed), sum(attempts)
      from removed group by workspace_id, hour order by workspace_id, hour`,
    )})
    select count(*)::integer as "rolledUp",
      (select json_build_object('workspaceId', workspace_id, 'id', id) from page
        order by workspace_id desc, id desc limit 1) as last
    from page`
  return row!
}

/** `rows`: all columns in table order, sorted by workspace and hour. */
export const upsertHourlyStats = (sql: Sql, rows: Fragment) => sql`
  insert into hourly_stats as t (workspace_id, hour, events, refused, runs_started, messages_queued, messages_sent,
    messages_delivered, messages_read, messages_failed, messages_skipped, messages_unknown, messages_received,
    deliveries_delivered, deliveries_failed, attempts)
  ${rows}
  on conflict (workspace_id, hour) do update set events = t.events + excluded.events,
    refused = t.refused + excluded.refused, runs_started = t.runs_started + excluded.runs_started,
    messages_queued = t.messages_queued + excluded.messages_queued, messages_sent = t.messages_sent + excluded.messages_sent,
    messages_delivered = t.messages_delivered + excluded.messages_delivered,
    messages_read = t.messages_read + excluded.messages_read, messages_failed = t.messages_failed + excluded.messages_failed,
    messages_skipped = t.messages_skipped + excluded.messages_skipped,
    messages_unknown = t.messages_unknown + excluded.messages_unknown,
    messages_received = t.messages_received + excluded.messages_received,
    deliveries_delivered = t.deliveries_delivered + excluded.deliveries_delivered,
    deliveries_failed = t.deliveries_failed + excluded.deliveries_failed, attempts = t.attempts + excluded.attempts`
