import type { RequestRef } from '../../core/context.ts'
import { DomainError, invalidRequest } from '../../core/errors.ts'
import { parseTimeZone } from '../../core/time-zone.ts'
import { type Sql, transaction } from '../../platform/postgres/client.ts'
import { writeAccountEntries } from '../audit/index.ts'
import type { SessionRow } from '../sessions/index.ts'
import { findUser, type User, updateUser } from '../users/index.ts'
import { type ChangeUser, localeMessage } from './schema.ts'

/** Returns the profile of the signed-in person. */
export const readUser = async (sql: Sql, { userId }: SessionRow): Promise<User> =>
  requireUser(await findUser(sql, userId))

/** Updates the given fields of the profile. */
export const changeUser = async (
  sql: Sql,
  { userId }: SessionRow,
  input: ChangeUser,
  request: RequestRef,
): Promise<User> => {
  const { name, locale, timezone, mutedEmails } = input
  const change = {
    name,
    locale: locale && parseLocale(locale),
    timezone: timezone && parseTimeZone(timezone),
    mutedEmails,
  }
  return transaction(sql, async tx => {
    const { differs, ...changed } = requireUser(await updateUser(tx, userId, change))
    const detail = { changed: Object.keys(input) }
    if (differs) await writeAccountEntries(tx, [{ userId, isByHolder: true, action: 'changeUser', detail, request }])
    return changed
  })
}

/** Fails with 401 if the account was deleted in the meantime, because its sessions are gone as well. */
const requireUser = <T>(user: T | null): T => {
  if (user === null) throw new DomainError('unauthorized', 'This session is not valid or has ended. Sign in again.')
  return user
}

/** Returns the canonical form of a language tag: `de-at` becomes `de-AT`. */
const parseLocale = (input: string): string => {
  try {
    return Intl.getCanonicalLocales(input)[0]!
  } catch {
    throw invalidRequest({ locale: localeMessage })
  }
}
