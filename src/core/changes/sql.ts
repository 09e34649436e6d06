import type { Sql } from '../../platform/postgres/client.ts'

/** A recorded change: the row that changed. */
export interface ChangeRow {
  workspaceId: string
  kind: string
  subjectId: string
}

/**
 * Minutes for which changes of a workspace are recorded after it was last watched. Longer than the time in which a feed
 * can resume.
 */
const watchedMinutes = 7

/** Makes all processes record changes of these workspaces. */
export const markWatched = (sql: Sql, workspaceIds: string[]) => sql`
  insert into live_feed_workspaces (workspace_id, until)
  select workspace_id, now() + make_interval(mins => ${watchedMinutes}) from unnest(${workspaceIds}::uuid[]) as w(workspace_id)
  order by workspace_id
  on conflict (workspace_id) do update set until = excluded.until`

/** Returns the workspaces that are watched or were watched recently, at most 10,000. */
export const findWatched = async (sql: Sql): Promise<string[]> => {
  const rows = await sql<{ workspaceId: string }[]>`
    select workspace_id as "workspaceId" from live_feed_workspaces where until > now() limit 10000`
  return rows.map(({ workspaceId }) => workspaceId)
}

export const writeChanges = (sql: Sql, rows: ChangeRow[]) => sql`
  insert into live_feed_changes (workspace_id, kind, subject_id)
  select workspace_id, kind, subject_id
  from unnest(${rows.map(row => row.workspaceId)}::uuid[], ${rows.map(row => row.kind)}::text[],
    ${rows.map(row => row.subjectId)}::uuid[]) as i(workspace_id, kind, subject_id)`

/** Deletes at most `limit` changes older than 10 minutes, from which no feed can resume. */
export const deleteOldChanges = (sql: Sql, limit: number) => sql`
  with expired as (delete from live_feed_workspaces where until < now() - interval '1 hour')
  delete from live_feed_changes where ctid = any(array(
    select ctid from live_feed_changes where at < now() - interval '10 minutes' order by at limit ${limit}))`
