/** Telling a change from what only says once more how things are: of that the audit log does not tell. */
import type { Fragment, Sql } from '../db/client.ts'

/** Of a row that an update answers: whether anything of it is another now than before. */
export interface Compared {
  differs: boolean
}

/** For `returning`: whether the row is another than before, but for when and how often it was written. */
export const comparing = (sql: Sql): Fragment => sql`
  to_jsonb(old) - array['updated_at', 'turn'] <> to_jsonb(new) - array['updated_at', 'turn'] as differs`
