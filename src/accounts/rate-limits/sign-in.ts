/**
 * Limits sign-in attempts. Each pair of network and account has a limit, which also counts correct passwords. All
 * attempts for one account, and all from one network, have a budget each. The budgets prevent guessing from many
 * networks or against many accounts. If the account has signed in from the network before, only the pair limit applies.
 * Attempts from other networks therefore cannot lock the holder out.
 */

import { networkOf, siteOf } from '../../platform/network.ts'
import { type Sql, transaction, withRetry } from '../../platform/postgres/client.ts'
import { lowerCaseEmail } from '../users/index.ts'
import { hashKey } from './key.ts'
import { type Budget, isKnownNetwork, takeFromBudgets, takeSignInAttempt, upsertKnownNetwork } from './sql.ts'

/** The limit that was exceeded: network and account (`pair`), `account`, or network (`network`). */
export type LimitScope = 'pair' | 'account' | 'network'

/** Attempts counted separately from passwords: password reset requests and second-factor codes. */
export type AttemptKind = 'forgot-password' | 'second-factor'

export type SignInVerdict = { admitted: true } | { admitted: false; scope: LimitScope; retryAfterSeconds: number }

/** All budgets cover ten minutes. */
const windowSeconds = 600

/** Budgets as multiples of the pair limit. A site is the /48 of an IPv6 address. */
const factors = { account: 5, network: 10, site: 40 }

/**
 * Counts a sign-in attempt for this account from this network, unless a limit is exceeded. `max` is the number of
 * attempts in ten minutes for the pair. The count is exact across all processes: concurrent attempts wait for the same
 * row lock. A rejected attempt is not counted. If `email` is null, only the network is counted. `kind` counts attempts
 * that are not password checks.
 */
export const admitSignInAttempt = async (
  sql: Sql,
  {
    email,
    address,
    max,
    kind = null,
  }: { email: string | null; address: string; max: number; kind?: AttemptKind | null },
): Promise<SignInVerdict> => {
  try {
    await withRetry(() => transaction(sql, tx => takeAttempt(tx, { email, kind, address, max })))
    return { admitted: true }
  } catch (error) {
    if (!(error instanceof TooManyAttempts)) throw error
    const { scope, retryAfterSeconds } = error
    return { admitted: false, scope, retryAfterSeconds }
  }
}

/** Takes one lock of each kind, and the kinds always in the same order, to avoid deadlocks. */
const takeAttempt = async (
  tx: Sql,
  { email, kind, address, max }: { email: string | null; kind: AttemptKind | null; address: string; max: number },
): Promise<void> => {
  const budgets = networkBudgets(address, max)
  if (email !== null) {
    const pair = await takeSignInAttempt(tx, hashKey('pair', kind, lowerCaseEmail(email), networkOf(address)), max)
    if (!pair.admitted) throw new TooManyAttempts('pair', pair.retryAfterSeconds)
    if (await isKnownNetwork(tx, knownNetworkKey(email, address))) return
    budgets.push({
      scope: 'account',
      keyHash: hashKey('account', kind, lowerCaseEmail(email)),
      attempts: max * factors.account,
    })
  }
  const results = await takeFromBudgets(tx, budgets, windowSeconds)
  for (const [index, { admitted, retryAfterSeconds }] of results.entries())
    if (!admitted) throw new TooManyAttempts(budgets[index]!.scope, retryAfterSeconds)
}

const networkBudgets = (address: string, max: number): (Budget & { scope: LimitScope })[] => {
  const site = siteOf(address)
  return [
    { scope: 'network', keyHash: hashKey('place', networkOf(address)), attempts: max * factors.network },
    ...(site === null
      ? []
      : [{ scope: 'network' as const, keyHash: hashKey('site', site), attempts: max * factors.site }]),
  ]
}

/** Rolls back the transaction, which returns the attempts that were already taken. */
class TooManyAttempts extends Error {
  constructor(
    readonly scope: LimitScope,
    readonly retryAfterSeconds: number,
  ) {
    super('too many sign-in attempts')
  }
}

/** Records a network after every successful sign-in, by password or by link. */
export const rememberNetwork = (
  sql: Sql,
  { userId, email, address }: { userId: string; email: string; address: string },
): Promise<void> => upsertKnownNetwork(sql, userId, knownNetworkKey(email, address))

const knownNetworkKey = (email: string, address: string): string =>
  hashKey('known place', lowerCaseEmail(email), networkOf(address))
