/**
 * Digests of idempotency keys, kept after a customer was erased. A key may contain personal data, but a repeat must
 * still find its event.
 *
 * One race remains, in which a repeat can miss the event. The first event with a key, the erasure of its customer and
 * the repeat must then happen within one round of the writer.
 */
import type { Fragment, Sql } from '../platform/postgres/client.ts'

/** Indexed hash of a key. SHA-256 of every incoming key would cost more than the whole lookup. */
export const keyHash = (sql: Sql, key: Fragment) => sql`hashtextextended(${key}, 0)`

export const keyDigest = (sql: Sql, key: Fragment) => sql`sha256(convert_to(${key}, 'UTF8'))`
