/** Runs that are due in a restored database. */
import type { Sql } from '../platform/postgres/client.ts'
import { countByAge } from '../queue/hold/index.ts'
import { endRuns } from '../queue/waits/index.ts'

/** Counts the due runs of a workspace. */
export const countHeldRuns = (sql: Sql, workspaceId: string) =>
  countByAge(
    sql,
    sql`select r.wake_at as since from workflow_runs r
      where r.workspace_id = ${workspaceId} and r.status = 'active' and r.wake_at <= now()`,
  )

/** Detail of a run that was stopped. */
const stoppedRunDetail = 'The run was due for too long when sending was released after a restore.'

/** Stops a page of runs that are due since a time before `before`. Returns their number. */
export const stopHeldRuns = async (
  sql: Sql,
  { workspaceId, before, limit }: { workspaceId: string; before: Date; limit: number },
): Promise<number> => {
  const [row] = await sql<[{ count: number }]>`
    with ${endRuns(
      sql,
      sql`select r.workspace_id, r.id from workflow_runs r
        where r.workspace_id = ${workspaceId} and r.status = 'active' and r.wake_at < ${before}
        limit ${limit} for no key update`,
      { status: 'stopped', reason: 'stopped', detail: stoppedRunDetail },
    )}
    select count(*)::integer as count from ended`
  return row.count
}
