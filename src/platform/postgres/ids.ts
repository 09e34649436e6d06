/** SQL fragments about UUIDv7 ids. */
import type { Fragment, Sql } from './client.ts'

/** Id before all others. */
export const smallestId = '00000000-0000-0000-0000-000000000000'

/** SQL expression: the smallest id that can be created at `time` or later. Null for a null time. */
export const minIdOf = (sql: Sql, time: Fragment): Fragment =>
  sql`encode(int8send(floor(extract(epoch from ${time}) * 1000)::bigint << 16) || ${zeros}::bytea, 'hex')::uuid`

/** Second half of an id. */
const zeros = Buffer.alloc(8)
