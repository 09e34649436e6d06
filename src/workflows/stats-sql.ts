/** SQL statements for the statistics of a workflow. Each reads at most the newest runs of a period. */

import { effectPeriod, hasReplied } from '../messaging/messages/index.ts'
import type { Fragment, Sql } from '../platform/postgres/client.ts'
import { minIdOf } from '../platform/postgres/ids.ts'
import type { StepEdge, StepStats } from './stats-schema.ts'

/** Maximum number of runs that are counted. */
export const maxCounted = 100_000

/** Counts the active runs of a workflow by step. The step is null for runs before their first step. */
export const countActiveRuns = (sql: Sql, workspaceId: string, workflowId: string) => sql<
  { stepId: string | null; runs: number }[]
>`
  select step_id as "stepId", count(*)::integer as runs from (
    select step_id from workflow_runs
    where workspace_id = ${workspaceId} and workflow_id = ${workflowId} and status = 'active'
    order by version, step_id limit ${maxCounted}
  ) active_runs group by step_id`

/** Results of the runs started in the last 7 days, limited to the newest `maxCounted`. */
export interface RecentRuns {
  started: number
  completed: number
  failed: number
  exited: number
}

/** Counts runs for each of the last seven 24-hour periods with new runs. Day 0 is the latest. */
export const countRecentRuns = (sql: Sql, workspaceId: string, workflowId: string) => sql<
  (RecentRuns & { day: number })[]
>`
  select
    -- Clocks differ: one that was started a moment ago may seem to come yet.
    least(greatest(floor(extract(epoch from now() - uuid_extract_timestamp(id)) / 86400), 0), 6)::integer as day,
    count(*)::integer as started,
    count(*) filter (where end_reason = 'completed')::integer as completed,
    count(*) filter (where status = 'failed')::integer as failed,
    count(*) filter (where end_reason in ('exited', 'exit_condition', 'opted_out'))::integer as exited
  from (
    select id, status, end_reason from workflow_runs
    where workspace_id = ${workspaceId} and workflow_id = ${workflowId}
      and id > ${minIdOf(sql, sql`now() - interval '7 days'`)}
    order by id desc limit ${maxCounted}
  ) recent group by day`

/** Returns the time of the newest run. Null if there is none. */
export const findLastRunAt = async (sql: Sql, workspaceId: string, workflowId: string): Promise<Date | null> => {
  const [row] = await sql<{ at: Date }[]>`
    select created_at as at from workflow_runs where workspace_id = ${workspaceId} and workflow_id = ${workflowId}
    order by id desc limit 1`
  return row?.at ?? null
}

/** The runs to count: those of a workflow with ids in a range. */
export interface RunRange {
  workspaceId: string
  workflowId: string
  /** Ids of the range, without its end. */
  fromId: string
  untilId: string
  /** Null counts all versions. */
  version: number | null
}

const runsIn = (sql: Sql, p: RunRange): Fragment => sql`
  workflow_runs r
  where r.workspace_id = ${p.workspaceId} and r.workflow_id = ${p.workflowId} and r.id >= ${p.fromId}
    and r.id < ${p.untilId} ${p.version === null ? sql`` : sql`and r.version = ${p.version}`}`

/** Runs of a day, by their current status. */
export interface DayRow {
  /** Start of the day in UTC. */
  at: Date
  started: number
  done: number
  failed: number
  stopped: number
}

/** Counts the newest `limit` runs of the range by the day of their start. */
export const countRunsByDay = (sql: Sql, p: RunRange, limit: number) => sql<DayRow[]>`
  select date_trunc('day', uuid_extract_timestamp(id), 'UTC') as at, count(*)::integer as started,
    count(*) filter (where status = 'done')::integer as done,
    count(*) filter (where status = 'failed')::integer as failed,
    count(*) filter (where status = 'stopped')::integer as stopped
  from (select r.id, r.status from ${runsIn(sql, p)} order by r.id desc limit ${limit}) counted
  group by at`

/** Limits of the statistics by step: the newest runs, and their executed steps. */
export interface StepLimits {
  runs: number
  steps: number
}

/** Statistics by step. */
export interface StepsRow {
  /** Number of runs that were counted. */
  runs: number
  /** Whether these are all runs of the range. */
  complete: boolean
  steps: Omit<StepStats, keyof MessageStats>[]
  edges: StepEdge[]
}

type MessageStats = Pick<StepStats, 'sent' | 'delivered' | 'read' | 'replied' | 'failed'>

/** CTE `counted`: the newest runs of the range within the limits. One more run shows whether there are others. */
const countedRuns = (sql: Sql, p: RunRange, limits: StepLimits) => sql`
  newest as materialized (
    select r.id, r.status, r.waiting, r.end_reason, row_number() over by_age as position,
      sum(r.steps_taken) over by_age as steps
    from (select r.id, r.status, r.waiting, r.end_reason, r.steps_taken from ${runsIn(sql, p)}
      order by r.id desc limit ${limits.runs} + 1) r
    window by_age as (order by r.id desc rows between unbounded preceding and current row)
  ), counted as materialized (
    select * from newest where position <= ${limits.runs} and (position = 1 or steps <= ${limits.steps})
  )`

