/** The statements of runs: they are rows that fall due, and whoever holds the row lock of one advances it. */
import type { Fragment, Sql } from '../../db/client.ts'
import { type MessageToQueue, queueing } from '../messages/index.ts'
import type { Effect } from './effects.ts'
import type { RunFacts } from './facts.ts'
import type { Advance, PlacedEffect, RunState } from './interpreter.ts'
import type { Definition } from './schema.ts'

/** When the next run falls due; null when none waits. */
export const nextRunDue = async (sql: Sql): Promise<Date | null> => {
  const [row] = await sql<{ at: Date | null }[]>`select min(wake_at) as at from workflow_runs where wake_at is not null`
  return row?.at ?? null
}

/** A run that is held, with all that a visit needs. */
export interface DueRun extends RunState {
  workspaceId: string
  id: string
  recordedAt: Date
  definition: Definition
  customerId: string
  facts: RunFacts
}

/** A due run, as of the moment it was found. */
export interface FoundRun {
  workspaceId: string
  id: string
  /** With all its digits: a run that has moved since is no longer due at the same time. */
  wakeAt: string
}

/** The run that has been due longest. */
export const findFirstDueRun = async (sql: Sql): Promise<FoundRun | null> => {
  const [row] = await sql<FoundRun[]>`
    select workspace_id as "workspaceId", id, wake_at::text as "wakeAt" from workflow_runs
    where wake_at <= now() order by wake_at limit 1 for update skip locked`
  return row ?? null
}

/** Which runs to hold: those that have been due longest. */
export const earliest = (tx: Sql, limit: number) => tx`where wake_at <= now() order by wake_at limit ${limit}`

/** Which runs to hold: this one, unless it has moved since it was found. */
export const one = (tx: Sql, { workspaceId, id, wakeAt }: FoundRun) =>
  tx`where workspace_id = ${workspaceId} and id = ${id} and wake_at = ${wakeAt}::text::timestamptz`

/** Passes over a run that another process holds: that one judges it. */
export const endFailedRun = (sql: Sql, run: FoundRun) => sql`
  with failed as (select workspace_id, id from workflow_runs ${one(sql, run)} for update skip locked)
  update workflow_runs r set status = 'failed', end_reason = 'internal_error', waiting = false, wake_at = null, ended_at = now()
  from failed where r.workspace_id = failed.workspace_id and r.id = failed.id`

/** Puts a run off that could not be advanced, behind the others. */
export const putOffRun = (sql: Sql, run: FoundRun, ms: number) => sql`
  with failed as (select workspace_id, id from workflow_runs ${one(sql, run)} for update skip locked)
  update workflow_runs r set wake_at = now() + ${ms} * interval '1 millisecond'
  from failed where r.workspace_id = failed.workspace_id and r.id = failed.id`

/**
 * A page takes no more runs once their events and versions come to so much; the rest stay due. Else a few hundred runs
 * of the largest kind would occupy the process for longer than its leases last.
 */
const maxBytesRead = 4_000_000

/** Left joins: a run that lacks something must be handed out all the same and end, or it would stay due forever. */
export const claimDueRuns = (tx: Sql, which: ReturnType<typeof earliest>) => tx<DueRun[]>`
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

/** What became of a run. */
export type RunAdvance = Omit<Advance, 'endReason'> & { endReason: Advance['endReason'] | 'internal_error' }

/** A channel that was given messages. */
export interface ChannelOfRun {
  workspaceId: string
  channelId: string
}

/**
 * Everything the steps did, in one statement: the runs move on, the trace grows, and each kind of effect is written as
 * its own noun says. An effect is unique by run and position, whatever happens twice.
 */
export const recordAdvances = (tx: Sql, advances: { run: DueRun; to: RunAdvance }[]) => {
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
  return tx<ChannelOfRun[]>`
    with moved as (
      update workflow_runs r set step_id = a.step_id, waiting = a.waiting, steps_taken = a.steps_taken, wake_at = a.wake_at,
        end_reason = a.end_reason, status = a.status, ended_at = case when a.wake_at is null then now() end
      from json_to_recordset(${JSON.stringify(advances.map(moveOf))}::text::json) as a(workspace_id uuid, id uuid, step_id text,
        waiting boolean, steps_taken integer, wake_at timestamptz, end_reason text, status text)
      where r.workspace_id = a.workspace_id and r.id = a.id
    ), traced as (
      insert into workflow_run_steps (workspace_id, run_id, position, step_id, outcome, detail)
      select workspace_id, run_id, position, step_id, outcome, detail
      from json_to_recordset(${JSON.stringify(trace)}::text::json) as t(workspace_id uuid, run_id uuid, position integer,
        step_id text, outcome text, detail jsonb)
    ), ${recordEffects(tx, advances)}
    select distinct workspace_id as "workspaceId", channel_id as "channelId" from queued`
}

const moveOf = ({ run, to }: { run: DueRun; to: RunAdvance }) => ({
  workspace_id: run.workspaceId,
  id: run.id,
  step_id: to.state.stepId,
  waiting: to.state.waiting,
  steps_taken: to.state.stepsTaken,
  wake_at: to.wakeAt,
  end_reason: to.endReason,
  status: statusOf(to),
})

const statusOf = ({ wakeAt, endReason }: RunAdvance): string => {
  if (wakeAt !== null) return 'active'
  return endReason === 'completed' ? 'done' : 'failed'
}

/** An effect of one kind, and whose it is. */
interface HadBy<Kind extends Effect['kind']> {
  run: DueRun
  effect: Extract<PlacedEffect, { kind: Kind }>
}

/** How each kind of effect is recorded: parts of the statement above, as the noun that owns the rows writes them. */
const recorders: { [Kind in Effect['kind']]: (tx: Sql, had: HadBy<Kind>[]) => Fragment } = {
  queue_message: (tx, had) => queueing(tx, had.map(messageOf)),
}

const recordEffects = (tx: Sql, advances: { run: DueRun; to: RunAdvance }[]): Fragment => {
  const all = advances.flatMap(({ run, to }) => to.effects.map(effect => ({ run, effect })))
  const parts = (Object.keys(recorders) as Effect['kind'][]).map(kind =>
    recorders[kind](
      tx,
      all.filter(({ effect }) => effect.kind === kind),
    ),
  )
  return parts.reduce((before, part) => tx`${before}, ${part}`)
}

const messageOf = ({ run, effect }: HadBy<'queue_message'>): MessageToQueue => ({
  workspaceId: run.workspaceId,
  customerId: run.customerId,
  channelId: effect.channelId,
  handle: effect.handle,
  text: effect.text,
  writtenBy: { runId: run.id, position: effect.position },
})
