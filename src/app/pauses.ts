/** Pauses and resumes work as the operator, with an entry in the audit log of each affected workspace. */
import { writeOperatorEntry } from '../accounts/audit/index.ts'
import { requireOpen, selectWorkspaces, WorkspaceError } from '../accounts/workspaces/index.ts'
import { type Database, transaction } from '../platform/postgres/client.ts'
import { deletePause, hasTooManyPauses, insertPause, maxPauses, type PausableKind } from '../queue/pauses/index.ts'

export interface PauseChange {
  kind: PausableKind
  /** Null means all workspaces. */
  workspaceId: string | null
  paused: boolean
}

/**
 * Stores or removes a pause. Processes with workers apply it when they receive the notification, all others within two
 * seconds. Returns false if nothing changed. Throws WorkspaceError for an unknown or closed workspace, and above
 * `maxPauses`.
 */
export const changePause = (sql: Database, { kind, workspaceId, paused }: PauseChange): Promise<boolean> =>
  transaction(sql, async tx => {
    const workspaces = await selectWorkspaces(tx)
    const id = workspaceId?.toLowerCase() ?? null
    if (id !== null) requireOpen(workspaces, id)
    const all = workspaces.filter(({ closedFor }) => closedFor === null).map(({ id }) => id)
    const changed = await (paused ? insertPause : deletePause)(tx, kind, id)
    if (!changed) return false
    if (paused && (await hasTooManyPauses(tx)))
      throw new WorkspaceError(
        `There are ${maxPauses} pauses of workspaces, which is the maximum. Resume others, or pause all workspaces.`,
      )
    for (const one of id === null ? all : [id])
      await writeOperatorEntry(tx, one, {
        action: paused ? 'pauseWork' : 'resumeWork',
        target: { type: 'workspace', id: one },
        detail: { kind, allWorkspaces: id === null },
      })
    return true
  })
