import { type Sql, transaction } from '../../db/client.ts'
import { writeAccountEntries } from '../audit/index.ts'
import { DomainError } from '../errors.ts'
import { leaveAllWorkspaces } from '../members/index.ts'
import type { SessionRow, Visitor } from '../sessions/index.ts'
import { deleteUser, holdUser } from '../users/index.ts'
import { type AdmitTry, notTheirPassword, requirePassword } from './password.ts'
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
  visitor: Visitor,
  admitTry: AdmitTry,
): Promise<void> => {
  const judged = await requirePassword(sql, session, password, visitor, admitTry, 'password')
  const { userId } = session
  await transaction(sql, async tx => {
    if (!(await holdUser(tx, { userId, judged }))) throw notTheirPassword('password')
    // Written before the memberships are removed, because entries are stored per joined workspace.
    await writeAccountEntries(tx, [{ userId, byThem: true, action: 'deleteUser', request: visitor }])
    const ownerless = await leaveAllWorkspaces(tx, userId)
    if (ownerless.length > 0) throw lastOwnerOf(ownerless, session)
    await deleteUser(tx, userId)
  })
}

const lastOwnerOf = (workspaceIds: string[], { memberships }: SessionRow): DomainError => {
  const names = workspaceIds.map(id => memberships.find(one => one.workspaceId === id)?.workspaceName ?? id)
  return new DomainError(
    'unprocessable',
    `The last owner of a workspace cannot leave. Make another member an owner first of: ${names.join(', ')}.`,
  )
}
