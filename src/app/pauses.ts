/** Pauses and resumes work as the operator, with an entry in the audit log of each affected workspace. */
import { writeOperatorEntry } from '../accounts/audit/index.ts'
import { findOpen, WorkspaceError } from '../accounts/workspaces/index.ts'
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
    const affected = await findOpen(tx, workspaceId)
    if (!(await (paused ? insertPause : deletePause)(tx, kind, workspaceId))) return false
    if (paused && (await hasTooManyPauses(tx)))
      throw new WorkspaceError(
        `There are ${maxPauses} pauses of workspaces, which is the maximum. Resume others, or pause all workspaces.`,
      )
    for (const id of affected)
      await writeOperatorEntry(tx, id, {
        action: paused ? 'pauseWork' : 'resumeWork',
        target: { type: 'workspace', id },
        detail: { kind, allWorkspaces: workspaceId === null },
      })
    return true
  })
