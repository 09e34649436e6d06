/**
 * Digests that replace a provider's message id and the idempotency key of an erased customer. Both can contain a phone
 * number. With the digest, a repeated provider status still matches its message and changes nothing. A request repeated
 * with its idempotency key still returns the message.
 */
import type { Fragment, Sql } from '../../platform/postgres/client.ts'

const erasedPrefix = 'erased:'

/** Returns the digest that replaces `id` after the customer is erased. */
export const erasedId = (sql: Sql, id: Fragment) =>
  sql`${erasedPrefix} || encode(sha256(convert_to(${id}, 'UTF8')), 'hex')`

/** Tests whether `id` is erased; null if `id` is null. */
export const isErasedId = (sql: Sql, id: Fragment) => sql`starts_with(${id}, ${erasedPrefix})`

/** Returns the id for readers: null if it is erased. */
export const visibleId = (sql: Sql, id: Fragment) => sql`case when not ${isErasedId(sql, id)} then ${id} end`

/** Tests whether a message's `id` equals the id given by a provider or caller, erased or not. */
export const matchesId = (sql: Sql, id: Fragment, givenId: Fragment) =>
  sql`${id} in (${givenId}, ${erasedId(sql, givenId)})`

/** Returns the raw digest, also for an id that is already erased. */
export const erasedDigest = (sql: Sql, id: Fragment) => sql`
  case when ${id} ~ ${`^${erasedPrefix}[0-9a-f]{64}$`} then decode(substr(${id}, ${erasedPrefix.length + 1}::integer), 'hex')
    else sha256(convert_to(${id}, 'UTF8')) end`
