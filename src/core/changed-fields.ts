/** Detects updates that change nothing, which the audit log does not record. */
import type { Fragment, Sql } from '../platform/postgres/client.ts'

/** Part of an updated row: whether the update changed anything. */
export interface DiffersColumn {
  differs: boolean
}

/**
 * SQL fragment for `returning`: whether the row differs from before. Ignores `updated_at` and `version`, which change
 * with every write, as do the system columns, which the views of a cell of Citus contain.
 */
export const differsColumn = (sql: Sql): Fragment => sql`
  to_jsonb(old) - ${ignored}::text[] <> to_jsonb(new) - ${ignored}::text[] as differs`

const ignored = ['updated_at', 'version', 'ctid', 'xmin']
