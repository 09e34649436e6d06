import type { Sql } from '../../db/client.ts'
import { lockWorkspace } from '../locks.ts'
import { releaseConversations } from '../messages/index.ts'
import { countOwners, deleteMemberOf, findWorkspacesOf } from './sql.ts'

/**
 * Takes somebody out of every team; what they looked after is nobody's. Answers the workspaces that would have no owner any more: then the transaction must
 * not be committed. The workspaces are locked in one order, so that nobody waits in a circle; whoever calls this holds the
 * person, who therefore joins none meanwhile.
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
