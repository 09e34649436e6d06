import { DomainError } from '../../core/errors.ts'
import { type Sql, transaction } from '../../platform/postgres/client.ts'
import { writeAccountEntries } from '../audit/index.ts'
import { leaveAllWorkspaces, type ReleaseConversations } from '../members/index.ts'
import { readMemberships, type SessionRow, type SignInClient } from '../sessions/index.ts'
import { deleteUser, lockUser } from '../users/index.ts'
import { type AdmitAttempt, requirePassword, wrongPassword } from './password.ts'
import type { DeleteUser } from './schema.ts'

/**
 * Removes the person from all workspaces and deletes the account and its sessions. Records of their actions stay, under
 * an id that no longer resolves to a person. Fails with 422 for the last owner of a workspace. A wrong password is 422
 * and counts as a sign-in try.
 */
export const deleteAccount = async (
  sql: Sql,
  session: SessionRow,
  { password }: DeleteUser,
  client: SignInClient,
  admitAttempt: AdmitAttempt,
  release: ReleaseConversations,
): Promise<void> => {
  const currentHash = await requirePassword(sql, session, password, client, admitAttempt, 'password')
  const { userId } = session
  await transaction(sql, async tx => {
    if (!(await lockUser(tx, { userId, currentHash }))) throw wrongPassword('password')
    // Written before the memberships are removed, because entries are stored per joined workspace.
    await writeAccountEntries(tx, [{ userId, isByHolder: true, action: 'deleteUser', request: client }])
    const ownerless = await leaveAllWorkspaces(tx, userId, release)
    if (ownerless.length > 0) throw await lastOwnerError(tx, ownerless, session)
    await deleteUser(tx, userId)
  })
}

const lastOwnerError = async (tx: Sql, workspaceIds: string[], session: SessionRow): Promise<DomainError> => {
  const { memberships } = await readMemberships(tx, session)
  const names = workspaceIds.map(id => memberships.find(one => one.workspaceId === id)?.workspaceName ?? id)
  return new DomainError(
    'unprocessable',
    `The last owner of a workspace cannot leave. First make another member an owner of: ${names.join(', ')}.`,
  )
}
