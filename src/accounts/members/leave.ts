import { lockTeam } from '../../core/locks.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { deleteTokensOf } from '../tokens/index.ts'
import { countOwners, deleteMemberOf, findWorkspacesOf } from './sql.ts'

/** Unassigns the conversations of a user who leaves a workspace, in the transaction that removes the user. */
export type ReleaseConversations = (tx: Sql, member: { workspaceId: string; userId: string }) => Promise<void>

/**
 * Removes a user from all workspaces and unassigns their conversations. Returns the workspaces that would have no owner
 * left; in that case the caller must roll back. Locks the teams in a fixed order to avoid deadlocks. The caller
 * must hold the lock on the user, so that the user cannot join a workspace concurrently.
 */
export const leaveAllWorkspaces = async (tx: Sql, userId: string, release: ReleaseConversations): Promise<string[]> => {
  const ownerless: string[] = []
  for (const workspaceId of await findWorkspacesOf(tx, userId)) {
    await lockTeam(tx, workspaceId)
    const role = await deleteMemberOf(tx, workspaceId, userId)
    await deleteTokensOf(tx, { workspaceId, userId })
    if (role !== null) await release(tx, { workspaceId, userId })
    if (role === 'owner' && (await countOwners(tx, workspaceId)) === 0) ownerless.push(workspaceId)
  }
  return ownerless
}
