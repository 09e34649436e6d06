/** Retention of runs. */

import { minIdAt } from '../core/ids.ts'
import type { RetentionRange, RetentionResult } from '../core/retention.ts'
import type { Sql } from '../platform/postgres/client.ts'

/**
 * Removes a page of old runs that have ended, with their traces. Keeps runs that prevent a second entry of their
 * customer.
 */
export const removeOldRuns = async (
  sql: Sql,
  { workspaceId, after, olderThan, limit }: RetentionRange,
): Promise<RetentionResult> => {
  const [row] = await sql<RetentionResult[]>`
    with page as materialized (
      select r.id from workflow_runs r
      where r.workspace_id = ${workspaceId} and r.id > ${after} and r.id < ${minIdAt(olderThan)}
      order by r.id limit ${limit}
    ), removable as materialized (
      select locked.id from page cross join lateral (
        select r.id from workflow_runs r
        where r.workspace_id = ${workspaceId} and r.id = page.id and probe_index(r.id) and r.status <> 'active'
          and (r.entry_key like 'once:%') is not true
        for update skip locked
      ) locked
    ), steps as (
      delete from workflow_run_steps s
      where s.workspace_id = ${workspaceId} and s.run_id = any(array(select id from removable))
    ), removed as (
      delete from workflow_runs r using removable
      where r.workspace_id = ${workspaceId} and r.id = removable.id and probe_index(r.id) returning r.id
    )
    select (select id from page order by id desc limit 1) as last, (select count(*)::integer from page) as scanned,
      (select count(*)::integer from removed) as removed`
  return row!
}