/**
 * Counts runs by step and by transition. Most runs take one of a few paths, so the runs of each path are counted first.
 * The entry and the end of a wait are two entries of the trace with the same step.
 */
export const countSteps = async (sql: Sql, p: RunRange, limits: StepLimits): Promise<StepsRow> => {
  const [row] = await sql<StepsRow[]>`
    with ${countedRuns(sql, p, limits)}, paths as materialized (
      select row_number() over () as id, path, place, count(*) as runs from (
        select t.path, case
            when r.status = 'active' then case when r.waiting then 'waiting' else 'left' end
            when r.end_reason in ('completed', 'exited') then r.end_reason
            else 'ended' end as place
        from counted r cross join lateral (
          select array_agg(s.step_id) as path from (
            select s.step_id from workflow_run_steps s
            where s.workspace_id = ${p.workspaceId} and s.run_id = r.id order by s.position
          ) s
        ) t
      ) run_paths where path is not null group by path, place
    ), entries as materialized (
      select p.id, p.place, p.runs, e.step_id, lead(e.step_id) over (partition by p.id order by e.position) as next_id
      from paths p cross join unnest(p.path) with ordinality as e(step_id, position)
    ), steps as materialized (
      select step_id, sum(runs) as entered,
        coalesce(sum(runs) filter (where last_place is null or last_place not in ('waiting', 'ended')), 0) as left,
        coalesce(sum(runs) filter (where last_place = 'waiting'), 0) as waiting
      from (
        select id, step_id, max(runs) as runs, max(place) filter (where next_id is null) as last_place
        from entries group by id, step_id
      ) visited group by step_id
    ), edges as materialized (
      select step_id, next_id, sum(runs) as runs from (
        select distinct id, step_id, next_id, runs from entries
        where next_id <> step_id or next_id is null and place = 'completed'
      ) transitions group by step_id, next_id
    )
    select (select count(*)::integer from counted) as runs,
      (select count(*) from counted) = (select count(*) from newest) as complete,
      (select coalesce(json_agg(json_build_object('stepId', step_id, 'entered', entered, 'left', "left", 'waiting', waiting)
        order by entered desc, step_id), '[]') from steps) as steps,
      (select coalesce(json_agg(json_build_object('from', step_id, 'to', next_id, 'runs', runs)
        order by runs desc, step_id, next_id), '[]') from edges) as edges`
  return row!
}

/** Messages of a step. */
export interface StepMessagesRow extends Omit<MessageStats, 'read'> {
  stepId: string
  read: number
  /** Whether a message went over one of the channels that report reads. */
  reportsRead: boolean
}

/**
 * Counts the messages of the same runs by step. A reply counts for the last message of the run before it, if it was
 * recorded within `withinMs`. `readKinds` are the kinds of channels that report reads.
 */
export const countStepMessages = (
  sql: Sql,
  p: RunRange & { withinMs: number; readKinds: string[] },
  limits: StepLimits,
) => sql<StepMessagesRow[]>`
  with ${countedRuns(sql, p, limits)}, sent as materialized (
    select m.* from counted r cross join lateral (
      select m.run_id, m.run_step, m.status, m.channel_id, m.conversation_id, m.customer_id,
        ${effectPeriod(sql, p.withinMs)}
      from messages m
      where m.workspace_id = ${p.workspaceId} and m.run_id = r.id and m.status in ('sent', 'delivered', 'read', 'failed')
      offset 0
    ) m
  ), by_channel as materialized (
    select s.step_id, m.channel_id, count(*) filter (where m.sent_at is not null) as sent,
      count(*) filter (where m.status in ('delivered', 'read')) as delivered,
      count(*) filter (where m.status = 'read') as read,
      count(*) filter (where m.replied) as replied,
      count(*) filter (where m.status = 'failed') as failed
    from (
      select m.*, ${hasReplied(
        sql,
        p.workspaceId,
        sql`and not exists (select from messages n
          where n.workspace_id = ${p.workspaceId} and n.run_id = m.run_id and n.run_step > m.run_step
            and n.sent_at <= i.created_at)`,
      )} as replied from sent m
    ) m
    cross join lateral (
      select s.step_id from workflow_run_steps s
      where s.workspace_id = ${p.workspaceId} and s.run_id = m.run_id and s.position = m.run_step offset 0
    ) s
    group by s.step_id, m.channel_id
  )
  select b.step_id as "stepId", sum(b.sent)::integer as sent, sum(b.delivered)::integer as delivered,
    sum(b.read)::integer as read, sum(b.replied)::integer as replied, sum(b.failed)::integer as failed,
    coalesce(bool_or(ch.kind = any(${p.readKinds}::text[])), false) as "reportsRead"
  from by_channel b
  left join lateral (
    select ch.kind from channels ch where ch.workspace_id = ${p.workspaceId} and ch.id = b.channel_id offset 0
  ) ch on true
  group by b.step_id`
