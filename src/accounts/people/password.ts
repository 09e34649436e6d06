/** Verifies the current password before sensitive changes, and changes it. */

import { DomainError } from '../../core/errors.ts'
import { type Sql, transaction } from '../../platform/postgres/client.ts'
import { writeAccountEntries } from '../audit/index.ts'
import type { AttemptKind } from '../rate-limits/index.ts'
import { deleteOtherSessions, type SessionRow, type SignInClient } from '../sessions/index.ts'
import {
  findPasswordHash,
  hashLimiter,
  hashPassword,
  type Requester,
  replacePassword,
  validatePassword,
  verifyPassword,
} from '../users/index.ts'
import { notifyHolder } from './notify.ts'
import type { ChangePassword } from './schema.ts'
import { deleteLinksOf } from './sql.ts'

/**
 * Called with the email of the account before credentials are checked. Rejects when the limit of tries is reached.
 * Tries other than passwords are counted separately (`kind`). A bad link or ticket passes null as email and counts
 * only for the network address.
 */
export type AdmitAttempt = (email: string | null, kind?: AttemptKind) => Promise<void>

/**
 * Changes the password, ends the person's other sessions and voids links that give access, in one transaction. A wrong
 * current password is 422 and counts as a sign-in try. Otherwise a stolen session could be used to guess the password.
 */
export const changePassword = async (
  sql: Sql,
  session: SessionRow,
  { currentPassword, newPassword }: ChangePassword,
  client: SignInClient,
  admitAttempt: AdmitAttempt,
): Promise<void> => {
  await validatePassword(newPassword, 'newPassword')
  const currentHash = await requirePassword(sql, session, currentPassword, client, admitAttempt, 'currentPassword')
  const passwordHash = await hashPassword(newPassword, client)
  const { userId, id } = session
  await transaction(sql, async tx => {
    if (!(await replacePassword(tx, { userId, currentHash, passwordHash }))) throw wrongPassword('currentPassword')
    await deleteOtherSessions(tx, userId, id)
    await deleteLinksOf(tx, userId, 'reset', 'sign_in')
    await writeAccountEntries(tx, [{ userId, isByHolder: true, action: 'changePassword', request: client }])
    await notifyHolder(tx, { userId, change: 'password changed', request: client })
  })
}

/**
 * Verifies the password and returns the stored hash it was compared with. Fails with 422 under the name of the field.
 */
export const requirePassword = async (
  sql: Sql,
  { userId, email }: SessionRow,
  password: string,
  requester: Requester,
  admitAttempt: AdmitAttempt,
  field: string,
): Promise<string> => {
  hashLimiter.rejectWhenFull(requester)
  await admitAttempt(email)
  const currentHash = await findPasswordHash(sql, userId)
  if (!(await verifyPassword(password, currentHash, requester)) || currentHash === null) throw wrongPassword(field)
  return currentHash
}

export const wrongPassword = (field: string): DomainError => {
  const reason = 'Must be the current password of this account.'
  return new DomainError('unprocessable', `${field}: ${reason}`, { [field]: reason })
}
