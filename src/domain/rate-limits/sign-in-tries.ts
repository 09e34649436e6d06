/**
 * Tries to sign in. From one place an account may be tried so often, whoever knows its password included. Beside that all
 * tries with one account, and all from one place, have a budget each, so that neither many places nor many accounts let
 * anybody guess on. Where an account has been signed in from before, its tries go by the first rule alone: however much
 * strangers try elsewhere, its holder is let in.
 */
import { retrying, type Sql, transaction } from '../../db/client.ts'
import { networkOf, siteOf } from '../network.ts'
import { caseless } from '../users/index.ts'
import { keyOf } from './key.ts'
import { type Budget, isKnownPlace, rememberPlaceOf, takeFromBudgets, takeSignInTry } from './sql.ts'

/** Whose tries there are too many of: from this place with this account, with the account, or from the place. */
export type Tried = 'pair' | 'account' | 'place'

/** What is tried besides passwords: telling of a forgotten one, and codes of a second factor. */
export type Apart = 'forgot-password' | 'second-factor'

export type SignInVerdict = { admitted: true } | { admitted: false; tried: Tried; retryAfterSeconds: number }

/** All budgets are for ten minutes. */
const seconds = 600

/** How many times as many as from one place with one account. A site is the /48 of an IPv6 address. */
const factors = { account: 5, place: 10, site: 40 }

/**
 * Counts a try to sign in as this person from this place, unless too many were made: `max` in ten minutes for the two
 * together. Exact in all processes together: tries that share a row queue for it. One that is refused counts nowhere.
 * An `email` of null stands for no account: only the place is counted. What else than the password is tried is counted
 * `apart`.
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

/** Of several locks each is of a kind of its own, and the kinds come in one order: nobody waits in a circle. */
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

/** Thrown, so that what was taken by then is given back with the transaction. */
class TooMany extends Error {
  constructor(
    readonly tried: Tried,
    readonly retryAfterSeconds: number,
  ) {
    super('too many tries')
  }
}

/** To be told of every sign-in that went well, and of whoever got in by a link. */
export const rememberPlace = (
  sql: Sql,
  { userId, email, address }: { userId: string; email: string; address: string },
): Promise<void> => rememberPlaceOf(sql, userId, knownPlaceOf(email, address))

const knownPlaceOf = (email: string, address: string): string =>
  keyOf('known place', caseless(email), networkOf(address))
