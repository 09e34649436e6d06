import type { Sql } from '../../db/client.ts'
import { lockWorkspace } from '../locks.ts'
import { releaseConversations } from '../messages/index.ts'
import { countOwners, deleteMemberOf, findWorkspacesOf } from './sql.ts'

/**
 * Removes a user from all workspaces and unassigns their conversations. Returns the workspaces that would have no owner
 * left; in that case the caller must roll back. Locks the workspaces in a fixed order to avoid deadlocks. The caller
 * must hold the lock on the user, so that the user cannot join a workspace concurrently.
 */
export const leaveAllWorkspaces = async (tx: Sql, userId: string): Promise<string[]> => {
  const ownerless: string[] = []
  for (const workspaceId of await findWorkspacesOf(tx, userId)) {
    await lockWorkspace(tx, workspaceId)
    const role = await deleteMemberOf(tx, workspaceId, userId)
    if (role !== null) await releaseConversations(tx, { workspaceId, userId })
    if (role === 'owner' && (await countOwners(tx, workspaceId)) === 0) ownerless.push(workspaceId)
  }
  return ownerless
}
