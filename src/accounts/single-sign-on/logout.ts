/** Back-channel logout: the identity provider ends sessions. */

import type { RequestRef } from '../../core/context.ts'
import { type Sql, transaction } from '../../platform/postgres/client.ts'
import { writeAccountEntries } from '../audit/index.ts'
import { deleteSsoSessions, deleteSsoTickets } from '../sessions/index.ts'
import { domainErrorOf, logoutHashOf, type SsoSettings, ssoMinutes } from './sign-in.ts'
import { deleteIdentityLinksOf, insertLogout } from './sql.ts'

/**
 * Ends the sessions, tickets and sign-ins in progress that a logout token of the provider names. It takes effect in
 * every process, because every request looks up its session. A token for sessions that do not exist succeeds, so that
 * the provider does not repeat it.
 */
export const endSsoSessions = async (
  sql: Sql,
  { provider, onFailure }: SsoSettings,
  logoutToken: string,
  request: RequestRef,
): Promise<void> => {
  const logout = await provider
    .readLogoutToken(logoutToken)
    .catch(error => Promise.reject(domainErrorOf(error, 'logout', onFailure)))
  const named = { issuer: provider.issuer, ...logout }
  // Committed before anything is deleted: a sign-in in progress either finds it, or its session is deleted below.
  await insertLogout(sql, logoutHashOf(named), ssoMinutes * 2)
  await transaction(sql, async tx => {
    // In the order in which a sign-in continues: each statement also finds what the deleted ticket has just become.
    await deleteIdentityLinksOf(tx, named)
    await deleteSsoTickets(tx, named)
    // Accepting an invitation copies a locked session. The next statement finds the copy.
    for (let users = await deleteSsoSessions(tx, named); users.length > 0; users = await deleteSsoSessions(tx, named))
      await writeAccountEntries(
        tx,
        users.map(userId => ({ userId, isByHolder: false, action: 'endSsoSessions', request })),
      )
  })
}
