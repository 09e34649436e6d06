import type { RequestRef } from '../../core/context.ts'
import { DomainError } from '../../core/errors.ts'
import { hashSecret, newSecret } from '../../core/secrets.ts'
import { CellUnavailable } from '../../platform/postgres/cells.ts'
import { type Sql, transaction } from '../../platform/postgres/client.ts'
import { type FailedSignIns, hashEmail, writeAccountEntries } from '../audit/index.ts'
import { rememberNetwork } from '../rate-limits/index.ts'
import { hasSecondFactor } from '../second-factors/index.ts'
import { findUserForSignIn, hashLimiter, type Requester, verifyPassword } from '../users/index.ts'
import { chooseMembership, readMemberships } from './memberships.ts'
import { shapeSession } from './read.ts'
import type { NewSession, SecondFactorWanted, SignedIn, SignIn } from './schema.ts'
import {
  deleteSession,
  findSession,
  insertSession,
  insertTicket,
  type Membership,
  type SessionRow,
  type SsoIdentity,
} from './sql.ts'

const lifetimeDays = 30
const ticketMinutes = 10
/** Maximum number of characters stored of a User-Agent. */
const maxUserAgent = 300

/** Network address and client of a sign-in request. */
export interface SignInClient extends Requester {
  userAgent: string | null
  requestId: string
}

/**
 * Creates a session for the user with this address and password, or a ticket if they have a second factor. An unknown
 * address and a wrong password give the same error after the same work (contract 2.3). `admitAttempt` is called with the
 * address before any password is checked, and rejects after too many attempts.
 */
export const signIn = async (
  sql: Sql,
  { email, password }: SignIn,
  client: SignInClient,
  admitAttempt: (email: string) => Promise<void>,
  failedSignIns: FailedSignIns,
): Promise<SignedIn> => {
  hashLimiter.rejectWhenFull(client)
  await admitAttempt(email)
  const user = await findUserForSignIn(sql, email)
  if (!(await verifyPassword(password, user?.passwordHash ?? null, client)) || user === null) {
    if (user) failedSignIns.record({ userId: user.id, email: user.email, request: client })
    throw new DomainError('unauthorized', 'No account has this email address and password. Check both and try again.')
  }
  if (user.isDisabled) throw accountDisabled()
  return (await hasSecondFactor(sql, user.id))
    ? issueTicket(sql, user)
    : createAuditedSession(sql, user, client, 'signIn')
}

/** Creates a session and records the sign-in in the audit log. */
export const createAuditedSession = (
  sql: Sql,
  user: VerifiedAccount,
  client: SignInClient,
  action: 'signIn' | 'signInWithCode' | 'signInByLink' | 'signInWithSso',
): Promise<NewSession> =>
  transaction(sql, async tx => {
    const session = await createSession(tx, user, client)
    const detail = { emailHash: hashEmail(session.user.email) }
    await writeAccountEntries(tx, [{ userId: user.id, isByHolder: true, action, detail, request: client }])
    return session
  })

/** Error for a disabled account. Returned only after the correct password. */
export const accountDisabled = () =>
  new DomainError('forbidden', 'This account is disabled. Ask the operator of this service.')

/** An account with the password hash that was checked, or that it had when another proof was checked. */
export interface VerifiedAccount {
  id: string
  passwordHash: string
  /** Identity of a single sign-on. Missing or null without one. */
  identity?: SsoIdentity | null
}

/**
 * Issues a ticket to a user whose password was checked and who must enter a second-factor code. With `invitationHash`,
 * the session joins by that invitation.
 */
export const issueTicket = async (
  sql: Sql,
  { id: userId, passwordHash, identity = null }: VerifiedAccount,
  invitationHash: string | null = null,
): Promise<SecondFactorWanted> => {
  const ticket = newSecret('tkt_')
  const lifetimeMinutes = ticketMinutes
  const row = { tokenHash: hashSecret(ticket), userId, passwordHash, invitationHash, lifetimeMinutes, identity }
  if (!(await insertTicket(sql, row))) throw passwordChanged()
  return { secondFactor: true, ticket }
}

const passwordChanged = () =>
  new DomainError(
    'unauthorized',
    'The password of this account was changed, or the account was disabled, during the sign-in. Sign in again.',
  )

/**
 * Creates a session of 30 days for a user whose password was checked. It is shown in `workspaceId`, by default in the
 * workspace joined first whose cell responds. Also records the network as known for this account. Throws if the user is in
 * no workspace, or if the password changed since it was checked; then no session is created.
 */
export const createSession = (
  sql: Sql,
  { id: userId, passwordHash, identity = null }: VerifiedAccount,
  { address, userAgent }: Pick<SignInClient, 'address' | 'userAgent'>,
  workspaceId?: string,
): Promise<NewSession> =>
  transaction(sql, async tx => {
    const token = newSecret('ses_')
    const tokenHash = hashSecret(token)
    const storedUserAgent = userAgent?.slice(0, maxUserAgent).toWellFormed() ?? null
    const row = { tokenHash, userId, passwordHash, lifetimeDays, address, userAgent: storedUserAgent, identity }
    if (!(await insertSession(tx, row))) throw passwordChanged()
    const session = (await findSession(tx, tokenHash))!
    const membership = await findShown(tx, session, workspaceId)
    if (!membership) {
      throw new DomainError('forbidden', 'This account is not a member of any workspace. Ask an owner to invite you.')
    }
    await rememberNetwork(tx, { userId, email: session.email, address })
    return { token, ...shapeSession(session, membership) }
  })

const findShown = async (tx: Sql, session: SessionRow, workspaceId?: string): Promise<Membership | null> => {
  if (workspaceId !== undefined) return chooseMembership(tx, session, workspaceId)
  const { memberships, unreachable } = await readMemberships(tx, session)
  if (memberships.length === 0 && unreachable.length > 0) throw new CellUnavailable()
  return memberships[0] ?? null
}

/** Ends the session immediately. */
export const signOut = (
  sql: Sql,
  { token, row: { userId } }: { token: string; row: SessionRow },
  request: RequestRef,
): Promise<void> =>
  transaction(sql, async tx => {
    await deleteSession(tx, hashSecret(token))
    await writeAccountEntries(tx, [{ userId, isByHolder: true, action: 'signOut', request }])
  })
