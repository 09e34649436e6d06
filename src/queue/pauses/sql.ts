import type { Sql } from '../../platform/postgres/client.ts'
import { type PausableKind, pausableKinds } from './kinds.ts'

/** A pause. A null workspace means all of them. */
export interface Pause {
  kind: PausableKind
  workspaceId: string | null
  since: Date
}

/** Maximum number of pauses of workspaces. Processes read no more. */
export const maxPauses = 10_000

/**
 * Selects the pauses of all workspaces. All work of a closed workspace is paused: its import, deletion or move is not
 * complete. It is also paused shortly before a move closes the workspace.
 */
export const selectPauses = (sql: Sql) => sql<Pause[]>`
  select kind, null as "workspaceId", since from service_pauses
  union all (select kind, workspace_id, since from workspace_pauses order by workspace_id limit ${maxPauses})
  union all
  select kind, id, now() from (
    select id from workspaces where closed_for is not null
    union select workspace_id from workspace_moves where draining
  ) closed cross join unnest(${[...pausableKinds]}::text[]) as k(kind)`

/** Selects the pauses that apply to a workspace. */
export const findPauses = (sql: Sql, workspaceId: string) => sql<Pause[]>`
  select kind, null as "workspaceId", since from service_pauses
  union all select kind, workspace_id, since from workspace_pauses where workspace_id = ${workspaceId}
  order by since, kind`

/** Channel of the notification about a change of pauses. It is a hint: every process also reads them regularly. */
export const pausesChannel = 'pauses'

/**
 * Stores a pause and notifies the processes with workers. A null workspace means all of them. Returns false if it is
 * stored.
 */
export const insertPause = async (tx: Sql, kind: PausableKind, workspaceId: string | null): Promise<boolean> => {
  const { count } =
    workspaceId === null
      ? await tx`insert into service_pauses (kind) values (${kind}) on conflict do nothing`
      : await tx`insert into workspace_pauses (workspace_id, kind) values (${workspaceId}, ${kind}) on conflict do nothing`
  await notifyPauses(tx)
  return count > 0
}

/** Makes the processes with workers read the pauses. Also needed after a workspace was closed. */
export const notifyPauses = (tx: Sql) => tx`select pg_notify(${pausesChannel}, '')`

/** Returns whether there are more pauses of workspaces than processes read. */
export const hasTooManyPauses = async (tx: Sql): Promise<boolean> => {
  const rows = await tx`select 1 from workspace_pauses order by workspace_id, kind offset ${maxPauses} limit 1`
  return rows.length > 0
}

/** Removes a pause and notifies all processes. Returns false if there is none. */
export const deletePause = async (tx: Sql, kind: PausableKind, workspaceId: string | null): Promise<boolean> => {
  const { count } =
    workspaceId === null
      ? await tx`delete from service_pauses where kind = ${kind}`
      : await tx`delete from workspace_pauses where workspace_id = ${workspaceId} and kind = ${kind}`
  await notifyPauses(tx)
  return count > 0
}
