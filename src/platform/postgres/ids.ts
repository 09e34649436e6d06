/** SQL fragments about UUIDv7 ids. */
import type { Fragment, Sql } from './client.ts'

/** SQL expression: the smallest id that can be created at `time` or later. Null for a null time. */
export const minIdOf = (sql: Sql, time: Fragment): Fragment =>
  sql`(lpad(to_hex(floor(extract(epoch from ${time}) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`
