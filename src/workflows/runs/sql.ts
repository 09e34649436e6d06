/** SQL statements that find due runs, claim them and write their results. */

import { type QueuedChannel, type QueuedRows, queuedRows } from '../../messaging/messages/index.ts'
import type { Fragment, Sql } from '../../platform/postgres/client.ts'
import { epoch } from '../../queue/queue.ts'
import { type RunWaits, storeWaits } from '../../queue/waits/index.ts'
import { type Emitted, emit, emitResult } from '../../webhooks/emit/index.ts'
import { draftEvents, insertIntoOutbox } from '../../webhooks/outbound-events/index.ts'
import type { Definition } from '../schema.ts'
import type { Facts } from './facts.ts'
import type { Advance, RunState } from './interpreter.ts'
import { type ExecutionRecord, emitsEvents, queuedByExecutions, recordExecutions } from './record.ts'
import { type CustomerData, maxRowsRead, type WorkspaceData } from './run-facts.ts'

/**
 * Returns the milliseconds until the next unclaimed run is due, by the database clock, ignoring runs due before `from`.
 * The result is 0 or less if a run is due, and null if no run waits.
 *
 * Claimed runs are excluded. If their process dies, the poll finds them. Due runs of paused workspaces count until a
 * claim has set them aside.
 */
export const nextRunDue = async (sql: Sql, from = epoch): Promise<number | null> => {
  const [row] = await sql<{ dueInMs: number | null }[]>`
    select (extract(epoch from ${firstWakeAt(sql, from, sql`and (claimed_until is null or claimed_until <= now())`)}
      - clock_timestamp()) * 1000)::double precision as "dueInMs"`
  return row!.dueInMs
}

/** SQL expression: the time of the first run that is due at `from` or later. */
const firstWakeAt = (sql: Sql, from: Date, condition: Fragment): Fragment =>
  sql`(select wake_at from workflow_runs where wake_at >= ${from} and not paused ${condition} order by wake_at limit 1)`

const isNotPaused = (sql: Sql, paused: readonly string[]): Fragment =>
  paused.length === 0 ? sql`` : sql`and workspace_id <> all(${[...paused]}::uuid[])`

/** Identity and state of a claimed run. Its result is written only while the row still has these values. */
interface Claim {
  workspaceId: string
  id: string
  /** Number of attempts, including this one. */
  attempts: number
  /** Timestamp text with full precision, as PostgreSQL writes it. */
  wakeAt: string
  claimedUntil: string
}

/** Claimed run with all data for an execution. */
export interface DueRun extends RunState, Claim {
  workflowId: string
  customerId: string
  /** Time when its event was recorded. */
  recordedAt: Date
  definition: Definition
  /** IDs of the templates that its definition names. */
  templateIds: string[]
  /** ID of the last arrival that was evaluated, if there were too many for one execution. */
  evaluatedUpTo: string | null
  /** `traceparent` of its event. Null without a trace. */
  traceparent: string | null
  /** Milliseconds since the run was due. */
  lateMs: number
  /** Whether arrivals can wake the run, so that they must be read. */
  waits: boolean
  read: RunData
}

/** Data that the claim read for an execution. */
export interface RunData {
  data: Facts['data']
  event: Facts['event']
  customer: CustomerData
  workspace: WorkspaceData
}

/** Runs that were claimed together. */
export interface ClaimedRuns {
  runs: DueRun[]
  /** Number of due runs of paused workspaces that the claim has set aside. */
  setAside: number
  /** Time of the database. */
  now: Date
  /** Whether the oldest due run was tried before without a result. */
  suspected: boolean
  /** Time when the first run, claimed or not, is due, in milliseconds since 1970. Null if none waits. See `QueueRead`. */
  firstMs: number | null
}

/** Options of a claim. */
export interface ClaimOptions {
  limit: number
  /** Whether no other run is in flight. A run that was tried before can then be claimed, alone. */
  alone: boolean
  /** Milliseconds for which no other process may claim the runs. */
  claimMs: number
  /** Lower bound of the due time. */
  from?: Date
  /** Workspaces whose runs are paused. The claim sets their due runs aside, so that no later claim passes them. */
  paused?: readonly string[]
}

/**
 * Maximum size in bytes of the events and versions of one claim. The other runs stay due. The limit bounds the memory
 * for a page of runs.
 */
