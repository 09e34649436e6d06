/** Links an identity to an account, with the consent of its holder, and removes the link (contract 2.15). */

import type { RequestRef } from '../../core/context.ts'
import { DomainError } from '../../core/errors.ts'
import { hashSecret, newSecret } from '../../core/secrets.ts'
import { CellUnavailable } from '../../platform/postgres/cells.ts'
import { type Sql, transaction } from '../../platform/postgres/client.ts'
import { enqueueMail } from '../../queue/tasks.ts'
import { type FailedSignIns, writeAccountEntries } from '../audit/index.ts'
import {
  type AdmitAttempt,
  invalidLink,
  invalidTicket,
  notifyHolder,
  rejectLink,
  requirePassword,
} from '../people/index.ts'
import {
  deleteSessionsOfIdentity,
  readMemberships,
  type SessionRow,
  type SignedIn,
  type SignInClient,
  type SsoIdentity,
} from '../sessions/index.ts'
import { hashLimiter, verifyPassword } from '../users/index.ts'
import type { ConfirmIdentity, LinkIdentity, MailIdentityLink, OwnIdentity, UnlinkIdentity } from './schema.ts'
import { openSession, type SsoSettings } from './sign-in.ts'
import {
  countMailedLinks,
  deleteIdentity,
  deleteIdentityLink,
  findIdentity,
  findIdentityLink,
  insertIdentityLink,
  insertLinkedIdentity,
  lockAccount,
} from './sql.ts'

const mailedMinutes = 60
/** Maximum number of mailed links per account and hour. */
const maxMailed = 5

/**
 * Links the identity of a ticket with the password of the account, and signs in like a single sign-on. A wrong password is
 * 401 and counts as a sign-in attempt. The ticket remains valid.
 */
export const linkIdentity = async (
  sql: Sql,
  { ticket, password }: LinkIdentity,
  client: SignInClient,
  admitAttempt: AdmitAttempt,
  failedSignIns: FailedSignIns,
): Promise<SignedIn> => {
  hashLimiter.rejectWhenFull(client)
  const tokenHash = hashSecret(ticket)
  const link = await findIdentityLink(sql, tokenHash, { mailed: false })
  if (!link) throw await rejectTicket(admitAttempt)
  await admitAttempt(link.email)
  if (!(await verifyPassword(password, link.passwordHash, client))) {
    failedSignIns.record({ userId: link.id, email: link.email, request: client })
    throw new DomainError('unauthorized', 'This is not the password of the account. Check it and try again.')
  }
  return transaction(sql, async tx => {
    await lockAccount(tx, link.id)
    if (!(await deleteIdentityLink(tx, tokenHash))) throw invalidTicket()
    await addIdentity(tx, { userId: link.id, identity: link.identity, action: 'linkIdentity', client })
    return openSession(tx, link, client)
  })
}

/**
 * Enqueues a mail with a link, for a holder who does not know the password. If the address was never confirmed, a
 * stranger may have created the account. The holder then gets a password reset, which ends what the stranger could use.
 * 422 if e-mail is not configured.
 */
export const mailIdentityLink = async (
  sql: Sql,
  { byMail }: SsoSettings,
  { ticket }: MailIdentityLink,
  admitAttempt: AdmitAttempt,
): Promise<void> => {
  const link = await findIdentityLink(sql, hashSecret(ticket), { mailed: false })
  if (!link) throw await rejectTicket(admitAttempt)
  if (!byMail) throw new DomainError('unprocessable', 'The service sends no email. Use the password of the account.')
  await admitAttempt(link.email, 'forgot-password')
  await enqueueMail(
    sql,
    link.isConfirmed
      ? { kind: 'identity', userId: link.id, identity: link.identity }
      : { kind: 'reset', email: link.email },
  )
}

