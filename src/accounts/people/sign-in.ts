/** Sign-in by a link that the operator created. */

import { hashSecret } from '../../core/secrets.ts'
import { type Sql, transaction } from '../../platform/postgres/client.ts'
import { hasSecondFactor } from '../second-factors/index.ts'
import { createAuditedSession, issueTicket, type SignedIn, type SignInClient } from '../sessions/index.ts'
import { invalidLink, rejectLink } from './links.ts'
import { notifyHolder } from './notify.ts'
import type { AdmitAttempt } from './password.ts'
import type { SignInByLink } from './schema.ts'
import { consumeLink, findLinkAccount } from './sql.ts'

/** Returns a session, or a ticket if the account has a second factor, like a sign-in with a password. */
export const signInByLink = async (
  sql: Sql,
  { token }: SignInByLink,
  client: SignInClient,
  admitAttempt: AdmitAttempt,
): Promise<SignedIn> => {
  const tokenHash = hashSecret(token)
  const account = await findLinkAccount(sql, tokenHash)
  if (!account) throw await rejectLink(admitAttempt)
  return transaction(sql, async tx => {
    const result = (await hasSecondFactor(tx, account.id))
      ? await issueTicket(tx, account)
      : await createAuditedSession(tx, account, client, 'signInByLink')
    // Spent after the account is locked. A password change takes the two locks in the same order.
    if (!(await consumeLink(tx, tokenHash, 'sign_in'))) throw invalidLink()
    await notifyHolder(tx, { userId: account.id, change: 'sign-in link used', request: client })
    return result
  })
}
