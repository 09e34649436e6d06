/** Finds the inbound event that led to a message. */
import type { Fragment, Sql } from '../../platform/postgres/client.ts'

/**
 * SQL expression over `row` (workspace_id, run_id): the event whose run sent a message. Null if no run sent it, or if
 * the run was removed by retention.
 */
export const eventOfRun = (sql: Sql, row: Fragment) => sql`(
  select r.event_id from workflow_runs r
  where r.workspace_id = ${row}.workspace_id and r.id = ${row}.run_id and probe_index(r.id))`
