import { type Sql, transaction } from '../../db/client.ts'
import { emailHash, type FailedSignIns, writeEntry } from '../audit/index.ts'
import type { RequestRef } from '../context.ts'
import { DomainError, invalidRequest } from '../errors.ts'
import { hasSecondFactor } from '../second-factors/index.ts'
import { hashSecret } from '../secrets.ts'
import {
  issueTicket,
  type Judged,
  keptOut,
  type NewSession,
  openSession,
  type SessionRow,
  type SignedIn,
  type Visitor,
} from '../sessions/index.ts'
import { sendMailSoon } from '../tasks.ts'
import {
  findPasswordOf,
  findUserForSignIn,
  hashLine,
  hashPassword,
  insertUser,
  judgePassword,
  markConfirmed,
  nameFromEmail,
  verifyPassword,
} from '../users/index.ts'
import type { AcceptInvitation } from './schema.ts'
import { findInvitation, type InvitationRow, joinWithInvitation } from './sql.ts'

/** Request context for accepting an invitation. */
export interface Accepting {
  visitor: Visitor
  /**
   * Counts an attempt for the invited address before any password is checked, or with null for an invalid link. Rejects
   * with 429.
   */
  admitTry: (email: string | null) => Promise<void>
  /** Returns the session of the request. Called only when no password was sent. */
  session: () => Promise<SessionRow | null>
  /** True if SMTP is configured: a new account with an unverified address gets a confirmation mail. */
  byMail: boolean
  /** Records wrong passwords. */
  failed: FailedSignIns
}

/**
 * Joins the workspace of the invitation. Creates an account, or uses the existing account of the invited address. An
 * existing account requires a session of its holder or its password. Returns a session in the joined workspace. If the
 * account has a second factor, returns a ticket; the account joins after the code is verified.
 */
export const acceptInvitation = async (
  sql: Sql,
  { token, name, password }: AcceptInvitation,
  accepting: Accepting,
): Promise<SignedIn> => {
  hashLine.refuseWhenFull(accepting.visitor)
  const tokenHash = hashSecret(token)
  const invitation = await findInvitation(sql, tokenHash)
  await accepting.admitTry(invitation?.email ?? null)
  if (!invitation) throw invitationOver()
  if (password === undefined) return joinSignedIn(sql, tokenHash, invitation, accepting)
  const attempt = () => join(sql, tokenHash, invitation, { name, password }, accepting)
  // The first attempt returns null if the account was created concurrently. The second attempt then finds that account.
  return (await attempt()) ?? (await attempt())!
}

/** Joins with the signed-in account. Throws if its address is not the invited address. */
const joinSignedIn = async (
  sql: Sql,
  tokenHash: string,
  { email }: InvitationRow,
  accepting: Accepting,
): Promise<NewSession> => {
  const session = await accepting.session()
  if (!session) {
    const reason = 'Must be sent, but by whoever is signed in with the address that was invited.'
    throw invalidRequest({ password: reason })
  }
  if (session.email.toLowerCase() !== email.toLowerCase())
    throw new DomainError(
      'forbidden',
      'This invitation is for another e-mail address than the one you are signed in with. Sign out, and accept it there.',
    )
  const passwordHash = (await findPasswordOf(sql, session.userId)) ?? ''
  return joinWith(sql, tokenHash, { id: session.userId, passwordHash }, accepting.visitor)
}

/** Joins with an account whose credentials were checked. */
const joinWith = (sql: Sql, tokenHash: string, account: Judged, visitor: Visitor): Promise<NewSession> =>
  transaction(sql, async tx =>
    openSession(tx, account, visitor, await joinByInvitation(tx, tokenHash, account.id, visitor)),
  )

/** Returns null if another request created an account with this address since the lookup. */
const join = async (
  sql: Sql,
  tokenHash: string,
  invitation: InvitationRow,
  { name, password }: { name: string | undefined; password: string },
  { visitor, byMail, failed }: Accepting,
): Promise<SignedIn | null> => {
  const { email, workspaceId, mailed } = invitation
  const account = await findUserForSignIn(sql, email)
  if (account) {
    if (!(await verifyPassword(password, account.passwordHash, visitor))) {
      failed.note({ userId: account.id, email: account.email, request: visitor })
      throw notTheirPassword()
    }
    if (account.isDisabled) throw keptOut()
    if (await hasSecondFactor(sql, account.id)) return issueTicket(sql, account, tokenHash)
    return joinWith(sql, tokenHash, account, visitor)
  }
  await judgePassword(password)
  const passwordHash = await hashPassword(password, visitor)
  return transaction(sql, async tx => {
    const userId = await insertUser(tx, {
      email,
      name: name ?? invitation.name ?? nameFromEmail(email),
      passwordHash,
      madeByWorkspace: workspaceId,
    })
    if (userId === null) return null
    const joined = await joinByInvitation(tx, tokenHash, userId, visitor)
    if (byMail && !mailed) await sendMailSoon(tx, { kind: 'confirmation', userId })
    return openSession(tx, { id: userId, passwordHash }, visitor, joined)
  })
}

/**
 * Adds an authenticated user to the workspace and returns the workspace. A mailed link proves that the user owns the
 * address.
 */
export const joinByInvitation = async (
  tx: Sql,
  tokenHash: string,
  userId: string,
  request: RequestRef,
): Promise<string> => {
  const joined = await joinWithInvitation(tx, tokenHash, userId)
  if (!joined) throw invitationOver()
  if (joined.mailed) await markConfirmed(tx, userId)
  const { id, role, email, workspaceId } = joined
  const deed = {
    action: 'acceptInvitation',
    target: { type: 'member', id },
    detail: { role, emailHash: emailHash(email) },
  } as const
  await writeEntry(tx, { type: 'user', id: userId, workspaceId, request }, deed)
  return workspaceId
}

const invitationOver = () =>
  new DomainError(
    'unprocessable',
    'This invitation is not valid: it was used, taken back or has expired. Ask an owner of the workspace for a new one.',
  )

const notTheirPassword = () =>
  new DomainError('unauthorized', 'The e-mail address of this invitation and this password do not go together.')
