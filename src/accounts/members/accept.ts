import type { RequestRef } from '../../core/context.ts'
import { DomainError, invalidRequest } from '../../core/errors.ts'
import { hashSecret } from '../../core/secrets.ts'
import { type Sql, transaction } from '../../platform/postgres/client.ts'
import { enqueueMail } from '../../queue/tasks.ts'
import { type FailedSignIns, hashEmail, writeEntry } from '../audit/index.ts'
import { hasSecondFactor } from '../second-factors/index.ts'
import {
  accountDisabled,
  createSession,
  issueTicket,
  lockSession,
  type NewSession,
  type SessionRow,
  type SignedIn,
  type SignInClient,
  type VerifiedAccount,
} from '../sessions/index.ts'
import {
  findPasswordHash,
  findUserForSignIn,
  hashLimiter,
  hashPassword,
  insertUser,
  markConfirmed,
  nameFromEmail,
  validatePassword,
  verifyPassword,
} from '../users/index.ts'
import { readWorkspaceAccess } from '../workspace-access/index.ts'
import type { AcceptInvitation } from './schema.ts'
import { findInvitation, type InvitationRow, joinWithInvitation } from './sql.ts'

/** Request context for accepting an invitation. */
export interface AcceptContext {
  client: SignInClient
  /**
   * Counts an attempt for the invited address before any password is checked, or with null for an invalid link. Rejects
   * with 429.
   */
  admitAttempt: (email: string | null) => Promise<void>
  /** Returns the session of the request. Called only when no password was sent. */
  findSession: () => Promise<SessionRow | null>
  /** True if SMTP is configured: a new account with an unverified address gets a confirmation mail. */
  byMail: boolean
  /** Records wrong passwords. */
  failedSignIns: FailedSignIns
}

/**
 * Joins the workspace of the invitation. Creates an account, or uses the existing account of the invited address. An
 * existing account requires a session of its holder or its password. Returns a session in the joined workspace. If the
 * account has a second factor, returns a ticket; the account joins after the code is verified.
 */
export const acceptInvitation = async (
  sql: Sql,
  { token, name, password }: AcceptInvitation,
  context: AcceptContext,
): Promise<SignedIn> => {
  hashLimiter.rejectWhenFull(context.client)
  const tokenHash = hashSecret(token)
  const invitation = await findInvitation(sql, tokenHash)
  await context.admitAttempt(invitation?.email ?? null)
  if (!invitation) throw invalidInvitation()
  if (password === undefined) return joinWithSession(sql, tokenHash, invitation, context)
  const attempt = () => join(sql, tokenHash, invitation, { name, password }, context)
  // The first attempt returns null if the account was created concurrently. The second attempt then finds that account.
  return (await attempt()) ?? (await attempt())!
}

/**
 * Joins with the signed-in account. The new session keeps the identity of a single sign-on. Throws if its address is
 * not the invited address.
 */
const joinWithSession = async (
  sql: Sql,
  tokenHash: string,
  { email }: InvitationRow,
  context: AcceptContext,
): Promise<NewSession> => {
  const session = await context.findSession()
  if (!session) {
    const reason = 'Is required, unless you are signed in with the invited address.'
    throw invalidRequest({ password: reason })
  }
  if (session.email.toLowerCase() !== email.toLowerCase())
    throw new DomainError(
      'forbidden',
      'This invitation is for another e-mail address. Sign out, and accept it with the invited address.',
    )
  const passwordHash = (await findPasswordHash(sql, session.userId)) ?? ''
  const { userId: id, identity } = session
  return transaction(sql, async tx => {
    // A logout at the identity provider waits, and then also finds the copy of the session.
    if (!(await lockSession(tx, id, session.id)))
      throw new DomainError('unauthorized', 'This session has ended. Sign in again.')
    return joinAsAccount(tx, tokenHash, { id, passwordHash, identity }, context.client)
  })
}

/** Joins with an account whose credentials were checked. */
const joinAsAccount = (
  sql: Sql,
  tokenHash: string,
  account: VerifiedAccount,
  client: SignInClient,
): Promise<NewSession> =>
  transaction(sql, async tx =>
    createSession(tx, account, client, await joinByInvitation(tx, tokenHash, account.id, client)),
  )

/** Returns null if another request created an account with this address since the lookup. */
const join = async (
  sql: Sql,
  tokenHash: string,
  invitation: InvitationRow,
  { name, password }: { name: string | undefined; password: string },
  { client: visitor, byMail, failedSignIns }: AcceptContext,
): Promise<SignedIn | null> => {
  const { email, workspaceId, mailed } = invitation
  const account = await findUserForSignIn(sql, email)
  if (account) {
    if (!(await verifyPassword(password, account.passwordHash, visitor))) {
      failedSignIns.record({ userId: account.id, email: account.email, request: visitor })
      throw wrongPassword()
    }
    if (account.isDisabled) throw accountDisabled()
    if (await hasSecondFactor(sql, account.id)) return issueTicket(sql, account, tokenHash)
    return joinAsAccount(sql, tokenHash, account, visitor)
  }
  await validatePassword(password)
  const passwordHash = await hashPassword(password, visitor)
  return transaction(sql, async tx => {
    const userId = await insertUser(tx, {
      email,
      name: name ?? invitation.name ?? nameFromEmail(email),
      passwordHash,
      createdByWorkspace: workspaceId,
    })
    if (userId === null) return null
    const joined = await joinByInvitation(tx, tokenHash, userId, visitor)
    if (byMail && !mailed) await enqueueMail(tx, { kind: 'confirmation', userId })
    return createSession(tx, { id: userId, passwordHash }, visitor, joined)
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
  if (!joined) throw invalidInvitation()
  // The import or deletion of a closed workspace would remove the membership.
  if (!(await readWorkspaceAccess(tx, [joined.workspaceId])).has(joined.workspaceId)) throw invalidInvitation()
  if (joined.mailed) await markConfirmed(tx, userId)
  const { id, role, email, workspaceId } = joined
  const record = {
    action: 'acceptInvitation',
    target: { type: 'member', id },
    detail: { role, emailHash: hashEmail(email) },
  } as const
  await writeEntry(tx, { type: 'user', id: userId, workspaceId, request }, record)
  return workspaceId
}

const invalidInvitation = () =>
  new DomainError(
    'unprocessable',
    'This invitation is not valid: it was used or withdrawn, or it has expired. Ask an owner of the workspace for a new one.',
  )

const wrongPassword = () =>
  new DomainError('unauthorized', 'The password is wrong for the e-mail address of this invitation.')
