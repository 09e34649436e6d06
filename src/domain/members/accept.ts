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

/** Who accepts, and what is set up for them. */
export interface Accepting {
  visitor: Visitor
  /** Counts a try for the invited address before any password is judged, or for a bad link with null; rejects with 429. */
  admitTry: (email: string | null) => Promise<void>
  /** The session that came with the call, looked up where no password did. */
  session: () => Promise<SessionRow | null>
  /** Mail is set up: an account whose address nobody has shown to be theirs is asked to. */
  byMail: boolean
  /** Told of a wrong password. */
  failed: FailedSignIns
}

/**
 * Joins the workspace of the invitation: with a new account; or with the existing one of the invited address, when its
 * holder is signed in or the password is that account's. Answers a session, shown in the workspace that was joined, or a
 * ticket where the account has a second factor: it joins once the code was shown.
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
  // Null once at most: after that the address has an account for good.
  return (await attempt()) ?? (await attempt())!
}

/** The account that is signed in, if it is of the address that was invited. */
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

/** With an account that was judged. */
const joinWith = (sql: Sql, tokenHash: string, account: Judged, visitor: Visitor): Promise<NewSession> =>
  transaction(sql, async tx =>
    openSession(tx, account, visitor, await joinByInvitation(tx, tokenHash, account.id, visitor)),
  )

/** Null when, since it was looked for, somebody else opened an account with this address. */
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
 * Somebody whose account was judged joins; answers the workspace. A link that came by mail shows that the address is
 * theirs.
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