const maxBytesRead = 4_000_000

/**
 * Claims the oldest due runs and reads all data for their executions.
 *
 * A run that was tried before may have crashed its process. It is claimed alone, so that no other run is charged with a
 * try.
 *
 * Left joins: a run with missing data must still be returned and end, or it would stay due forever. `lateral … offset
 * 0` makes the planner use one index lookup per run.
 *
 * Due runs of paused workspaces count for `limit`. They are marked as paused, which removes them from the index of due
 * runs, until `requeuePausedRuns` puts them back.
 *
 * The commit does not wait for the disk. If PostgreSQL crashes before the claim is stored, the results under it are
 * rejected.
 */
export const claimDueRuns = async (
  sql: Sql,
  { limit, alone, claimMs, from = epoch, paused = [] }: ClaimOptions,
): Promise<ClaimedRuns> => {
  const [row] = await sql<ClaimedRow[]>`
    with found as materialized (
      select ctid as row_ctid, workspace_id, id, workflow_id, version, event_id, wake_at, ${attemptsOf(sql, claimMs)} as attempts
      from workflow_runs where wake_at >= ${from} and wake_at <= now() and not paused
        and (claimed_until is null or claimed_until <= now())
      order by wake_at limit ${limit} for update skip locked
    ), ${splitPaused(sql, paused)}, versions as materialized (
      select requested.*, v.definition, v.template_ids, ${sizeOf(sql, 'v.definition')} as size
      from (select distinct workspace_id, workflow_id, version from due) requested
      left join lateral (
        select definition, template_ids from workflow_versions v
        where v.workspace_id = requested.workspace_id and v.workflow_id = requested.workflow_id and v.version = requested.version offset 0
      ) v on true
    ), sized as (
      select due.*, e.found, e.type, e.data, e.created_at, e.traceparent,
        row_number() over by_age as position,
        first_value(due.attempts) over by_age > 0 as suspected,
        sum(coalesce(${sizeOf(sql, 'e.data')}, 0) + coalesce(v.size, 0)) over (by_age rows between unbounded preceding and 1 preceding) as size_before
      from due
      join versions v using (workspace_id, workflow_id, version)
      left join lateral (
        select e.id as found, e.type, e.data, e.created_at, e.traceparent from events e
        where e.workspace_id = due.workspace_id and e.id = due.event_id offset 0
      ) e on true
      window by_age as (order by due.wake_at, due.id)
    ), selected as materialized (
      select * from sized where coalesce(size_before, 0) < ${maxBytesRead}
        and case when suspected and ${alone}::boolean then position = 1 else attempts = 0 end
    ), claimed as (
      update workflow_runs r
      set attempts = c.attempts + 1, claimed_until = clock_timestamp() + ${claimMs} * interval '1 millisecond'
      from selected c where r.workspace_id = c.workspace_id and r.ctid = c.row_ctid and probe_index(r.id)
      returning r.*, c.position, c.found, c.type, c.data, c.created_at as recorded_at, c.traceparent
    ), workspace_data as materialized (
      select requested.workspace_id, ${workspaceJson(sql, sql`requested.workspace_id`)} as workspace
      from (select distinct workspace_id from selected) requested
    )
    select now() as now, set_config('synchronous_commit', 'off', true),
      exists (select from sized where suspected) as suspected, (select count(*)::integer from set_aside) as "setAside",
      floor(extract(epoch from ${firstWakeAt(sql, from, sql``)}) * 1000)::double precision as "firstMs",
      (select coalesce(json_agg(json_build_object('workflowId', workflow_id, 'version', version, 'definition', definition,
          'templateIds', coalesce(template_ids, '{}'))), '[]')
        from versions where (workspace_id, workflow_id, version) in (select workspace_id, workflow_id, version from selected)
      ) as definitions,
      (select coalesce(json_object_agg(workspace_id, workspace), '{}') from workspace_data) as workspaces,
      (select coalesce(json_agg(json_build_object(
          'workspaceId', r.workspace_id, 'id', r.id, 'attempts', r.attempts, 'wakeAt', r.wake_at::text,
          'lateMs', extract(epoch from now() - r.wake_at) * 1000,
          'claimedUntil', r.claimed_until::text, 'stepId', r.step_id, 'waiting', r.waiting, 'stepsTaken', r.steps_taken,
          'waitUntil', r.wait_until, 'answer', r.answer, 'consumedArrivals', r.consumed_arrivals, 'evaluatedUpTo', r.evaluated_up_to,
          'waits', exists (select from run_waits w where w.workspace_id = r.workspace_id and w.run_id = r.id)
            or exists (select from run_arrivals w where w.workspace_id = r.workspace_id and w.run_id = r.id),
          'workflowId', r.workflow_id, 'version', r.version, 'customerId', r.customer_id, 'recordedAt', r.recorded_at,
          'traceparent', r.traceparent,
          'read', json_build_object(
            'data', r.data,
            'event', json_build_object('id', r.found, 'type', r.type),
            'customer', ${customerJson(sql)}
          )
        ) order by r.position), '[]')
        from claimed r
        left join lateral (
          select * from customers p where p.workspace_id = r.workspace_id and p.id = r.customer_id offset 0
        ) p on true
      ) as runs`
  return runsOf(row!)
}

