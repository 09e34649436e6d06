/** Runs are rows that fall due. Whoever advances one holds its row lock until what the step did is committed with it. */
import { isConnectionError, type Sql, sqlState, transaction } from '../../db/client.ts'
import { type Advance, advance, type RunFacts, type RunState } from './interpreter.ts'
import type { Definition } from './schema.ts'

export interface RunsAdvanced {
  advanced: number
  /** Channels that were given messages. */
  channels: { workspaceId: string; channelId: string }[]
}

/** Hears of a run that failed by itself: it ended as failed, or is tried again a little later. */
export type OnRunFailure = (error: unknown, runId: string, ended: boolean) => void

/**
 * Advances up to `limit` due runs in one transaction. Any number of processes may do so at once: a run that another
 * holds is passed over. A run that our own code cannot advance ends as failed. Where it is the database that will not
 * take what a run did, nothing of the page is recorded: see `advanceFirstDueRun`.
 */
export const advanceDueRuns = (sql: Sql, limit: number, onFailure: OnRunFailure): Promise<RunsAdvanced> =>
  transaction(sql, async tx => advanceClaimed(tx, await claimDueRuns(tx, earliest(tx, limit)), onFailure))

/**
 * A page takes no more runs once their events and versions, or their messages, come to so much; the rest stay due. Else
 * a few hundred runs of the largest kind would occupy the process for longer than its leases last.
 */
const maxBytesRead = 4_000_000
const maxWritten = 1_000_000

const advanceClaimed = async (tx: Sql, due: DueRun[], onFailure: OnRunFailure): Promise<RunsAdvanced> => {
  if (due.length === 0) return { advanced: 0, channels: [] }
  const now = new Date()
  const advances: { run: DueRun; to: Outcome }[] = []
  let written = 0
  for (const run of due) {
    if (written >= maxWritten) break
    const to = advanceOne(run, now, onFailure)
    advances.push({ run, to })
    for (const { text } of to.messages) written += text.length
  }
  return { advanced: advances.length, channels: await recordAdvances(tx, advances) }
}

/** Whether it is the database that failed, and not what was asked of it: every run would fail alike. */
export const isFailureOfDatabase = (error: unknown): boolean => blameOf(error) === 'database'

/** How often each run has failed by itself in this process, and when it did last. */
export type RunFailures = Map<string, { times: number; at: number }>

/**
 * Advances the one that has been due longest, so that a run which spoils a page is found and the others go on. It ends
 * as failed with `internal_error`: at once where the failure is its own, at the third where it may be. Until then, and
 * where it only stood in somebody's way, it is put off, behind the others. Throws, and ends nothing, where the failure
 * is of the database.
 */
export const advanceFirstDueRun = async (
  sql: Sql,
  failures: RunFailures,
  onFailure: OnRunFailure,
): Promise<RunsAdvanced> => {
  const run = await findFirstDueRun(sql)
  if (!run) return { advanced: 0, channels: [] }
  try {
    const { channels } = await transaction(sql, async tx =>
      advanceClaimed(tx, await claimDueRuns(tx, one(tx, run)), onFailure),
    )
    // Where another process has taken it since, that is progress too.
    return { advanced: 1, channels }
  } catch (error) {
    if (isFailureOfDatabase(error)) throw error
    const wait = waitBeforeNextTry(error, run, failures)
    await (wait === null ? endFailedRun(sql, run) : putOffRun(sql, run, wait))
    onFailure(error, run.id, wait === null)
    return { advanced: 1, channels: [] }
  }
}

/** Milliseconds; a run that fails once more after them ends. */
const waitsBetweenTries = [1000, 5000] as const
/** Well above what three tries take when each lasts until its statement times out. */
const rememberedMs = 600_000

/** Milliseconds until a run that failed is tried again; null when it is to end. */
const waitBeforeNextTry = (error: unknown, { id }: FoundRun, failures: RunFailures): number | null => {
  const now = Date.now()
  for (const [other, { at }] of failures) if (at < now - rememberedMs) failures.delete(other)
  const blame = blameOf(error)
  if (blame === 'others') return waitsBetweenTries[0]
  const times = failures.get(id)?.times ?? 0
  const wait = blame === 'run' ? undefined : waitsBetweenTries[times]
  if (wait === undefined) failures.delete(id)
  else failures.set(id, { times: times + 1, at: now })
  return wait ?? null
}

