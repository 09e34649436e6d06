/** The password of an account: shown again for what matters, and changed. */
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
 * Told the address of an account before what somebody shows for it is judged; rejects when it has been tried too often. What
 * is no password is counted apart. A bad link or ticket counts for the network address alone, with an address of null.
 */
export type AdmitTry = (email: string | null, apart?: Apart) => Promise<void>

/**
 * Gives the account another password, ends the person's other sessions and voids the links that would let somebody in, in one
 * transaction. A wrong current one is
 * 422, and counts as a try to sign in: whoever has got hold of a session must not learn the password by it.
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

/** The hash of the account's password, which the one given is; else 422 under the name of the field. */
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
