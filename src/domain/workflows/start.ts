/** Starting runs: a part of the statement that records their events, so that a recorded event has its runs. */
import type { Fragment, Sql } from '../../db/client.ts'
import type { Advance } from './interpreter.ts'
import { type RecordedVisit, recordingVisits } from './record.ts'

/** A run that an event starts. */
export interface RunStart {
  workspaceId: string
  eventId: string
  customerId: string
  id: string
  workflowId: string
  version: number
  /** Where the workflow lets nobody in a second time: what no two of its runs have. */
  entryKey?: string | null
}

/** A run as it is written first: with what it did to its end where it was visited before, else as due. */
export interface StartedRun extends RunStart {
  visit: Advance | null
}

/**
 * Parts of a statement, to be put behind its `with`: starts the runs of those events that are among `recorded`,
 * (workspace_id, id, customer_id, created_at). One that was not visited is due from the moment its event was recorded; of
 * those that were, the messages that were queued are in `queued`, which is there if any was visited. Where another call has
 * just let the customer in who may be in only once, the statement fails (23505). Keys come in one order, so that two
 * statements never wait for each other in a circle.
 */
export const startingRuns = (sql: Sql, starts: readonly StartedRun[], recorded: Fragment) => {
  const visits = visitsOf(starts)
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
      ${starts.some(({ entryKey }) => entryKey) ? sql`order by r.workspace_id, s.workflow_id, s.entry_key` : sql``}
      returning workspace_id, id
    )${visits.length > 0 ? sql`, ${recordingVisits(sql, visits)}` : sql``}`
}

/** What those runs did that were visited. */
export const visitsOf = (starts: readonly StartedRun[]): RecordedVisit[] =>
  starts.flatMap(run => (run.visit === null ? [] : [{ run, to: run.visit }]))

const rowOf = ({ eventId, id, workflowId, version, visit, entryKey }: StartedRun) => ({
  event_id: eventId,
  id,
  workflow_id: workflowId,
  version,
  steps_taken: visit?.state.stepsTaken ?? 0,
  end_reason: visit?.endReason ?? null,
  entry_key: entryKey ?? null,
})
