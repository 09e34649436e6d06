/** Search for a part of a text, ignoring case. */
import type { Fragment, Sql } from '../platform/postgres/client.ts'

/**
 * Returns the condition that a column contains the text. Its collation makes case independent of the database's locale.
 */
export const contains = (sql: Sql, column: string, text: string): Fragment =>
  sql`strpos(lower(${sql(column)} collate pg_c_utf8), lower(${text}::text collate pg_c_utf8)) > 0`
