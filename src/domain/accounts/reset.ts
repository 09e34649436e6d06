/** How the holder of an account gets in again, and shows that its address is theirs. */
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
 * Has a link mailed to the holder. Whether there is one is looked up later, by the task: neither the answer nor the time
 * it takes can tell.
 */
export const forgotPassword = async (sql: Sql, { email }: ForgotPassword, admitTry: AdmitTry): Promise<void> => {
  // A budget of its own: whoever has used up their tries to sign in needs this the most.
  await admitTry(email, 'forgot-password')
  await sendMailSoon(sql, { kind: 'reset', email })
}

/**
 * Another password, by a link that is good once. Every session ends, and so does whatever the account had to get one.
 * From where it was used the holder is let in, however much strangers try to sign in elsewhere.
 * Where the link came by mail and nobody had shown before that the address is theirs, somebody else may have made the
 * account: their second factor goes as well.
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
    // Whoever signs in by a link holds the account first, and then the link.
    await deleteLinksOf(tx, link.userId, 'sign_in')
    const removed = link.mailed && (await markConfirmed(tx, link.userId)) && (await deleteSecondFactor(tx, link.userId))
    await deleteOtherSessions(tx, link.userId, null)
    await rememberPlace(tx, { userId: link.userId, email: link.email, address: visitor.address })
    await writeAccountEntries(tx, [{ userId: link.userId, byThem: true, action: 'resetPassword', request: visitor }])
    await notifyHolder(tx, { userId: link.userId, change: 'password changed', request: visitor })
    if (removed) await notifyHolder(tx, { userId: link.userId, change: 'second factor removed', request: visitor })
  })
}

/** The address is theirs: they read what was mailed to it. */
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
