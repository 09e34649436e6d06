/** Runs are rows that fall due. Whoever advances one holds its row lock until what the step did is committed with it. */
import { type Sql, transaction } from '../../db/client.ts'
import { type Advance, advance, type RunFacts, type RunState } from './interpreter.ts'
import type { Definition } from './schema.ts'

export interface RunsAdvanced {
  advanced: number
  /** Channels that were given messages. */
  channels: { workspaceId: string; channelId: string }[]
}

/**
 * Advances up to `limit` due runs in one transaction. Any number of processes may do so at once: a run that another
 * holds is passed over. `onBug` hears of a run that our own code could not advance; that run ends as failed.
 */
export const advanceDueRuns = (
  sql: Sql,
  limit: number,
  onBug: (error: unknown, runId: string) => void,
): Promise<RunsAdvanced> =>
  transaction(sql, async tx => {
    const due = await claimDueRuns(tx, limit)
    if (due.length === 0) return { advanced: 0, channels: [] }
    const now = new Date()
    const advances = due.map(run => ({ run, to: advanceOne(run, now, onBug) }))
    return { advanced: due.length, channels: await recordAdvances(tx, advances) }
  })

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

const advanceOne = (run: DueRun, now: Date, onBug: (error: unknown, runId: string) => void): Outcome => {
  try {
    return advance(run.definition, run, run.facts, run.recordedAt, now)
  } catch (error) {
    onBug(error, run.id)
    return { state: run, wakeAt: null, endReason: 'internal_error', trace: [], messages: [] }
  }
}

/** Left joins: a run that lacks something must be handed out all the same and end, or it would stay due forever. */
const claimDueRuns = (tx: Sql, limit: number) => tx<DueRun[]>`
  with due as (
    select * from workflow_runs where wake_at <= now() order by wake_at limit ${limit} for update skip locked
  )
  select due.workspace_id as "workspaceId", due.id, due.step_id as "stepId", due.waiting, due.steps_taken as "stepsTaken",
    due.customer_id as "customerId", e.created_at as "recordedAt", v.definition,
    json_build_object(
      'data', e.data,
      'event', json_build_object('id', e.id, 'type', e.type),
      'customer', json_build_object('id', c.id, 'name', c.name, 'phone', c.phone, 'externalId', c.external_id,
        'attributes', c.attributes),
      'channelIds', coalesce((select json_agg(ch.id order by ch.id) from channels ch where ch.workspace_id = due.workspace_id), '[]')
    ) as facts
  from due
  left join workflow_versions v
    on v.workspace_id = due.workspace_id and v.workflow_id = due.workflow_id and v.version = due.version
  left join events e on e.workspace_id = due.workspace_id and e.id = due.event_id
  left join customers c on c.workspace_id = due.workspace_id and c.id = due.customer_id`

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
