/** Starting runs: a part of the statement that records their events, so that a recorded event has its runs. */
import type { Fragment, Sql } from '../../db/client.ts'

/** A run that an event starts. */
export interface RunStart {
  eventId: string
  id: string
  workflowId: string
  version: number
}

/**
 * Starts the runs of those events that are among `recorded`, (workspace_id, id, customer_id, created_at). A run is due
 * from the moment its event was recorded.
 */
export const startingRuns = (sql: Sql, starts: RunStart[], recorded: Fragment) => sql`
  insert into workflow_runs (workspace_id, id, workflow_id, version, customer_id, event_id, wake_at)
  select r.workspace_id, s.id, s.workflow_id, s.version, r.customer_id, r.id, r.created_at
  from json_to_recordset(${JSON.stringify(starts.map(rowOf))}::text::json)
    as s(event_id uuid, id uuid, workflow_id uuid, version integer)
  join ${recorded} r on r.id = s.event_id`

const rowOf = ({ eventId, id, workflowId, version }: RunStart) => ({
  event_id: eventId,
  id,
  workflow_id: workflowId,
  version,
})
