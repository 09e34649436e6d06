/** Password resets and email confirmation by link. */
import { type Sql, transaction } from '../../db/client.ts'
import { writeAccountEntries } from '../audit/index.ts'
import type { RequestRef } from '../context.ts'
import { rememberPlace } from '../rate-limits/index.ts'
import { deleteSecondFactor } from '../second-factors/index.ts'
import { hashSecret } from '../secrets.ts'
import { deleteOtherSessions, type Visitor } from '../sessions/index.ts'
import { sendMailSoon } from '../tasks.ts'
import { hashLine, hashPassword, judgePassword, markConfirmed, replacePassword } from '../users/index.ts'
import { badLink, linkOver } from './links.ts'
import { notifyHolder } from './notify.ts'
import type { AdmitTry } from './password.ts'
import type { ConfirmEmail, ForgotPassword, ResetPassword } from './schema.ts'
import { deleteLinksOf, findLink, spendLink } from './sql.ts'

/**
 * Enqueues a reset mail. The task looks up the account later, so neither the response nor its duration reveals whether
 * one exists.
 */
export const forgotPassword = async (sql: Sql, { email }: ForgotPassword, admitTry: AdmitTry): Promise<void> => {
  // Uses a separate limit: people who have used up their sign-in tries are the ones who need a reset.
  await admitTry(email, 'forgot-password')
  await sendMailSoon(sql, { kind: 'reset', email })
}

/**
 * Sets a new password with a single-use link. Ends all sessions and voids all other reset and sign-in links.
 * Remembers the network address of the request, so that failed tries from elsewhere do not block the holder there.
 * Removes the second factor if the link was mailed and the email was not confirmed before. In that case a stranger may
 * have created the account and set up the second factor.
 */
export const resetPassword = async (
  sql: Sql,
  { token, password }: ResetPassword,
  visitor: Visitor,
  admitTry: AdmitTry,
): Promise<void> => {
  hashLine.refuseWhenFull(visitor)
  await judgePassword(password)
  const tokenHash = hashSecret(token)
  const link = await findLink(sql, tokenHash, 'reset')
  if (!link) throw await badLink(admitTry)
  const passwordHash = await hashPassword(password, visitor)
  await transaction(sql, async tx => {
    if (!(await spendLink(tx, tokenHash, 'reset'))) throw linkOver()
    await deleteLinksOf(tx, link.userId, 'reset')
    await replacePassword(tx, { userId: link.userId, judged: null, passwordHash })
    // Deleted after the account is locked. `signInByLink` locks in the same order: account first, then link.
    await deleteLinksOf(tx, link.userId, 'sign_in')
    const removed = link.mailed && (await markConfirmed(tx, link.userId)) && (await deleteSecondFactor(tx, link.userId))
    await deleteOtherSessions(tx, link.userId, null)
    await rememberPlace(tx, { userId: link.userId, email: link.email, address: visitor.address })
    await writeAccountEntries(tx, [{ userId: link.userId, byThem: true, action: 'resetPassword', request: visitor }])
    await notifyHolder(tx, { userId: link.userId, change: 'password changed', request: visitor })
    if (removed) await notifyHolder(tx, { userId: link.userId, change: 'second factor removed', request: visitor })
  })
}

/** Confirms the email address: the token was only sent to it by mail. */
export const confirmEmail = async (
  sql: Sql,
  { token }: ConfirmEmail,
  request: RequestRef,
  admitTry: AdmitTry,
): Promise<void> => {
  const tokenHash = hashSecret(token)
  const link = await findLink(sql, tokenHash, 'confirmation')
  if (!link) throw await badLink(admitTry)
  await transaction(sql, async tx => {
    if (!(await spendLink(tx, tokenHash, 'confirmation'))) throw linkOver()
    await markConfirmed(tx, link.userId)
    await writeAccountEntries(tx, [{ userId: link.userId, byThem: true, action: 'confirmEmail', request }])
  })
}
