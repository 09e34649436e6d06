/** Finds the inbound event that led to a message. */
import type { Fragment, Sql } from '../../db/client.ts'

/**
 * The event whose run sent a message, as an expression over `row` (workspace_id, run_id). Null where no run sent it, and
 * where the run is no longer kept.
 */
export const eventOfRun = (sql: Sql, row: Fragment) => sql`(
  select r.event_id from workflow_runs r
  where r.workspace_id = ${row}.workspace_id and r.id = ${row}.run_id and looked_up(r.id))`
