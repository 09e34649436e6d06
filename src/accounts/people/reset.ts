/** Password resets and email confirmation by link. */

import type { RequestRef } from '../../core/context.ts'
import { hashSecret } from '../../core/secrets.ts'
import { type Sql, transaction } from '../../platform/postgres/client.ts'
import { enqueueMail } from '../../queue/tasks.ts'
import { writeAccountEntries } from '../audit/index.ts'
import { rememberNetwork } from '../rate-limits/index.ts'
import { deleteSecondFactor } from '../second-factors/index.ts'
import { deleteOtherSessions, type SignInClient } from '../sessions/index.ts'
import { deleteTokensOf } from '../tokens/index.ts'
import { hashLimiter, hashPassword, markConfirmed, replacePassword, validatePassword } from '../users/index.ts'
import { invalidLink, rejectLink } from './links.ts'
import { notifyHolder } from './notify.ts'
import type { AdmitAttempt } from './password.ts'
import type { ConfirmEmail, ForgotPassword, ResetPassword } from './schema.ts'
import { consumeLink, deleteLinksOf, findLink } from './sql.ts'

/**
 * Enqueues a reset mail. The task looks up the account later, so neither the response nor its duration reveals whether
 * one exists.
 */
export const forgotPassword = async (
  sql: Sql,
  { email }: ForgotPassword,
  admitAttempt: AdmitAttempt,
): Promise<void> => {
  // Uses a separate limit: people who have used up their sign-in tries are the ones who need a reset.
  await admitAttempt(email, 'forgot-password')
  await enqueueMail(sql, { kind: 'reset', email })
}

/**
 * Sets a new password with a single-use link. Ends all sessions and access tokens, and voids all other reset and sign-in links.
 * Remembers the network address of the request, so that failed tries from elsewhere do not block the holder there.
 * Removes the second factor if the link was mailed and the email was not confirmed before. In that case a stranger may
 * have created the account and set up the second factor.
 */
export const resetPassword = async (
  sql: Sql,
  { token, password }: ResetPassword,
  client: SignInClient,
  admitAttempt: AdmitAttempt,
): Promise<void> => {
  hashLimiter.rejectWhenFull(client)
  await validatePassword(password)
  const tokenHash = hashSecret(token)
  const link = await findLink(sql, tokenHash, 'reset')
  if (!link) throw await rejectLink(admitAttempt)
  const passwordHash = await hashPassword(password, client)
  await transaction(sql, async tx => {
    if (!(await consumeLink(tx, tokenHash, 'reset'))) throw invalidLink()
    await deleteLinksOf(tx, link.userId, 'reset')
    await replacePassword(tx, { userId: link.userId, currentHash: null, passwordHash })
    // Deleted after the account is locked. `signInByLink` locks in the same order: account first, then link.
    await deleteLinksOf(tx, link.userId, 'sign_in')
    const isFactorRemoved =
      link.mailed && (await markConfirmed(tx, link.userId)) && (await deleteSecondFactor(tx, link.userId))
    await deleteOtherSessions(tx, link.userId, null)
    await deleteTokensOf(tx, { userId: link.userId })
    await rememberNetwork(tx, { userId: link.userId, email: link.email, address: client.address })
    await writeAccountEntries(tx, [{ userId: link.userId, isByHolder: true, action: 'resetPassword', request: client }])
    await notifyHolder(tx, { userId: link.userId, change: 'password changed', request: client })
    if (isFactorRemoved)
      await notifyHolder(tx, { userId: link.userId, change: 'second factor removed', request: client })
  })
}

/** Confirms the email address: the token was only sent to it by mail. */
export const confirmEmail = async (
  sql: Sql,
  { token }: ConfirmEmail,
  request: RequestRef,
  admitAttempt: AdmitAttempt,
): Promise<void> => {
  const tokenHash = hashSecret(token)
  const link = await findLink(sql, tokenHash, 'confirmation')
  if (!link) throw await rejectLink(admitAttempt)
  await transaction(sql, async tx => {
    if (!(await consumeLink(tx, tokenHash, 'confirmation'))) throw invalidLink()
    await markConfirmed(tx, link.userId)
    await writeAccountEntries(tx, [{ userId: link.userId, isByHolder: true, action: 'confirmEmail', request }])
  })
}