/** Splits `found` runs into `due` ones and those of paused workspaces, which are `set_aside`. */
const splitPaused = (sql: Sql, paused: readonly string[]): Fragment =>
  paused.length === 0
    ? sql`due as (select * from found), set_aside as (select where false)`
    : sql`due as materialized (select * from found where workspace_id <> all(${[...paused]}::uuid[])), set_aside as (
        update workflow_runs r set paused = true from found f
        where f.workspace_id = any(${[...paused]}::uuid[]) and r.workspace_id = f.workspace_id and r.ctid = f.row_ctid
          and probe_index(r.id)
        returning r.id)`

/**
 * Puts runs back into the queue that were set aside, except those of the workspaces that are still `paused`. They are
 * due now, in their previous order: an earlier time could be below the lower bound of a process. Returns their number.
 * Reads one index entry for each workspace with such runs, and at most `limit` runs.
 */
export const requeuePausedRuns = async (sql: Sql, paused: readonly string[], limit: number): Promise<number> => {
  const { count } = await sql`
    with recursive workspaces as (
      (select workspace_id from workflow_runs where wake_at is not null and paused order by workspace_id limit 1)
      union all
      select next.workspace_id from workspaces w cross join lateral (
        select workspace_id from workflow_runs r where wake_at is not null and paused and r.workspace_id > w.workspace_id
        order by workspace_id limit 1
      ) next
    ), resumable as (
      select workspace_id, ceil(${limit}::numeric / count(*) over ())::integer as share from workspaces
      where workspace_id <> all(${[...paused]}::uuid[])
    ), resumed as materialized (
      select row_ctid, workspace_id, row_number() over (order by wake_at) as position
      from (
        select r.* from resumable w cross join lateral (
          select ctid as row_ctid, workspace_id, wake_at from workflow_runs r
          where r.workspace_id = w.workspace_id and wake_at is not null and paused
          order by wake_at limit w.share for update skip locked
        ) r
        limit ${limit}
      ) first
    )
    update workflow_runs r
    set paused = false, wake_at = greatest(r.wake_at, now() + m.position * interval '1 microsecond')
    from resumed m where r.workspace_id = m.workspace_id and r.ctid = m.row_ctid and probe_index(r.id)`
  return count
}

/**
 * Returns the data of `customers p` for an execution. Channel addresses are read only without a phone number, which has
 * priority.
 */
export const customerJson = (sql: Sql) => sql`
  json_build_object('id', p.id, 'name', p.name, 'phone', p.phone, 'externalId', p.external_id, 'attributes', p.attributes,
    'optedIn', p.opted_in_at is not null, 'optedOut', p.opted_out_at is not null,
    'hasConversation', exists (select from conversations co where co.workspace_id = p.workspace_id and co.customer_id = p.id),
    'wrote', (
      select coalesce(json_agg(json_build_object('channelId', co.channel_id, 'at', co.last_inbound_at)), '[]') from (
        select co.channel_id, co.last_inbound_at from conversations co
        where co.workspace_id = p.workspace_id and co.customer_id = p.id and co.last_inbound_at is not null
        limit ${maxRowsRead}) co),
    'handles', case when p.phone is null then (
      select coalesce(json_agg(json_build_object('channelId', h.channel_id, 'handle', h.handle) order by h.created_at desc), '[]')
      from (select h.channel_id, h.handle, h.created_at from handles h
        where h.workspace_id = p.workspace_id and h.customer_id = p.id limit ${maxRowsRead}) h) else '[]' end)`

