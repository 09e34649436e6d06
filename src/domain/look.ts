/**
 * Lists of rows that no index leads to, such as a customer's events of one type: the rows that an index does lead to are
 * looked at one after the other, at most so many for a page.
 */
import type { Fragment, Sql } from '../db/client.ts'
import { type Measured, type PageOf, pageOf, pageUpTo } from './pagination.ts'

/** Rows looked at one after the other for one page. */
export const maxLookedAt = 20_000

/** The id of the last of those `rows`, newest first, that a look goes through; null where there are no more behind it. */
export const findLastLookedAt = async (sql: Sql, rows: Fragment, most: number): Promise<string | null> => {
  const found = await sql<{ id: string }[]>`select id from (${rows}) looked order by id desc offset ${most - 1} limit 2`
  return found.length === 2 ? found[0]!.id : null
}

/**
 * The page of what a look has found. One that is not full ends where the look did, which `findLast` answers; of what came
 * in meanwhile it may take more for looked at than was, but nothing that is in the page already.
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
