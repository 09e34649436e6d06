/** Detects updates that change nothing, which the audit log does not record. */
import type { Fragment, Sql } from '../platform/postgres/client.ts'

/** Part of an updated row: whether the update changed anything. */
export interface DiffersColumn {
  differs: boolean
}

/**
 * SQL fragment for `returning`: whether the row differs from before. Ignores `updated_at` and `version`, which change
 * with every write.
 */
export const differsColumn = (sql: Sql): Fragment => sql`
  to_jsonb(old) - array['updated_at', 'version'] <> to_jsonb(new) - array['updated_at', 'version'] as differs`
