import { type Sql, transaction } from '../../db/client.ts'
import { writeAccountEntries } from '../audit/index.ts'
import type { RequestRef } from '../context.ts'
import { DomainError, invalidRequest } from '../errors.ts'
import type { SessionRow } from '../sessions/index.ts'
import { zoneNamed } from '../time-zone.ts'
import { findUser, type User, updateUser } from '../users/index.ts'
import { type ChangeUser, localeWanted } from './schema.ts'

/** Returns the profile of the signed-in person. */
export const readUser = async (sql: Sql, { userId }: SessionRow): Promise<User> => present(await findUser(sql, userId))

/** Updates the given fields of the profile. */
export const changeUser = async (
  sql: Sql,
  { userId }: SessionRow,
  given: ChangeUser,
  request: RequestRef,
): Promise<User> => {
  const { name, locale, timezone } = given
  const change = { name, locale: locale && localeNamed(locale), timezone: timezone && zoneNamed(timezone) }
  return transaction(sql, async tx => {
    const { differs, ...changed } = present(await updateUser(tx, userId, change))
    const detail = { changed: Object.keys(given) }
    if (differs) await writeAccountEntries(tx, [{ userId, byThem: true, action: 'changeUser', detail, request }])
    return changed
  })
}

/** Fails with 401 if the account was deleted in the meantime, because its sessions are gone as well. */
const present = <T>(user: T | null): T => {
  if (user === null) throw new DomainError('unauthorized', 'This session is not valid or has ended. Sign in again.')
  return user
}

/** Returns the canonical form of a language tag: `de-at` becomes `de-AT`. */
const localeNamed = (given: string): string => {
  try {
    return Intl.getCanonicalLocales(given)[0]!
  } catch {
    throw invalidRequest({ locale: localeWanted })
  }
}
