/** Verifies the current password before sensitive changes, and changes it. */
import { type Sql, transaction } from '../../db/client.ts'
import { writeAccountEntries } from '../audit/index.ts'
import { DomainError } from '../errors.ts'
import type { Apart } from '../rate-limits/index.ts'
import { deleteOtherSessions, type SessionRow, type Visitor } from '../sessions/index.ts'
import {
  type Asker,
  findPasswordOf,
  hashLine,
  hashPassword,
  judgePassword,
  replacePassword,
  verifyPassword,
} from '../users/index.ts'
import { notifyHolder } from './notify.ts'
import type { ChangePassword } from './schema.ts'
import { deleteLinksOf } from './sql.ts'

/**
 * Called with the email of the account before credentials are checked. Rejects when the limit of tries is reached.
 * Tries other than passwords are counted separately (`apart`). A bad link or ticket passes null as email and counts
 * only for the network address.
 */
export type AdmitTry = (email: string | null, apart?: Apart) => Promise<void>

/**
 * Changes the password, ends the person's other sessions and voids links that give access, in one transaction. A wrong
 * current password is 422 and counts as a sign-in try. Otherwise a stolen session could be used to guess the password.
 */
export const changePassword = async (
  sql: Sql,
  session: SessionRow,
  { currentPassword, newPassword }: ChangePassword,
  visitor: Visitor,
  admitTry: AdmitTry,
): Promise<void> => {
  await judgePassword(newPassword, 'newPassword')
  const judged = await requirePassword(sql, session, currentPassword, visitor, admitTry, 'currentPassword')
  const passwordHash = await hashPassword(newPassword, visitor)
  const { userId, id } = session
  await transaction(sql, async tx => {
    if (!(await replacePassword(tx, { userId, judged, passwordHash }))) throw notTheirPassword('currentPassword')
    await deleteOtherSessions(tx, userId, id)
    await deleteLinksOf(tx, userId, 'reset', 'sign_in')
    await writeAccountEntries(tx, [{ userId, byThem: true, action: 'changePassword', request: visitor }])
    await notifyHolder(tx, { userId, change: 'password changed', request: visitor })
  })
}

/**
 * Verifies the password and returns the stored hash it was compared with. Fails with 422 under the name of the field.
 */
export const requirePassword = async (
  sql: Sql,
  { userId, email }: SessionRow,
  password: string,
  asker: Asker,
  admitTry: AdmitTry,
  field: string,
): Promise<string> => {
  hashLine.refuseWhenFull(asker)
  await admitTry(email)
  const judged = await findPasswordOf(sql, userId)
  if (!(await verifyPassword(password, judged, asker)) || judged === null) throw notTheirPassword(field)
  return judged
}

export const notTheirPassword = (field: string): DomainError => {
  const reason = 'Is not the password of this account.'
  return new DomainError('unprocessable', `${field}: ${reason}`, { [field]: reason })
}
