/** Sign-in by a link that the operator created. */
import { type Sql, transaction } from '../../db/client.ts'
import { hasSecondFactor } from '../second-factors/index.ts'
import { hashSecret } from '../secrets.ts'
import { issueTicket, openToldSession, type SignedIn, type Visitor } from '../sessions/index.ts'
import { badLink, linkOver } from './links.ts'
import type { AdmitTry } from './password.ts'
import type { SignInByLink } from './schema.ts'
import { findAccountToEnter, spendLink } from './sql.ts'

/** Returns a session, or a ticket if the account has a second factor, like a sign-in with a password. */
export const signInByLink = async (
  sql: Sql,
  { token }: SignInByLink,
  visitor: Visitor,
  admitTry: AdmitTry,
): Promise<SignedIn> => {
  const tokenHash = hashSecret(token)
  const account = await findAccountToEnter(sql, tokenHash)
  if (!account) throw await badLink(admitTry)
  return transaction(sql, async tx => {
    const answer = (await hasSecondFactor(tx, account.id))
      ? await issueTicket(tx, account)
      : await openToldSession(tx, account, visitor, 'signInByLink')
    // Spent after the account is locked. A password change takes the two locks in the same order.
    if (!(await spendLink(tx, tokenHash, 'sign_in'))) throw linkOver()
    return answer
  })
}
