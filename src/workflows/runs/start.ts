/**
 * SQL fragments that start runs in the statement that records their events, so that no recorded event lacks its runs.
 */
import type { Fragment, Sql } from '../../platform/postgres/client.ts'
import type { Advance } from './interpreter.ts'
import { type ExecutionRecord, recordExecutions } from './record.ts'

/** Run that an event starts. */
export interface RunStart {
  workspaceId: string
  eventId: string
  customerId: string
  id: string
  workflowId: string
  version: number
  /** Unique key if the workflow limits entries. No two runs of the workflow have the same one. */
  entryKey?: string | null
  /** `traceparent` of the event. Null without a trace. */
  traceparent: string | null
}

/** Run as first written: with the result of its execution if it was executed to the end, otherwise as due. */
export interface StartedRun extends RunStart {
  execution: Advance | null
}

/**
 * Returns CTEs, to follow `with`, that start the runs of the events in `recorded` (workspace_id, id, customer_id,
 * created_at).
 *
 * A run without an execution is due when its event was recorded. Messages queued by executions are in `queued`, which
 * exists only if there was an execution.
 *
 * `stored` (workspace_id, id) contains the started runs. A run is missing if a concurrent call has just started one with
 * the same entry key. The caller must then roll back. Keys are inserted in order, so that two statements cannot deadlock.
 */
export const startRuns = (sql: Sql, starts: readonly StartedRun[], recorded: Fragment) => {
  const executions = executionsOf(starts)
  return sql`
    stored as (
      insert into workflow_runs (workspace_id, id, workflow_id, version, customer_id, event_id, wake_at, status, steps_taken,
        end_reason, ended_at, entry_key)
      select r.workspace_id, s.id, s.workflow_id, s.version, r.customer_id, r.id,
        case when s.end_reason is null then r.created_at end, case when s.end_reason is null then 'active' else 'done' end,
        s.steps_taken, s.end_reason, case when s.end_reason is not null then now() end, s.entry_key
      from json_to_recordset(${JSON.stringify(starts.map(rowOf))}::text::json)
        as s(event_id uuid, id uuid, workflow_id uuid, version integer, steps_taken integer, end_reason text, entry_key text)
      join ${recorded} r on r.id = s.event_id
      ${
        starts.some(({ entryKey }) => entryKey)
          ? sql`order by r.workspace_id, s.workflow_id, s.entry_key
            on conflict (workspace_id, workflow_id, entry_key)
              where entry_key is not null and (ended_at is null or entry_key like 'once:%') do nothing`
          : sql``
      }
      returning workspace_id, id
    )${executions.length > 0 ? sql`, ${recordExecutions(sql, executions)}` : sql``}`
}

/** Returns the executions of these runs. */
export const executionsOf = (starts: readonly StartedRun[]): ExecutionRecord[] =>
  starts.flatMap(run => (run.execution === null ? [] : [{ run, result: run.execution }]))

const rowOf = ({ eventId, id, workflowId, version, execution, entryKey }: StartedRun) => ({
  event_id: eventId,
  id,
  workflow_id: workflowId,
  version,
  steps_taken: execution?.state.stepsTaken ?? 0,
  end_reason: execution?.endReason ?? null,
  entry_key: entryKey ?? null,
})
