/**
 * Limits sign-in attempts. Each pair of network and account has a limit, which also counts correct passwords. All
 * attempts for one account, and all from one network, have a budget each. The budgets prevent guessing from many
 * networks or against many accounts. If the account has signed in from the network before, only the pair limit applies.
 * Attempts from other networks therefore cannot lock the holder out.
 */
import { retrying, type Sql, transaction } from '../../db/client.ts'
import { networkOf, siteOf } from '../network.ts'
import { caseless } from '../users/index.ts'
import { keyOf } from './key.ts'
import { type Budget, isKnownPlace, rememberPlaceOf, takeFromBudgets, takeSignInTry } from './sql.ts'

/** The limit that was exceeded: network and account (`pair`), `account`, or network (`place`). */
export type Tried = 'pair' | 'account' | 'place'

/** Attempts counted separately from passwords: password reset requests and second-factor codes. */
export type Apart = 'forgot-password' | 'second-factor'

export type SignInVerdict = { admitted: true } | { admitted: false; tried: Tried; retryAfterSeconds: number }

/** All budgets cover ten minutes. */
const seconds = 600

/** Budgets as multiples of the pair limit. A site is the /48 of an IPv6 address. */
const factors = { account: 5, place: 10, site: 40 }

/**
 * Counts a sign-in attempt for this account from this network, unless a limit is exceeded. `max` is the number of
 * attempts in ten minutes for the pair. The count is exact across all processes: concurrent attempts wait for the same
 * row lock. A rejected attempt is not counted. If `email` is null, only the network is counted. `apart` counts attempts
 * that are not password checks.
 */
export const admitSignInTry = async (
  sql: Sql,
  { email, address, max, apart = null }: { email: string | null; address: string; max: number; apart?: Apart | null },
): Promise<SignInVerdict> => {
  try {
    await retrying(() => transaction(sql, tx => take(tx, { email, apart, address, max })))
    return { admitted: true }
  } catch (error) {
    if (!(error instanceof TooMany)) throw error
    const { tried, retryAfterSeconds } = error
    return { admitted: false, tried, retryAfterSeconds }
  }
}

/** Takes one lock of each kind, and the kinds always in the same order, to avoid deadlocks. */
const take = async (
  tx: Sql,
  { email, apart, address, max }: { email: string | null; apart: Apart | null; address: string; max: number },
): Promise<void> => {
  const budgets = budgetsOfPlace(address, max)
  if (email !== null) {
    const pair = await takeSignInTry(tx, keyOf('pair', apart, caseless(email), networkOf(address)), max)
    if (!pair.admitted) throw new TooMany('pair', pair.retryAfterSeconds)
    if (await isKnownPlace(tx, knownPlaceOf(email, address))) return
    budgets.push({ tried: 'account', who: keyOf('account', apart, caseless(email)), tries: max * factors.account })
  }
  const taken = await takeFromBudgets(tx, budgets, seconds)
  for (const [position, { admitted, retryAfterSeconds }] of taken.entries())
    if (!admitted) throw new TooMany(budgets[position]!.tried, retryAfterSeconds)
}

const budgetsOfPlace = (address: string, max: number): (Budget & { tried: Tried })[] => {
  const site = siteOf(address)
  return [
    { tried: 'place', who: keyOf('place', networkOf(address)), tries: max * factors.place },
    ...(site === null ? [] : [{ tried: 'place' as const, who: keyOf('site', site), tries: max * factors.site }]),
  ]
}

/** Rolls back the transaction, which returns the attempts that were already taken. */
class TooMany extends Error {
  constructor(
    readonly tried: Tried,
    readonly retryAfterSeconds: number,
  ) {
    super('too many tries')
  }
}

/** Records a network after every successful sign-in, by password or by link. */
export const rememberPlace = (
  sql: Sql,
  { userId, email, address }: { userId: string; email: string; address: string },
): Promise<void> => rememberPlaceOf(sql, userId, knownPlaceOf(email, address))

const knownPlaceOf = (email: string, address: string): string =>
  keyOf('known place', caseless(email), networkOf(address))
