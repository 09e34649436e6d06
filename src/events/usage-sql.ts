/** SQL that counts events per month, and per hour, type and outcome. */
import type { Sql } from '../platform/postgres/client.ts'
import { recordStats, thisHour } from '../webhooks/statistics/index.ts'

/**
 * Number of `event_usage` rows for the events of one type and outcome, so that concurrent batches rarely wait for each
 * other, and number of groups of such rows. Types in one group move their counts to change rows more often.
 */
const rowsPerGroup = 4
const groups = 16

/** Returns the number of a usage row for events of this type and outcome. */
export const usageRowOf = (type: string, reason: string | null): number => {
  let hash = 0
  for (const character of `${type}\n${reason}`) hash = (Math.imul(hash, 31) + character.codePointAt(0)!) | 0
  return (hash & (groups - 1)) * rowsPerGroup + Math.floor(Math.random() * rowsPerGroup)
}

/**
 * SQL parts that count the events of the part `recorded`, and the runs of `stored`, per month and per hour, type and
 * outcome. `isUniform`: the events of each workspace have one type and outcome.
 */
export const countEvents = (
  sql: Sql,
  { usageRow, isUniform, hasRuns }: { usageRow: number; isUniform: boolean; hasRuns: boolean },
) => (isUniform ? countUniform(sql, usageRow, hasRuns) : countMixed(sql, usageRow, hasRuns))

/**
 * Counts the events in a usage row, without another row as long as its uniform batches have the same hour, type and
 * outcome. Otherwise it moves the previous counts of the row to a change row.
 */
const countUniform = (sql: Sql, usageRow: number, hasRuns: boolean) => {
  const isSame = sql`usage.hour = excluded.hour and usage.type = excluded.type and usage.outcome = excluded.outcome`
  return sql`
  counted as (
    insert into event_usage as usage (workspace_id, month, shard, recorded, hour, type, outcome, unhandled, runs_started)
    select workspace_id, ${thisMonth(sql)}, ${usageRow}, sum(events), ${thisHour(sql)}, min(type), min(outcome), sum(unhandled), sum(runs)
    from (
      select workspace_id, type, ${outcome(sql)} as outcome, 1 as events, case when ${isUnhandled(sql)} then 1 else 0 end as unhandled,
        0 as runs from recorded
      ${hasRuns ? sql`union all select workspace_id, null, null, 0, 0, 1 from stored` : sql``}
    ) written
    group by workspace_id order by workspace_id
    on conflict (workspace_id, month, shard) do update set recorded = usage.recorded + excluded.recorded, hour = excluded.hour,
      type = excluded.type, outcome = excluded.outcome,
      recorded_before = case when ${isSame} then usage.recorded_before else usage.recorded end,
      unhandled = case when ${isSame} then usage.unhandled else 0 end + excluded.unhandled,
      runs_started = case when ${isSame} then usage.runs_started else 0 end + excluded.runs_started
    returning workspace_id, old.hour, old.type, old.outcome, old.recorded - old.recorded_before as events, old.unhandled,
      old.runs_started, (old.hour, old.type, old.outcome) <> (new.hour, new.type, new.outcome) as is_other
  ), stats as (${recordStats(
    sql,
    sql`${statsColumns(sql)}
    select workspace_id, hour, events, runs_started, unhandled, 'type', type, outcome, events from counted where is_other`,
  )})`
}

/** Counts the events of the month in a usage row, and those of each type and outcome in a change row. */
const countMixed = (sql: Sql, usageRow: number, hasRuns: boolean) => sql`
  counted as (
    insert into event_usage as usage (workspace_id, month, shard, recorded, recorded_before)
    select workspace_id, ${thisMonth(sql)}, ${usageRow}, count(*), count(*) from recorded group by workspace_id order by workspace_id
    on conflict (workspace_id, month, shard) do update set recorded = usage.recorded + excluded.recorded,
      recorded_before = usage.recorded_before + excluded.recorded_before
  ), stats as (${recordStats(
    sql,
    sql`${statsColumns(sql)}
    select workspace_id, ${thisHour(sql)}, count(*), 0, case when ${isUnhandled(sql)} then count(*) else 0 end, 'type', type,
      ${outcome(sql)}, count(*)
    from recorded group by workspace_id, type, reason, awaited
    ${
      hasRuns
        ? sql`union all
          select workspace_id, ${thisHour(sql)}, 0, count(*), 0, null, null, null, null from stored group by workspace_id`
        : sql``
    }`,
  )})`

const statsColumns = (sql: Sql) =>
  sql`(workspace_id, hour, events, runs_started, unhandled, kind, group_id, outcome, outcome_events)`

const thisMonth = (sql: Sql) => sql`date_trunc('month', now() at time zone 'utc')::date`

const outcome = (sql: Sql) => sql`coalesce(reason, 'started')`

/** Condition on a recorded event: nothing handled it. An event that a run may wait for is handled. */
const isUnhandled = (sql: Sql) => sql`not awaited and reason in ('no_listener', 'switched_off', 'never_published')`

/** Returns the counts from `from` until before `until` that are not yet in the hourly stats, by type and outcome. */
export const selectUsage = (sql: Sql, p: { workspaceId: string; from: Date; until: Date }) => sql`
  select hour, type, outcome, recorded - recorded_before as events, unhandled, runs_started from event_usage
  where workspace_id = ${p.workspaceId} and hour >= ${p.from} and hour < ${p.until}
    and month between date_trunc('month', ${p.from}::timestamptz at time zone 'utc')::date
      and (${p.until}::timestamptz at time zone 'utc')::date`

/** Selects the same counts as columns group_id, hour, name and count. */
export const selectUsageByType = (sql: Sql, p: { workspaceId: string; from: Date; until: Date }) => sql`
  select type as group_id, hour, outcome as name, events as count from (${selectUsage(sql, p)}) usage where events > 0`
