import type { RequestRef, Role } from '../../core/context.ts'
import { lockTeam } from '../../core/locks.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { hashEmail, writeEntry } from '../audit/index.ts'
import { readReachableAccess } from '../workspace-access/index.ts'
import { countOwners, findMember, selectOtherRoles, updateRole } from './sql.ts'

/**
 * Applies the role that the identity provider claims for a person, in each workspace that requires single sign-on. The last
 * owner of a workspace stays owner. Locks the teams in a fixed order; the caller must hold a lock on the user.
 */
export const applyRole = async (
  tx: Sql,
  { userId, role, request }: { userId: string; role: Role; request: RequestRef },
): Promise<void> => {
  const memberships = await selectOtherRoles(tx, userId, role)
  // A workspace whose cell does not respond keeps the role until the next sign-in.
  const { access } = await readReachableAccess(
    tx,
    memberships.map(({ workspaceId }) => workspaceId),
  )
  for (const { workspaceId, id } of memberships) {
    if (!access.get(workspaceId)?.requiresSso) continue
    await lockTeam(tx, workspaceId)
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
