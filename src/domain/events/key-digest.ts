/**
 * What an event keeps of its idempotency key once its customer was erased: a key may name a person, and a repeat of it must
 * find the event for good. Whoever records at the very moment in which a first event with the key is written and its
 * customer erased may miss it: that would take the event, the erasure and the repeat within one round of the writer.
 */
import type { Fragment, Sql } from '../../db/client.ts'

export const keyDigest = (sql: Sql, key: Fragment) => sql`sha256(convert_to(${key}, 'UTF8'))`
