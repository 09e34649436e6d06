/** Back-channel logout: the identity provider ends sessions. */

import type { RequestRef } from '../../core/context.ts'
import { type Sql, transaction } from '../../platform/postgres/client.ts'
import { writeAccountEntries } from '../audit/index.ts'
import { deleteSsoSessions } from '../sessions/index.ts'
import { domainErrorOf, type SsoSettings } from './sign-in.ts'
import { deleteIdentityLinksOf } from './sql.ts'

/**
 * Ends the sessions and tickets that a logout token of the provider names. It takes effect in every process, because
 * every request looks up its session. A token for sessions that do not exist succeeds, so that the provider does not
 * repeat it.
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
  await transaction(sql, async tx => {
    const named = { issuer: provider.issuer, ...logout }
    await deleteIdentityLinksOf(tx, named)
    const users = await deleteSsoSessions(tx, named)
    await writeAccountEntries(
      tx,
      users.map(userId => ({ userId, isByHolder: false, action: 'endSsoSessions', request })),
    )
  })
}
