/**
 * What an event keeps of its idempotency key once its customer was erased: a key may name a person, and a repeat of it must
 * find the event for good. Whoever records at the very moment in which a first event with the key is written and its
 * customer erased may miss it: that would take the event, the erasure and the repeat within one round of the writer.
 */
import type { Fragment, Sql } from '../../db/client.ts'

/** What of it there is an index of: SHA-256 of every key that comes in would take longer than all of its look-up. */
export const keyHash = (sql: Sql, key: Fragment) => sql`hashtextextended(${key}, 0)`

export const keyDigest = (sql: Sql, key: Fragment) => sql`sha256(convert_to(${key}, 'UTF8'))`
