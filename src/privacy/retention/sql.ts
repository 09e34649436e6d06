import type { Sql } from '../../platform/postgres/client.ts'

/** Watermark of a kind in a workspace, and the database time. */
export interface Watermark {
  cursor: string
  now: Date
}

/**
 * Locks the watermark until the transaction ends. Returns null if another process holds it and is removing these rows.
 */
export const lockWatermark = async (tx: Sql, workspaceId: string, kind: string): Promise<Watermark | null> => {
  const [row] = await tx<Watermark[]>`
    select cursor_id as cursor, now() as now from retention_watermarks
    where workspace_id = ${workspaceId} and kind = ${kind} for update skip locked`
  if (row) return row
  const [inserted] = await tx<Watermark[]>`
    insert into retention_watermarks (workspace_id, kind) values (${workspaceId}, ${kind})
    on conflict do nothing returning cursor_id as cursor, now() as now`
  return inserted ?? null
}

/**
 * Moves the watermark. With `isReset` it is reset to the beginning, at most once a day. An unchanged watermark is
 * written only for a reset. `hasRemoved`: the page up to the cursor had rows that were removed.
 */
export const moveWatermark = (
  tx: Sql,
  p: { workspaceId: string; kind: string; cursor: string; isReset: boolean; hasRemoved: boolean },
) => tx`
  update retention_watermarks m set cursor_id = case when due.is_reset then ${firstId}::uuid else ${p.cursor}::uuid end,
    started_at = case when due.is_reset then now() else m.started_at end,
    removed_up_to = case when ${p.hasRemoved} then greatest(m.removed_up_to, ${p.cursor}::uuid) else m.removed_up_to end
  from (
    select ${p.isReset}::boolean and started_at < now() - interval '1 day' as is_reset from retention_watermarks
    where workspace_id = ${p.workspaceId} and kind = ${p.kind}
  ) due
  where m.workspace_id = ${p.workspaceId} and m.kind = ${p.kind} and (due.is_reset or m.cursor_id <> ${p.cursor})`

/** Returns the ids up to which retention has ever removed rows of a workspace, by kind. */
export const findRemovedUpTo = async (sql: Sql, workspaceId: string): Promise<Map<string, string>> => {
  const rows = await sql<{ kind: string; id: string }[]>`
    select kind, removed_up_to as id from retention_watermarks
    where workspace_id = ${workspaceId} and removed_up_to is not null`
  return new Map(rows.map(({ kind, id }) => [kind, id]))
}

/** The smallest id. */
export const firstId = '00000000-0000-0000-0000-000000000000'

/** Position of the pass over all workspaces. */
export interface RetentionCursor {
  /** Null at the beginning. */
  kind: string | null
  afterWorkspace: string | null
  /** True if a workspace that was already visited has more rows to remove. */
  more: boolean
}

export const readCursor = async (sql: Sql): Promise<RetentionCursor> => {
  const [row] = await sql<RetentionCursor[]>`
    select kind, after_workspace as "afterWorkspace", more from retention_progress where only_row`
  return row ?? { kind: null, afterWorkspace: null, more: false }
}

export const writeCursor = (sql: Sql, { kind, afterWorkspace, more }: RetentionCursor) => sql`
  update retention_progress set kind = ${kind}, after_workspace = ${afterWorkspace}, more = ${more} where only_row`

/** Returns a page of all open workspaces, in id order. */
export const findWorkspacesAfter = async (sql: Sql, after: string, limit: number): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    select id from workspaces where id > ${after} and closed_for is null order by id limit ${limit}`
  return rows.map(({ id }) => id)
}
