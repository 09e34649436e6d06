import type { Sql } from '../../db/client.ts'

/** Watermark of a kind in a workspace, and the database time. */
export interface Mark {
  reached: string
  now: Date
}

/**
 * Locks the watermark until the transaction ends. Returns null if another process holds it and is removing these rows.
 */
export const holdMark = async (tx: Sql, workspaceId: string, kind: string): Promise<Mark | null> => {
  const [row] = await tx<Mark[]>`
    select reached, now() as now from retention_marks
    where workspace_id = ${workspaceId} and kind = ${kind} for update skip locked`
  if (row) return row
  const [made] = await tx<Mark[]>`
    insert into retention_marks (workspace_id, kind) values (${workspaceId}, ${kind})
    on conflict do nothing returning reached, now() as now`
  return made ?? null
}

/**
 * Moves the watermark. With `beginsAnew` it is reset to the beginning, at most once a day. An unchanged watermark is
 * written only for a reset.
 */
export const moveMark = (tx: Sql, p: { workspaceId: string; kind: string; reached: string; beginsAnew: boolean }) => tx`
  update retention_marks m set reached = case when due.anew then ${beginning}::uuid else ${p.reached}::uuid end,
    begun_at = case when due.anew then now() else m.begun_at end
  from (
    select ${p.beginsAnew}::boolean and begun_at < now() - interval '1 day' as anew from retention_marks
    where workspace_id = ${p.workspaceId} and kind = ${p.kind}
  ) due
  where m.workspace_id = ${p.workspaceId} and m.kind = ${p.kind} and (due.anew or m.reached <> ${p.reached})`

/** The smallest id. */
export const beginning = '00000000-0000-0000-0000-000000000000'

/** Position of the pass over all workspaces. */
export interface Walk {
  /** Null at the beginning. */
  kind: string | null
  afterWorkspace: string | null
  /** True if a workspace that was already visited has more rows to remove. */
  more: boolean
}

export const readWalk = async (sql: Sql): Promise<Walk> => {
  const [row] = await sql<Walk[]>`
    select kind, after_workspace as "afterWorkspace", more from retention_walk where only_one`
  return row ?? { kind: null, afterWorkspace: null, more: false }
}

export const writeWalk = (sql: Sql, { kind, afterWorkspace, more }: Walk) => sql`
  update retention_walk set kind = ${kind}, after_workspace = ${afterWorkspace}, more = ${more} where only_one`

/** Returns a page of all workspaces, in id order. */
export const findWorkspacesAfter = async (sql: Sql, after: string, limit: number): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`select id from workspaces where id > ${after} order by id limit ${limit}`
  return rows.map(({ id }) => id)
}