/** Returns a workspace as an execution sees it. */
export const workspaceJson = (sql: Sql, workspaceId: Fragment) => sql`
  (select json_build_object('timezone', w.timezone, 'planId', w.plan_id, 'channels', (
      select coalesce(json_agg(json_build_object('id', ch.id, 'kind', ch.kind, 'connected', ch.status <> 'disconnected')
        order by ch.status = 'disconnected', ch.id), '[]')
      from (select ch.id, ch.kind, ch.status from channels ch where ch.workspace_id = w.id
        order by ch.status = 'disconnected', ch.id limit ${maxRowsRead}) ch))
    from workspaces w where w.id = ${workspaceId})`

/**
 * Returns the number of attempts without a result. An arrival can make the run due again during a claim, which then writes
 * no result. The run is then due after the claim began, and its attempts do not count.
 */
const attemptsOf = (sql: Sql, claimMs: number) => sql`
  case when wake_at > claimed_until - ${claimMs} * interval '1 millisecond' then 0 else attempts end`

interface ClaimedRow {
  setAside: number
  firstMs: number | null
  now: Date
  suspected: boolean
  definitions: { workflowId: string; version: number; definition: Definition; templateIds: string[] }[]
  workspaces: Record<string, WorkspaceData>
  runs: (Omit<DueRun, 'definition' | 'templateIds' | 'recordedAt' | 'read'> & {
    version: number
    recordedAt: string
    read: Omit<RunData, 'workspace'>
  })[]
}

/** Assembles the runs. Each version is transferred once and shared by all of its runs. */
const runsOf = ({ now, suspected, setAside, firstMs, definitions, workspaces, runs }: ClaimedRow): ClaimedRuns => {
  const byVersion = new Map(definitions.map(({ workflowId, version, ...of }) => [`${workflowId} ${version}`, of]))
  return {
    now,
    suspected,
    setAside,
    firstMs,
    runs: runs.map(({ version, ...run }) => ({
      ...run,
      // For a run that waits only for time, `wake_at` is the end of the wait. The run is due, so the wait is over.
      waitUntil: run.waits ? run.waitUntil : null,
      recordedAt: new Date(run.recordedAt),
      // Null if the version no longer exists. The execution then fails and the run ends.
      ...byVersion.get(`${run.workflowId} ${version}`)!,
      read: { ...run.read, workspace: workspaces[run.workspaceId]! },
    })),
  }
}

/**
 * Size in bytes below which a value need not be written as text. Writing a small value only to measure it would be the
 * largest cost.
 */
const smallBytes = 1000

/** Returns the approximate size of a json value as text. An uncompressed value with a small stored size is small. */
const sizeOf = (sql: Sql, column: 'v.definition' | 'e.data') => sql`
  case when pg_column_size(${sql(column)}) < ${smallBytes} and pg_column_compression(${sql(column)}) is null
    then pg_column_size(${sql(column)}) else octet_length(${sql(column)}::text) end`

/**
 * Condition for rows of `workflow_runs r` that are unchanged since they were claimed, among `claims c`.
 *
 * For non-null values `is not distinct from` equals `=`, but cannot use an index. The planner therefore does not scan
 * the index of waiting runs, which may be large.
 */
const isStillClaimed = (sql: Sql) => sql`
  r.workspace_id = c.workspace_id and r.id = c.id and probe_index(r.id) and r.status is not distinct from 'active' and r.attempts = c.attempts
    and r.wake_at is not distinct from c.was_due_at and r.claimed_until is not distinct from c.claimed_until`

/** Releases runs after a failure of the database. The try does not count. */
export const releaseRuns = (sql: Sql, runs: DueRun[]) => sql`
  update workflow_runs r set attempts = r.attempts - 1, claimed_until = null
  from json_to_recordset(${JSON.stringify(runs.map(claimOf))}::text::json) as c(workspace_id uuid, id uuid, attempts smallint,
    was_due_at timestamptz, claimed_until timestamptz)
  where ${isStillClaimed(sql)}`