/**
 * Whose fault it is that a run's transaction failed. `run`: what it did cannot be stored. `others`: somebody held what
 * it needed. `database`: it is away, full, being changed or not ours to write to, and would refuse any run. `unknown`:
 * any of these, a statement that took too long among them.
 */
const blameOf = (error: unknown): 'run' | 'others' | 'database' | 'unknown' => {
  if (isConnectionError(error)) return 'database'
  const state = sqlState(error) ?? ''
  if (state === statementTimeout) return 'unknown'
  if (/^(21|22|23|54)/.test(state)) return 'run'
  if (/^(40|55)/.test(state)) return 'others'
  return /^(08|0A|25|28|3D|3F|42|53|57|58)/.test(state) ? 'database' : 'unknown'
}

const statementTimeout = '57014'

/** When the next run falls due; null when none waits. */
export const nextRunDue = async (sql: Sql): Promise<Date | null> => {
  const [row] = await sql<{ at: Date | null }[]>`select min(wake_at) as at from workflow_runs where wake_at is not null`
  return row?.at ?? null
}

interface DueRun extends RunState {
  workspaceId: string
  id: string
  recordedAt: Date
  definition: Definition
  customerId: string
  facts: RunFacts
}

type Outcome = Advance | { state: RunState; wakeAt: null; endReason: 'internal_error'; trace: []; messages: [] }

const advanceOne = (run: DueRun, now: Date, onFailure: OnRunFailure): Outcome => {
  try {
    return advance(run.definition, run, run.facts, run.recordedAt, now)
  } catch (error) {
    onFailure(error, run.id, true)
    return { state: run, wakeAt: null, endReason: 'internal_error', trace: [], messages: [] }
  }
}

/** A due run, as of the moment it was found. */
interface FoundRun {
  workspaceId: string
  id: string
  /** With all its digits: a run that has moved since is no longer due at the same time. */
  wakeAt: string
}

const findFirstDueRun = async (sql: Sql): Promise<FoundRun | null> => {
  const [row] = await sql<FoundRun[]>`
    select workspace_id as "workspaceId", id, wake_at::text as "wakeAt" from workflow_runs
    where wake_at <= now() order by wake_at limit 1 for update skip locked`
  return row ?? null
}

const earliest = (tx: Sql, limit: number) => tx`where wake_at <= now() order by wake_at limit ${limit}`

const one = (tx: Sql, { workspaceId, id, wakeAt }: FoundRun) =>
  tx`where workspace_id = ${workspaceId} and id = ${id} and wake_at = ${wakeAt}::text::timestamptz`

/** Passes over a run that another process holds: that one judges it. */
const endFailedRun = (sql: Sql, run: FoundRun) => sql`
  with failed as (select workspace_id, id from workflow_runs ${one(sql, run)} for update skip locked)
  update workflow_runs r set status = 'failed', end_reason = 'internal_error', waiting = false, wake_at = null, ended_at = now()
  from failed where r.workspace_id = failed.workspace_id and r.id = failed.id`

const putOffRun = (sql: Sql, run: FoundRun, ms: number) => sql`
  with failed as (select workspace_id, id from workflow_runs ${one(sql, run)} for update skip locked)
  update workflow_runs r set wake_at = now() + ${ms} * interval '1 millisecond'
  from failed where r.workspace_id = failed.workspace_id and r.id = failed.id`

/** Left joins: a run that lacks something must be handed out all the same and end, or it would stay due forever. */
const claimDueRuns = (tx: Sql, which: ReturnType<typeof earliest>) => tx<DueRun[]>`
  with due as (
    select * from workflow_runs ${which} for update skip locked
  ), weighed as (
    select due.*, v.definition, e.id as found_event, e.type as event_type, e.data, e.created_at as recorded_at,
      sum(octet_length(e.data::text) + octet_length(v.definition::text))
        over (order by due.wake_at, due.id rows between unbounded preceding and 1 preceding) as weight_before
    from due
    left join workflow_versions v
      on v.workspace_id = due.workspace_id and v.workflow_id = due.workflow_id and v.version = due.version
    left join events e on e.workspace_id = due.workspace_id and e.id = due.event_id
  )
  select due.workspace_id as "workspaceId", due.id, due.step_id as "stepId", due.waiting, due.steps_taken as "stepsTaken",
    due.customer_id as "customerId", due.recorded_at as "recordedAt", due.definition,
    json_build_object(
      'data', due.data,
      'event', json_build_object('id', due.found_event, 'type', due.event_type),
      'customer', json_build_object('id', c.id, 'name', c.name, 'phone', c.phone, 'externalId', c.external_id,
        'attributes', c.attributes),
      'channelIds', coalesce((select json_agg(ch.id order by ch.id) from channels ch where ch.workspace_id = due.workspace_id), '[]')
    ) as facts
  from weighed due
  left join customers c on c.workspace_id = due.workspace_id and c.id = due.customer_id
  where coalesce(due.weight_before, 0) < ${maxBytesRead}`

