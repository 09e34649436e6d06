import { type Sql, transaction } from '../../db/client.ts'
import { DomainError } from '../errors.ts'
import { hashSecret } from '../secrets.ts'
import { type NewSession, openSession, type Visitor } from '../sessions/index.ts'
import {
  findUserForSignIn,
  hashLine,
  hashPassword,
  insertUser,
  judgePassword,
  nameFromEmail,
  verifyPassword,
} from '../users/index.ts'
import type { AcceptInvitation } from './schema.ts'
import { findInvitation, type InvitationRow, joinWithInvitation } from './sql.ts'

/**
 * Joins the workspace of the invitation with a new account, or with the existing one of the invited address when the
 * password is that account's. Answers a session, shown in the workspace that was joined. `admitTry` is told the address
 * before any password is judged, and rejects when it has been tried too often.
 */
export const acceptInvitation = async (
  sql: Sql,
  input: AcceptInvitation,
  visitor: Visitor,
  admitTry: (email: string) => Promise<void>,
): Promise<NewSession> => {
  hashLine.refuseWhenFull(visitor)
  const tokenHash = hashSecret(input.token)
  const invitation = await findInvitation(sql, tokenHash)
  await admitTry(invitation?.email ?? '')
  if (!invitation) throw invitationOver()
  const attempt = () => join(sql, tokenHash, invitation, input, visitor)
  // Null once at most: after that the address has an account for good.
  return (await attempt()) ?? (await attempt())!
}

/** Null when, since it was looked for, somebody else opened an account with this address. */
const join = async (
  sql: Sql,
  tokenHash: string,
  invitation: InvitationRow,
  { name, password }: AcceptInvitation,
  visitor: Visitor,
): Promise<NewSession | null> => {
  const account = await findUserForSignIn(sql, invitation.email)
  if (account && !(await verifyPassword(password, account.passwordHash, visitor))) throw notTheirPassword()
  if (!account) await judgePassword(password)
  const passwordHash = account ? account.passwordHash : await hashPassword(password, visitor)
  return transaction(sql, async tx => {
    const userId =
      account?.id ??
      (await insertUser(tx, {
        email: invitation.email,
        name: name ?? invitation.name ?? nameFromEmail(invitation.email),
        passwordHash,
      }))
    if (userId === null) return null
    if (!(await joinWithInvitation(tx, tokenHash, userId))) throw invitationOver()
    return openSession(tx, { id: userId, passwordHash }, visitor, invitation.workspaceId)
  })
}

const invitationOver = () =>
  new DomainError(
    'unprocessable',
    'This invitation is not valid: it was used, taken back or has expired. Ask an owner of the workspace for a new one.',
  )

const notTheirPassword = () =>
  new DomainError('unauthorized', 'The e-mail address of this invitation and this password do not go together.')
