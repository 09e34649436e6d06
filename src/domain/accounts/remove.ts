import { type Sql, transaction } from '../../db/client.ts'
import { writeAccountEntries } from '../audit/index.ts'
import { DomainError } from '../errors.ts'
import { leaveAllWorkspaces } from '../members/index.ts'
import type { SessionRow, Visitor } from '../sessions/index.ts'
import { deleteUser, holdUser } from '../users/index.ts'
import { type AdmitTry, notTheirPassword, requirePassword } from './password.ts'
import type { DeleteUser } from './schema.ts'

/**
 * The person leaves every workspace, and the account is gone with its sessions; what they did stays, under an id that leads
 * to nobody. Whoever is the last owner of a workspace cannot (422). A wrong password is 422, and counts as a try to sign
 * in.
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
    // As long as they are in them.
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