/**
 * Everything the steps did, in one statement: the runs move on, the trace grows, messages are queued in the
 * conversation of their customer and channel. A message is unique by run and position, whatever happens twice.
 */
const recordAdvances = (tx: Sql, advances: { run: DueRun; to: Outcome }[]) => {
  const runs = advances.map(({ run, to }) => ({
    workspace_id: run.workspaceId,
    id: run.id,
    step_id: to.state.stepId,
    waiting: to.state.waiting,
    steps_taken: to.state.stepsTaken,
    wake_at: to.wakeAt,
    end_reason: to.endReason,
    status: statusOf(to),
  }))
  const trace = advances.flatMap(({ run, to }) =>
    to.trace.map(({ position, stepId, outcome, detail }) => ({
      workspace_id: run.workspaceId,
      run_id: run.id,
      position,
      step_id: stepId,
      outcome,
      detail,
    })),
  )
  const messages = advances.flatMap(({ run, to }) =>
    to.messages.map(({ position, channelId, handle, text }) => ({
      workspace_id: run.workspaceId,
      run_id: run.id,
      position,
      customer_id: run.customerId,
      channel_id: channelId,
      handle,
      text,
    })),
  )
  return tx<RunsAdvanced['channels']>`
    with moved as (
      update workflow_runs r set step_id = a.step_id, waiting = a.waiting, steps_taken = a.steps_taken, wake_at = a.wake_at,
        end_reason = a.end_reason, status = a.status, ended_at = case when a.wake_at is null then now() end
      from json_to_recordset(${JSON.stringify(runs)}::text::json) as a(workspace_id uuid, id uuid, step_id text,
        waiting boolean, steps_taken integer, wake_at timestamptz, end_reason text, status text)
      where r.workspace_id = a.workspace_id and r.id = a.id
    ), traced as (
      insert into workflow_run_steps (workspace_id, run_id, position, step_id, outcome, detail)
      select workspace_id, run_id, position, step_id, outcome, detail
      from json_to_recordset(${JSON.stringify(trace)}::text::json) as t(workspace_id uuid, run_id uuid, position integer,
        step_id text, outcome text, detail jsonb)
    ), input as materialized (
      select * from json_to_recordset(${JSON.stringify(messages)}::text::json) as m(workspace_id uuid, run_id uuid,
        position integer, customer_id uuid, channel_id uuid, handle text, text text)
    ), conversation as (
      insert into conversations (workspace_id, channel_id, customer_id, handle)
      select distinct on (workspace_id, channel_id, customer_id) workspace_id, channel_id, customer_id, handle
      from input order by workspace_id, channel_id, customer_id
      on conflict (workspace_id, channel_id, customer_id) do update set handle = excluded.handle
      returning workspace_id, id, channel_id, customer_id
    ), queued as (
      insert into messages (workspace_id, channel_id, conversation_id, customer_id, direction, text, status, run_id, run_step, due_at)
      select i.workspace_id, i.channel_id, c.id, i.customer_id, 'outbound', i.text, 'queued', i.run_id, i.position, now()
      from input i join conversation c using (workspace_id, channel_id, customer_id)
      order by i.run_id, i.position
      on conflict do nothing
    )
    select distinct workspace_id as "workspaceId", channel_id as "channelId" from input`
}

const statusOf = ({ wakeAt, endReason }: Outcome): string => {
  if (wakeAt !== null) return 'active'
  return endReason === 'completed' ? 'done' : 'failed'
}
