/** Statements that close, open, insert and delete a workspace for an import or a deletion. */
import type { Sql } from '../../platform/postgres/client.ts'

/** Reason for which a workspace is closed. */
export type ClosedFor = 'import' | 'deletion'

export interface PortableWorkspace {
  id: string
  name: string
  /** Null unless an import or a deletion is not complete. */
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

/** Inserts a workspace that is closed for its import. `row` is from `findPortableWorkspace`. */
export const insertClosedWorkspace = (tx: Sql, workspaceId: string, row: string) => tx`
  insert into workspaces (id, name, plan_id, created_at, timezone, require_second_factor, require_sso,
    events_notified_month, events_notified_percent, closed_for, import_started_at)
  select ${workspaceId}, name, plan_id, created_at, timezone, require_second_factor, require_sso,
    events_notified_month, events_notified_percent, 'import', now()
  from json_populate_record(null::workspaces, ${row}::text::json)`

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
