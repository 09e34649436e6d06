/** Statements that close, open, insert and delete a workspace for an import or a deletion. */
import type { Sql } from '../../platform/postgres/client.ts'

/** Reason for which a workspace is closed. */
export type ClosedFor = 'import' | 'deletion'

/** Returns the columns of a workspace as JSON, and the time of the database. Null if it does not exist. */
export const findPortableWorkspace = async (sql: Sql, workspaceId: string) => {
  const [row] = await sql<{ row: string; name: string; closedFor: ClosedFor | null; now: Date }[]>`
    select (to_jsonb(w) - '{id,closed_for}'::text[])::text as row, name, closed_for as "closedFor", now() as now
    from workspaces w where id = ${workspaceId}`
  return row ?? null
}

/** Inserts a workspace that is closed for its import. `row` is from `findPortableWorkspace`. */
export const insertClosedWorkspace = (tx: Sql, workspaceId: string, row: string) => tx`
  insert into workspaces (id, name, plan_id, created_at, timezone, require_second_factor, require_sso,
    events_notified_month, events_notified_percent, closed_for)
  select ${workspaceId}, name, plan_id, created_at, timezone, require_second_factor, require_sso,
    events_notified_month, events_notified_percent, 'import'
  from json_populate_record(null::workspaces, ${row}::text::json)`

/** Closes a workspace for its deletion. Returns its name and why it was closed before; null if it does not exist. */
export const closeWorkspace = async (tx: Sql, workspaceId: string) => {
  const [row] = await tx<{ name: string; closedFor: ClosedFor | null }[]>`
    update workspaces set closed_for = 'deletion' where id = ${workspaceId} returning name, old.closed_for as "closedFor"`
  return row ?? null
}

/** Opens a workspace at the end of its import. */
export const openWorkspace = (tx: Sql, workspaceId: string) =>
  tx`update workspaces set closed_for = null where id = ${workspaceId}`

/** Deletes a workspace that has no other rows. */
export const deleteWorkspace = (tx: Sql, workspaceId: string) => tx`delete from workspaces where id = ${workspaceId}`
