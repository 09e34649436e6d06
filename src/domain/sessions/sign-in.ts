import { type Sql, transaction } from '../../db/client.ts'
import { emailHash, type FailedSignIns, writeAccountEntries } from '../audit/index.ts'
import type { RequestRef } from '../context.ts'
import { DomainError } from '../errors.ts'
import { rememberPlace } from '../rate-limits/index.ts'
import { hasSecondFactor } from '../second-factors/index.ts'
import { hashSecret, newSecret } from '../secrets.ts'
import { type Asker, findUserForSignIn, hashLine, verifyPassword } from '../users/index.ts'
import { shapeSession } from './read.ts'
import type { NewSession, SecondFactorWanted, SignedIn, SignIn } from './schema.ts'
import { deleteSession, findSession, insertSession, insertTicket, type SessionRow } from './sql.ts'

const lifetimeDays = 30
const ticketMinutes = 10
/** Maximum number of characters stored of a User-Agent. */
const maxUserAgent = 300

/** Network address and client of a sign-in request. */
export interface Visitor extends Asker {
  userAgent: string | null
  requestId: string
}

/**
 * Creates a session for the user with this address and password, or a ticket if they have a second factor. An unknown
 * address and a wrong password give the same error after the same work (contract 2.3). `admitTry` is called with the
 * address before any password is checked, and rejects after too many attempts.
 */
export const signIn = async (
  sql: Sql,
  { email, password }: SignIn,
  visitor: Visitor,
  admitTry: (email: string) => Promise<void>,
  failed: FailedSignIns,
): Promise<SignedIn> => {
  hashLine.refuseWhenFull(visitor)
  await admitTry(email)
  const user = await findUserForSignIn(sql, email)
  if (!(await verifyPassword(password, user?.passwordHash ?? null, visitor)) || user === null) {
    if (user) failed.note({ userId: user.id, email: user.email, request: visitor })
    throw new DomainError('unauthorized', 'No account has this e-mail address and password. Check both and try again.')
  }
  if (user.isDisabled) throw keptOut()
  return (await hasSecondFactor(sql, user.id)) ? issueTicket(sql, user) : openToldSession(sql, user, visitor, 'signIn')
}

/** Creates a session and records the sign-in in the audit log. */
export const openToldSession = (
  sql: Sql,
  user: Judged,
  visitor: Visitor,
  action: 'signIn' | 'signInWithCode' | 'signInByLink',
): Promise<NewSession> =>
  transaction(sql, async tx => {
    const session = await openSession(tx, user, visitor)
    const detail = { emailHash: emailHash(session.user.email) }
    await writeAccountEntries(tx, [{ userId: user.id, byThem: true, action, detail, request: visitor }])
    return session
  })

/** Error for a disabled account. Returned only after the correct password. */
export const keptOut = () =>
  new DomainError('forbidden', 'This account has been switched off. Ask whoever runs this service.')

/** An account with the password hash that was checked. */
export interface Judged {
  id: string
  passwordHash: string
}

/**
 * Issues a ticket to a user whose password was checked and who must enter a second-factor code. With `invitationHash`,
 * the session joins by that invitation.
 */
export const issueTicket = async (
  sql: Sql,
  { id: userId, passwordHash }: Judged,
  invitationHash: string | null = null,
): Promise<SecondFactorWanted> => {
  const ticket = newSecret('tkt_')
  const row = { tokenHash: hashSecret(ticket), userId, passwordHash, invitationHash, lifetimeMinutes: ticketMinutes }
  if (!(await insertTicket(sql, row))) throw passwordChanged()
  return { secondFactor: true, ticket }
}

const passwordChanged = () =>
  new DomainError(
    'unauthorized',
    'This account was given another password, or switched off, at this moment. Sign in again.',
  )

/**
 * Creates a session of 30 days for a user whose password was checked. It is shown in `workspaceId`, by default in the
 * workspace joined first. Also records the network as known for this account. Throws if the user is in no workspace, or
 * if the password changed since it was checked; then no session is created.
 */
export const openSession = (
  sql: Sql,
  { id: userId, passwordHash }: Judged,
  { address, userAgent }: Pick<Visitor, 'address' | 'userAgent'>,
  workspaceId?: string,
): Promise<NewSession> =>
  transaction(sql, async tx => {
    const token = newSecret('ses_')
    const tokenHash = hashSecret(token)
    const browser = userAgent?.slice(0, maxUserAgent).toWellFormed() ?? null
    if (!(await insertSession(tx, { tokenHash, userId, passwordHash, lifetimeDays, address, userAgent: browser })))
      throw passwordChanged()
    const session = (await findSession(tx, tokenHash))!
    const shown = session.memberships.find(one => one.workspaceId === (workspaceId ?? one.workspaceId))
    if (!shown) {
      throw new DomainError('forbidden', 'This account is a member of no workspace. Ask an owner to invite you.')
    }
    await rememberPlace(tx, { userId, email: session.email, address })
    return { token, ...shapeSession(session, shown) }
  })

/** Ends the session immediately. */
export const signOut = (
  sql: Sql,
  { token, row: { userId } }: { token: string; row: SessionRow },
  request: RequestRef,
): Promise<void> =>
  transaction(sql, async tx => {
    await deleteSession(tx, hashSecret(token))
    await writeAccountEntries(tx, [{ userId, byThem: true, action: 'signOut', request }])
  })
