/** Adding up: what was counted since the last time joins its hour. */
import type { Sql } from '../../db/client.ts'
import { firstPlace, foldTallies, type TallyPlace } from './sql.ts'

const perPage = 500
/** In one go; what is left is read as it is, and added up the next time. */
const maxPages = 400

/** From the first to the last, a page at a time: what was passed is not walked over again. */
export const addUpTallies = async (sql: Sql): Promise<void> => {
  let after: TallyPlace | null = firstPlace
  for (let page = 0; page < maxPages && after !== null; page++) after = (await foldTallies(sql, after, perPage)).last
}
