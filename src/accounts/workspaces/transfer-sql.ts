/** Statements that close, open, insert and delete a workspace for an import, a deletion or a move. */
import type { Sql } from '../../platform/postgres/client.ts'

/**
 * Reason for which a workspace is closed. `move`: it is opened in another database within a second. `copy`: it is in
 * another database, and these rows are a copy.
 */
export type ClosedFor = 'import' | 'deletion' | 'move' | 'copy'

export interface PortableWorkspace {
  id: string
  name: string
  /** Null if it is open. */
  closedFor: ClosedFor | null
  /** Start of an import that is not complete, also during a deletion after it. */
  importStartedAt: Date | null
  /** All other columns as JSON. */
  row: string
  /** Time of the database. */
  now: Date
}

/** Returns null if the workspace does not exist. */
export const findPortableWorkspace = async (sql: Sql, workspaceId: string): Promise<PortableWorkspace | null> => {
  const [row] = await sql<PortableWorkspace[]>`
    select id, name, closed_for as "closedFor", import_started_at as "importStartedAt", now() as now,
      (to_jsonb(w) - '{id,closed_for,import_started_at}'::text[])::text as row
    from workspaces w where id = ${workspaceId}`
  return row ?? null
}

/** Inserts a workspace that is closed for its import or its move. `row` is from `findPortableWorkspace`. */
export const insertClosedWorkspace = (
  tx: Sql,
  workspaceId: string,
  row: string,
  reason: 'import' | 'copy' = 'import',
) => tx`
  insert into workspaces (id, name, plan_id, created_at, timezone, require_second_factor, require_sso,
    events_notified_month, events_notified_percent, closed_for, import_started_at)
  select ${workspaceId}, name, plan_id, created_at, timezone, require_second_factor, require_sso,
    events_notified_month, events_notified_percent, ${reason}, case when ${reason} = 'import' then now() end
  from json_populate_record(null::workspaces, ${row}::text::json)`

/** Opens the copy of a workspace with the newest row. Returns false if it is not a copy. */
export const openCopiedWorkspace = async (tx: Sql, workspaceId: string, row: string): Promise<boolean> => {
  const { count } = await tx`
    update workspaces w set name = r.name, plan_id = r.plan_id, timezone = r.timezone,
      require_second_factor = r.require_second_factor, require_sso = r.require_sso,
      events_notified_month = r.events_notified_month, events_notified_percent = r.events_notified_percent, closed_for = null
    from json_populate_record(null::workspaces, ${row}::text::json) r
    where w.id = ${workspaceId} and w.closed_for = 'copy'`
  return count > 0
}

/**
 * Changes the state of a moving workspace, after a transaction that changes the row. Returns false if it does not have
 * the state `from`.
 */
export const changeMoveState = async (
  tx: Sql,
  workspaceId: string,
  from: 'move' | 'copy' | null,
  to: 'move' | 'copy' | null,
): Promise<boolean> => {
  const { count } = await tx`
    update workspaces set closed_for = ${to} where id = ${workspaceId} and closed_for is not distinct from ${from}::text`
  return count > 0
}

/** Closes a workspace for its deletion. Returns it with the reason from before; null if it does not exist. */
export const closeWorkspace = async (tx: Sql, workspaceId: string) => {
  const [row] = await tx<Pick<PortableWorkspace, 'name' | 'closedFor' | 'importStartedAt'>[]>`
    update workspaces set closed_for = 'deletion' where id = ${workspaceId}
    returning name, old.closed_for as "closedFor", import_started_at as "importStartedAt"`
  return row ?? null
}

/** Opens a workspace at the end of its import. */
export const openWorkspace = (tx: Sql, workspaceId: string) =>
  tx`update workspaces set closed_for = null, import_started_at = null where id = ${workspaceId}`

/** Deletes a workspace that has no other rows. */
export const deleteWorkspace = (tx: Sql, workspaceId: string) => tx`delete from workspaces where id = ${workspaceId}`
