/**
 * What a provider called a message of somebody who was erased, and the idempotency key it was written with. Either may hold
 * a phone number, so a digest takes its place: what is told of the message again is still known to be of it, and changes
 * nothing; what is written again with its key is still answered with it.
 */
import type { Fragment, Sql } from '../../db/client.ts'

const mark = 'erased:'

/** What stands in place of `id` once the customer was erased. */
export const erasedId = (sql: Sql, id: Fragment) => sql`${mark} || encode(sha256(convert_to(${id}, 'UTF8')), 'hex')`

/** Whether it does; null where there is none. */
export const isErasedId = (sql: Sql, id: Fragment) => sql`starts_with(${id}, ${mark})`

/** As it is shown: not at all. */
export const shownId = (sql: Sql, id: Fragment) => sql`case when not ${isErasedId(sql, id)} then ${id} end`

/** The condition that `id` of a message is what a provider or a caller says, be it erased or not. */
export const isCalled = (sql: Sql, id: Fragment, said: Fragment) => sql`${id} in (${said}, ${erasedId(sql, said)})`

/** The digest itself, of one that is erased already too. */
export const erasedDigest = (sql: Sql, id: Fragment) => sql`
  case when ${id} ~ ${`^${mark}[0-9a-f]{64}$`} then decode(substr(${id}, ${mark.length + 1}::integer), 'hex')
    else sha256(convert_to(${id}, 'UTF8')) end`
