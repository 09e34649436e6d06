import type { Sql } from '../../db/client.ts'
import { DomainError, invalidRequest } from '../errors.ts'
import type { SessionRow } from '../sessions/index.ts'
import { zoneNamed } from '../time-zone.ts'
import { type User, updateUser } from '../users/index.ts'
import { type ChangeUser, localeWanted } from './schema.ts'

/** Changes what is given of what a person says of themselves. */
export const changeUser = async (sql: Sql, { userId }: SessionRow, given: ChangeUser): Promise<User> => {
  const { name, locale, timezone } = given
  const changed = await updateUser(sql, userId, {
    name,
    locale: locale && localeNamed(locale),
    timezone: timezone && zoneNamed(timezone),
  })
  if (changed === null) throw new DomainError('unauthorized', 'This account is gone.')
  return changed
}

/** As it is written, however it was typed: `de-at` is `de-AT`. */
const localeNamed = (given: string): string => {
  try {
    return Intl.getCanonicalLocales(given)[0]!
  } catch {
    throw invalidRequest({ locale: localeWanted })
  }
}
