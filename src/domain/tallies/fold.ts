/** Rolls up new counts into hourly stats. */
import type { Sql } from '../../db/client.ts'
import { firstPlace, foldTallies, type TallyPlace } from './sql.ts'

const perPage = 500
/** Maximum number of pages per run. Readers add the remaining rows themselves until the next run. */
const maxPages = 400

/** Rolls up all counts in pages. Continues after the last page, so that deleted index entries are not scanned again. */
export const addUpTallies = async (sql: Sql): Promise<void> => {
  let after: TallyPlace | null = firstPlace
  for (let page = 0; page < maxPages && after !== null; page++) after = (await foldTallies(sql, after, perPage)).last
}
