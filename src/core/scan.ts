/**
 * Pages of filtered lists that no index covers, such as a customer's events of one type. The rows of a wider index are
 * filtered one by one, up to a maximum per page.
 */
import type { Fragment, Sql } from '../platform/postgres/client.ts'
import { direction, type PageOf, type PageRequest, type SizedRow, toPage, toPageEndingAt } from './pagination.ts'

/** Maximum number of rows that are filtered for one page. */
export const maxScanned = 20_000

/** Returns the id of the last of the first `maxRows` rows of a list. Returns null if no more rows follow. */
export const findLastScanned = async (
  sql: Sql,
  page: Pick<PageRequest, 'sort'>,
  rows: Fragment,
  maxRows: number,
): Promise<string | null> => {
  const matches = await sql<
    { id: string }[]
  >`select id from (${rows}) scanned order by id ${direction(sql, page)} offset ${maxRows - 1} limit 2`
  return matches.length === 2 ? matches[0]!.id : null
}

/**
 * Returns the page of the matching rows `matches`. A page that is not full ends where filtering ended, which `findLastId`
 * returns. Rows inserted between the two queries can count as filtered, but the next page never repeats a row of this
 * page.
 */
export const toScanPage = async <Row extends { id: string } & Partial<SizedRow>, T>(
  matches: Row[],
  page: Pick<PageRequest, 'limit' | 'sort'>,
  findLastId: () => Promise<string | null>,
  shape: (row: Row) => T,
): Promise<PageOf<T>> => {
  const end = matches.at(-1)
  if (matches.length > page.limit || end?.hasMore) return toPage(matches, page, shape)
  const last = await findLastId()
  if (last === null) return toPage(matches, page, shape)
  const endsLater = end && (page.sort === 'oldest' ? end.id > last : end.id < last)
  return toPageEndingAt(matches, page, endsLater ? end.id : last, shape)
}
