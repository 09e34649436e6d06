/**
 * Pages of filtered lists that no index covers, such as a customer's events of one type. The rows of a wider index are
 * filtered one by one, up to a maximum per page.
 */
import type { Fragment, Sql } from '../db/client.ts'
import { type Measured, type PageOf, pageOf, pageUpTo } from './pagination.ts'

/** Maximum number of rows that are filtered for one page. */
export const maxLookedAt = 20_000

/** Returns the id of the last of the first `most` rows, newest first. Returns null if no more rows follow. */
export const findLastLookedAt = async (sql: Sql, rows: Fragment, most: number): Promise<string | null> => {
  const found = await sql<{ id: string }[]>`select id from (${rows}) looked order by id desc offset ${most - 1} limit 2`
  return found.length === 2 ? found[0]!.id : null
}

/**
 * Returns the page of the matching rows `found`. A page that is not full ends where filtering ended, which `findLast`
 * returns. Rows inserted between the two queries can count as filtered, but the next page never repeats a row of this
 * page.
 */
export const pageOfLook = async <Row extends { id: string } & Partial<Measured>, T>(
  found: Row[],
  limit: number,
  findLast: () => Promise<string | null>,
  shape: (row: Row) => T,
): Promise<PageOf<T>> => {
  const end = found.at(-1)
  if (found.length > limit || end?.hasMore) return pageOf(found, limit, shape)
  const last = await findLast()
  if (last === null) return pageOf(found, limit, shape)
  return pageUpTo(found, end && end.id < last ? end.id : last, shape)
}
