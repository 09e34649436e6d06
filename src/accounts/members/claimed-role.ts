import type { RequestRef, Role } from '../../core/context.ts'
import { lockWorkspace } from '../../core/locks.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { hashEmail, writeEntry } from '../audit/index.ts'
import { countOwners, findMember, selectSsoMemberships, updateRole } from './sql.ts'

/**
 * Applies the role that the identity provider claims for a person, in each workspace that requires single sign-on. The last
 * owner of a workspace stays owner. Locks the workspaces in a fixed order; the caller must hold a lock on the user.
 */
export const applyRole = async (
  tx: Sql,
  { userId, role, request }: { userId: string; role: Role; request: RequestRef },
): Promise<void> => {
  for (const { workspaceId, id } of await selectSsoMemberships(tx, userId, role)) {
    await lockWorkspace(tx, workspaceId)
    const member = await findMember(tx, workspaceId, id)
    if (!member || member.role === role) continue
    if (role !== 'owner' && (await countOwners(tx, workspaceId)) <= 1) continue
    await updateRole(tx, workspaceId, id, role)
    await writeEntry(
      tx,
      { type: 'user', id: userId, workspaceId, request },
      {
        action: 'changeMember',
        target: { type: 'member', id },
        detail: { from: member.role, to: role, emailHash: member.email && hashEmail(member.email), claimed: true },
      },
    )
  }
}