/** Postpones a run that could not be advanced, behind the others. The try counts. */
export const postponeRun = (sql: Sql, run: DueRun, ms: number) => sql`
  update workflow_runs r set wake_at = now() + ${ms} * interval '1 millisecond', claimed_until = null
  from json_to_recordset(${JSON.stringify([claimOf(run)])}::text::json) as c(workspace_id uuid, id uuid, attempts smallint,
    was_due_at timestamptz, claimed_until timestamptz)
  where ${isStillClaimed(sql)}`

/**
 * Counts a try for the oldest due run, which could not be claimed. It is postponed, or ends after its last try, which
 * emits `run.failed`, without a trace: the event may be what cannot be read. Returns null if another process has claimed
 * it.
 */
export const failFirstDueRun = async (
  sql: Sql,
  { maxAttempts, waitMs, paused = [] }: { maxAttempts: number; waitMs: number; paused?: readonly string[] },
) => {
  const [row] = await sql<{ id: string; ended: boolean }[]>`
    with first_due as (
      select workspace_id, id, attempts + 1 >= ${maxAttempts} as ends from workflow_runs
      where wake_at <= now() and not paused and (claimed_until is null or claimed_until <= now()) ${isNotPaused(sql, paused)}
      order by wake_at limit 1 for update skip locked
    ), tried as (
      update workflow_runs r set attempts = r.attempts + 1, claimed_until = null,
        status = case when ends then 'failed' else status end,
        end_reason = case when ends then 'internal_error' end,
        waiting = waiting and not ends,
        ended_at = case when ends then now() end,
        wake_at = case when not ends then now() + ${waitMs} * interval '1 millisecond' end
      from first_due where r.workspace_id = first_due.workspace_id and r.id = first_due.id and probe_index(r.id)
      returning new.*
    ), reported as (${reportFailed(sql, sql`(select *, null::text as traceparent from tried)`)})
    select id, status = 'failed' as ended from tried`
  return row ?? null
}

/** Emits `run.failed` for each updated run that has failed. `updated` has the columns of the run, and `traceparent`. */
const reportFailed = (sql: Sql, updated: Fragment) =>
  insertIntoOutbox(
    sql,
    draftEvents(sql, 'run.failed', {
      rows: sql`${updated} as run left join lateral (
        select w.name from workflows w where w.workspace_id = run.workspace_id and w.id = run.workflow_id offset 0
      ) w on true where run.status = 'failed'`,
      workspaceId: sql`run.workspace_id`,
      traceparent: sql`run.traceparent`,
      data: {
        runId: sql`run.id`,
        workflowId: sql`run.workflow_id`,
        workflowName: sql`coalesce(w.name, '')`,
        customerId: sql`run.customer_id`,
        eventId: sql`run.event_id`,
        stepId: sql`run.step_id`,
        reason: sql`run.end_reason`,
      },
    }),
  )

const claimOf = ({ workspaceId, id, attempts, wakeAt, claimedUntil }: Claim) => ({
  workspace_id: workspaceId,
  id,
  attempts,
  was_due_at: wakeAt,
  claimed_until: claimedUntil,
})

/** Result of advancing a run. */
export type RunAdvance = Advance & {
  /** ID of the last evaluated arrival. Null if no more arrivals are left to evaluate. */
  evaluatedUpTo: string | null
  /** IDs of the arrivals that the execution evaluated. */
  seen?: readonly string[]
}

/** End reasons with the status `done`. All others have the status `failed`. */
const doneReasons: ReadonlySet<string> = new Set(['completed', 'exited', 'exit_condition', 'opted_out'])

const isFailed = ({ wakeAt, endReason }: RunAdvance): boolean => wakeAt === null && !doneReasons.has(endReason ?? '')

/**
 * Records the results of executions in one statement: the runs, the trace and the effects of each kind. Returns the
 * channels that got messages. The part that emits `run.failed` is only present if a run has failed, so that others cost
 * nothing more.
 *
 * Writes only runs that are unchanged since they were claimed. Nothing is written for a run that has ended, for example
 * because its customer was erased, or that another process has claimed.
 */
