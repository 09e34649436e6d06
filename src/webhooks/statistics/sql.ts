/** SQL that rolls up counts into hourly stats and stats per group. */
import { minIdAt } from '../../core/ids.ts'
import { clock } from '../../platform/clock.ts'
import type { Fragment, Sql } from '../../platform/postgres/client.ts'
import { smallestId } from '../../platform/postgres/ids.ts'
import { expandChanges } from './groups-sql.ts'

/** Cursor over counts that are not rolled up: a workspace and a row id. */
export interface StatsCursor {
  workspaceId: string
  id: string
}

/** Cursor before the first row. */
export const firstCursor: StatsCursor = { workspaceId: smallestId, id: smallestId }

/**
 * Maximum number of event types, and of problems, of a workspace with own rows per hour or day. Senders choose them
 * freely. The others share one row. Parallel roll-ups can exceed the maximum by a page.
 */
const maxGroups = 100

/**
 * Rolls up a page of counts after a cursor. Returns the last one, or null if there is none. Runs as one statement, so
 * that readers see each count exactly once. Skips rows that another process is rolling up.
 */
export const rollUpPage = async (sql: Sql, after: StatsCursor, limit: number): Promise<StatsCursor | null> => {
  const [row] = await sql<[{ last: StatsCursor | null }]>`
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
        sum(messages_unknown), sum(messages_received), sum(deliveries_delivered), sum(deliveries_failed), sum(attempts),
        sum(unhandled)
      from removed group by workspace_id, hour order by workspace_id, hour`,
    )}), ${rollUpGroups(sql, sql`removed`)}
    select (
      select json_build_object('workspaceId', workspace_id, 'id', id) from page
      order by workspace_id desc, id desc limit 1
    ) as last`
  return row.last
}

/** `rows`: all columns in table order, sorted by workspace and hour. */
const upsertHourlyStats = (sql: Sql, rows: Fragment) => sql`
  insert into hourly_stats as t (workspace_id, hour, events, refused, runs_started, messages_queued, messages_sent,
    messages_delivered, messages_read, messages_failed, messages_skipped, messages_unknown, messages_received,
    deliveries_delivered, deliveries_failed, attempts, unhandled)
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
    deliveries_failed = t.deliveries_failed + excluded.deliveries_failed, attempts = t.attempts + excluded.attempts,
    unhandled = t.unhandled + excluded.unhandled`

/**
 * SQL parts that add the counts of `rows` to the hour and the day of their group. New event types and problems beyond
 * the maximum get the empty group id.
 */
const rollUpGroups = (sql: Sql, rows: Fragment) => sql`
  expanded as materialized (
    select e.*, u.unit, date_trunc(u.unit, e.hour, 'UTC') as at
    from (${expandChanges(sql, rows)}) e cross join (values ('hour'), ('day')) as u(unit)
  ), found as materialized (
    select f.*, (
        select true from group_stats s where s.workspace_id = f.workspace_id and s.kind = f.kind and s.unit = f.unit
          and s.at = f.at and s.group_id = f.group_id limit 1
      ) is not null as is_known
    from (select workspace_id, kind, unit, at, group_id, sum(count) as count from expanded group by workspace_id, kind, unit, at, group_id) f
  ), known as materialized (
    select k.*, (
      select count(*) from (
        select from group_stats s where s.workspace_id = k.workspace_id and s.kind = k.kind and s.unit = k.unit and s.at = k.at
        limit ${maxGroups + 1}
      ) stored
    ) as count
    from (select distinct workspace_id, kind, unit, at from found where not is_known and kind in ('type', 'problem')) k
  ), placed as materialized (
    select f.workspace_id, f.kind, f.unit, f.at, f.group_id,
      f.is_known or known.count is null or known.count + row_number() over (
        partition by f.workspace_id, f.kind, f.unit, f.at, f.is_known order by f.count desc, f.group_id) <= ${maxGroups} as is_kept
    from found f left join known
      on known.workspace_id = f.workspace_id and known.kind = f.kind and known.unit = f.unit and known.at = f.at
  ), upserted_groups as (
    insert into group_stats as t (workspace_id, kind, unit, at, group_id, total, counts)
    select workspace_id, kind, unit, at, group_id, coalesce(sum(count) filter (where ${isRanked(sql)}), 0),
      add_counts('{}', jsonb_object_agg(name, count))
    from (
      select e.workspace_id, e.kind, e.unit, e.at, case when p.is_kept then e.group_id else '' end as group_id, e.name,
        sum(e.count) as count
      from expanded e join placed p
        on p.workspace_id = e.workspace_id and p.kind = e.kind and p.unit = e.unit and p.at = e.at and p.group_id = e.group_id
      group by 1, 2, 3, 4, 5, 6
    ) added
    group by workspace_id, kind, unit, at, group_id
    order by workspace_id, kind, unit, at, group_id
    on conflict (workspace_id, kind, unit, at, group_id) do update
      set total = t.total + excluded.total, counts = add_counts(t.counts, excluded.counts)
  )`

/** Condition for the counters whose sum ranks a group. An endpoint is ranked by its attempts. */
const isRanked = (sql: Sql) => sql`case kind when 'webhook' then name = 'attempts' else name not like '%:%' end`

/** Days for which the hours and the days of groups are kept. Longer than the longest range of a summary. */
const keptDays = { hour: 62, day: 401 }

/** Deletes at most `limit` hours and days of groups that are older than their retention. */
export const deleteOldGroupStats = (sql: Sql, unit: keyof typeof keptDays, limit: number) => sql`
  delete from group_stats where ctid = any(array(
    select ctid from group_stats where unit = ${unit} and at < now() - ${keptDays[unit]} * interval '1 day'
    order by at limit ${limit}))`

/** Numbers of attempts, settled messages and started runs. */
export interface RecentCounts {
  attempts: number
  messages: number
  runs: number
}

/**
 * Sums the counts of all workspaces in the current and the previous hour, also those that are not rolled up. Reads the
 * index entries of these hours after three probes per workspace. A change of an hour is written in that hour or later.
 */
export const sumRecentCounts = async (sql: Sql): Promise<RecentCounts> => {
  // The previous hour began less than two hours ago. The minute is for a clock that is ahead of that of the database.
  const firstId = minIdAt(new Date(clock.now() - 2 * 3_600_000 - 60_000))
  const [row] = await sql<[RecentCounts]>`
    select coalesce(sum(attempts), 0)::bigint as attempts, coalesce(sum(messages), 0)::bigint as messages,
      coalesce(sum(runs), 0)::bigint as runs
    from workspaces w cross join lateral (
      select attempts, messages_sent + messages_failed + messages_unknown as messages, runs_started as runs from hourly_stats
      where workspace_id = w.id and hour >= date_trunc('hour', now(), 'UTC') - interval '1 hour'
      union all
      select attempts, messages_sent + messages_failed + messages_unknown, runs_started from hourly_stat_changes
      where workspace_id = w.id and id >= ${firstId}
        and hour >= date_trunc('hour', now(), 'UTC') - interval '1 hour'
      union all
      select 0, 0, runs_started from event_usage
      where workspace_id = w.id and month >= date_trunc('month', now() at time zone 'utc' - interval '1 hour')::date
        and hour >= date_trunc('hour', now(), 'UTC') - interval '1 hour'
    ) counted`
  return row
}
