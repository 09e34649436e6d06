/** Rolls up new counts into hourly stats. */
import type { Sql } from '../../platform/postgres/client.ts'
import { firstCursor, rollUpPage, type StatsCursor } from './sql.ts'

const pageSize = 2000
/** Maximum number of pages per run. Readers add the remaining rows themselves until the next run. */
const maxPages = 100

/** Rolls up all counts in pages. Continues after the last page, so that deleted index entries are not scanned again. */
export const rollUpStats = async (sql: Sql): Promise<void> => {
  let after: StatsCursor | null = firstCursor
  for (let page = 0; page < maxPages && after !== null; page++) after = await rollUpPage(sql, after, pageSize)
}