export const recordAdvances = async (
  tx: Sql,
  advances: { run: DueRun; result: RunAdvance }[],
): Promise<QueuedChannel[]> => {
  const executions = advances.map(executionOf)
  const waits = advances.flatMap(waitOf)
  const isEmitting = emitsEvents(executions)
  const hasFailed = advances.some(({ result }) => isFailed(result))
  const statement = tx<{ queued: QueuedRows; emitted: Emitted | null }[]>`
    with stored as (
      update workflow_runs r set step_id = c.step_id, waiting = c.waiting, steps_taken = c.steps_taken, wake_at = c.wake_at,
        end_reason = c.end_reason, end_detail = c.end_detail, wait_until = c.wait_until, answer = c.answer,
        consumed_arrivals = c.consumed_arrivals, evaluated_up_to = c.evaluated_up_to,
        ended_at = case when c.wake_at is null then now() end, attempts = 0, claimed_until = null,
        status = case when c.wake_at is not null then 'active' when c.end_reason = any(${[...doneReasons]}::text[]) then 'done' else 'failed' end
      from json_to_recordset(${JSON.stringify(advances.map(resultRowOf))}::text::json) as c(workspace_id uuid, id uuid,
        attempts smallint, was_due_at timestamptz, claimed_until timestamptz, step_id text, waiting boolean,
        steps_taken integer, wake_at timestamptz, end_reason text, end_detail text, wait_until timestamptz, answer jsonb,
        consumed_arrivals uuid[], evaluated_up_to uuid, traceparent text)
      where ${isStillClaimed(tx)}
      returning r.workspace_id, r.id${hasFailed ? tx`, r.status, r.workflow_id, r.customer_id, r.event_id, r.step_id, r.end_reason, c.traceparent` : tx``}
    ), ${recordExecutions(tx, executions)}${waits.length > 0 ? tx`, ${storeWaits(tx, waits)}` : tx``}
    ${hasFailed ? tx`, failed_runs as (${reportFailed(tx, tx`stored`)})` : tx``}
    select ${queuedRows(tx)} as queued, ${isEmitting ? emitResult(tx) : tx`null`} as emitted`
  const [row] = await emit(tx, statement)
  return queuedByExecutions(executions, row!.queued)
}

/** Maximum number of stored arrival IDs. A run reaches its step limit first. */
const maxConsumed = 1000

const resultRowOf = ({ run, result }: { run: DueRun; result: RunAdvance }) => ({
  ...claimOf(run),
  step_id: result.state.stepId,
  waiting: result.state.waiting,
  steps_taken: result.state.stepsTaken,
  wake_at: result.wakeAt,
  end_reason: result.endReason,
  end_detail: result.endDetail,
  // Only for `run.failed`.
  traceparent: isFailed(result) ? run.traceparent : undefined,
  wait_until: result.state.waitUntil,
  answer: result.state.answer,
  // PostgreSQL array syntax, because a JSON array cannot be read as uuid[].
  consumed_arrivals: `{${result.state.consumedArrivals.slice(-maxConsumed)}}`,
  evaluated_up_to: result.evaluatedUpTo,
})

/** Returns whether the run waits at a step that this execution entered. */
export const hasEnteredWait = ({ run, result }: { run: DueRun; result: RunAdvance }): boolean =>
  result.state.waiting && result.state.stepsTaken !== run.stepsTaken

/**
 * Returns the new wait conditions of a run. Empty if they do not change, because the run waited only for time and still
 * does.
 */
const waitOf = ({ run, result }: { run: DueRun; result: RunAdvance }): RunWaits[] => {
  // Only a process that knows the step knows its wait conditions.
  if (result.unknownType !== null) return []
  const ended = result.wakeAt === null
  const waitsFor = ended ? [] : result.waitsFor
  const endsByOptOut = !ended && mayEndByOptOut(run.definition)
  if (!run.waits && waitsFor.length === 0 && !endsByOptOut) return []
  const { workspaceId, id: runId, customerId } = run
  const isNew = hasEnteredWait({ run, result })
  return [{ workspaceId, runId, customerId, waitsFor, endsByOptOut, ended, isNew, seen: result.seen ?? [] }]
}

const mayEndByOptOut = ({ exitOn = [] }: Definition): boolean => exitOn.some(exit => 'optOut' in exit)

const executionOf = ({
  run: { workspaceId, id, workflowId, customerId, traceparent },
  result,
}: {
  run: DueRun
  result: RunAdvance
}): ExecutionRecord => ({
  run: { workspaceId, id, workflowId, customerId, traceparent },
  result,
})