/** Creates the link of a mail and returns its token. Null if the account got the maximum of mails within an hour. */
export const createIdentityLink = async (sql: Sql, userId: string, identity: SsoIdentity): Promise<string | null> => {
  if ((await countMailedLinks(sql, userId)) >= maxMailed) return null
  const token = newSecret('idl_')
  const tokenHash = hashSecret(token)
  await insertIdentityLink(sql, {
    tokenHash,
    userId,
    identity,
    role: null,
    mailed: true,
    lifetimeMinutes: mailedMinutes,
  })
  return token
}

/** Invalidates a link that was created but could not be delivered. */
export const revokeIdentityLink = async (sql: Sql, token: string): Promise<void> => {
  await deleteIdentityLink(sql, hashSecret(token))
}

/** Links the identity of a mailed link. The person then signs in at the provider. */
export const confirmIdentity = async (
  sql: Sql,
  { token }: ConfirmIdentity,
  client: RequestRef,
  admitAttempt: AdmitAttempt,
): Promise<void> => {
  const tokenHash = hashSecret(token)
  const link = await findIdentityLink(sql, tokenHash, { mailed: true })
  if (!link) throw await rejectLink(admitAttempt)
  await transaction(sql, async tx => {
    await lockAccount(tx, link.id)
    if (!(await deleteIdentityLink(tx, tokenHash))) throw invalidLink()
    await addIdentity(tx, { userId: link.id, identity: link.identity, action: 'confirmIdentity', client })
  })
}

/** Returns whether the account is linked to the provider. */
export const readIdentity = async (sql: Sql, issuer: string | null, { userId }: SessionRow): Promise<OwnIdentity> => {
  const since = issuer === null ? null : await findIdentity(sql, userId, issuer)
  return { linked: since !== null, since: since?.toISOString() ?? null }
}

/**
 * Removes the link to the provider, and ends the other sessions that began with it. Requires the password. Fails if a
 * workspace of the person requires single sign-on.
 */
export const unlinkIdentity = async (
  sql: Sql,
  issuer: string,
  session: SessionRow,
  { password }: UnlinkIdentity,
  client: SignInClient,
  admitAttempt: AdmitAttempt,
): Promise<void> => {
  const { id, userId } = session
  const { memberships, unreachable } = await readMemberships(sql, session)
  // Whether they require it is not known.
  if (unreachable.length > 0) throw new CellUnavailable()
  const requiredBy = memberships.find(({ requiresSso }) => requiresSso)
  if (requiredBy)
    throw new DomainError(
      'unprocessable',
      `The workspace ${requiredBy.workspaceName} requires single sign-on. Ask an owner to remove the requirement, or leave the workspace.`,
    )
  await requirePassword(sql, session, password, client, admitAttempt, 'password')
  await transaction(sql, async tx => {
    if (!(await deleteIdentity(tx, userId, issuer)))
      throw new DomainError('unprocessable', 'Your account is not linked to the identity provider.')
    await deleteSessionsOfIdentity(tx, userId, issuer, id)
    await writeAccountEntries(tx, [{ userId, isByHolder: true, action: 'unlinkIdentity', request: client }])
    await notifyHolder(tx, { userId, change: 'single sign-on removed', request: client })
  })
}

const addIdentity = async (
  tx: Sql,
  p: { userId: string; identity: SsoIdentity; action: 'linkIdentity' | 'confirmIdentity'; client: RequestRef },
): Promise<void> => {
  const { userId, identity, action, client } = p
  if (!(await insertLinkedIdentity(tx, userId, identity)))
    throw new DomainError('unprocessable', 'This account or this identity is linked already. Sign in again.')
  await writeAccountEntries(tx, [
    { userId, isByHolder: true, action, detail: { issuer: identity.issuer }, request: client },
  ])
  await notifyHolder(tx, { userId, change: 'single sign-on linked', request: client })
}

const rejectTicket = async (admitAttempt: AdmitAttempt): Promise<DomainError> => {
  await admitAttempt(null)
  return invalidTicket()
}
