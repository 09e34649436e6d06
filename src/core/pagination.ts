/**
 * Pagination of lists, newest first by id. Ids are UUIDv7, so their order is the order of time. A page ends at the row
 * limit or at the size limit of a response.
 */
import type { Fragment, Sql } from '../platform/postgres/client.ts'
import { invalidRequest } from './errors.ts'
import { isId } from './ids.ts'
import type { PageQuery } from './schema.ts'

/**
 * Maximum size of a page in bytes, measured by PostgreSQL as the text length of the large columns. The last row can
 * exceed it by at most the size of a request body. Rows limited by their schema to a few KiB need not be measured.
 */
export const maxPageBytes = 4 * 1024 * 1024

export interface PageRequest {
  limit: number
  /** Only rows with smaller ids are returned. Null starts at the newest row. */
  before: string | null
}

export interface PageOf<T> {
  data: T[]
  nextCursor: string | null
}

/** Decodes the page query. Rejects a cursor that this service did not create. */
export const toPageRequest = (query: PageQuery): PageRequest => ({
  limit: query.limit ?? 50,
  before: query.cursor === undefined ? null : decodeCursor(query.cursor),
})

/** Extra columns of a row from `withinPageBytes`. */
export interface SizedRow {
  /** True if another row follows, which the size limit may have cut off. */
  hasMore: boolean
  bytes: number
  bytesBefore: number
}

/**
 * Keeps only the rows that begin within the size limit of a response, so that the others never leave the database.
 * `rows` selects rows newest first with `limit + 1`, an `id`, and their size as `bytes`. `columns` replaces `*`, for
 * columns that are costly and needed only for the returned rows.
 */
export const withinPageBytes = (sql: Sql, rows: Fragment, columns?: Fragment): Fragment => sql`
  select ${columns ? sql`${columns}, "hasMore"` : sql`*`} from (
    select counted.*, lead(id) over newest is not null as "hasMore",
      coalesce(sum(bytes) over (newest rows between unbounded preceding and 1 preceding), 0) as "bytesBefore"
    from (${rows}) counted
    window newest as (order by id desc)
  ) counted
  where "bytesBefore" < ${maxPageBytes}
  order by id desc`

/**
 * Builds a page from rows that were read with `limit + 1`. There is a next page if the extra row exists, or if the size
 * limit cut rows off.
 */
export const toPage = <Row extends { id: string } & Partial<SizedRow>, T>(
  rows: Row[],
  limit: number,
  shape: (row: Row) => T,
): PageOf<T> => {
  const pageRows = rows.slice(0, limit)
  const last = pageRows.at(-1)
  const hasMore = rows.length > limit || last?.hasMore === true
  const nextCursor = last && hasMore ? encodeCursor(last.id) : null
  for (const row of pageRows) removeSizes(row)
  return { data: pageRows.map(shape), nextCursor }
}

/** Removes the measurement columns, so that `shape` functions do not see them. */
const removeSizes = (row: Partial<SizedRow>): void => {
  if (row.hasMore === undefined) return
  delete row.hasMore
  delete row.bytes
  delete row.bytesBefore
}

/** Builds a page that ends at the row with the id `last`, where filtering ended. More rows may follow it. */
export const toPageEndingAt = <Row extends Partial<SizedRow>, T>(
  rows: Row[],
  last: string,
  shape: (row: Row) => T,
): PageOf<T> => {
  for (const row of rows) removeSizes(row)
  return { data: rows.map(shape), nextCursor: encodeCursor(last) }
}

const encodeCursor = (id: string): string => Buffer.from(id).toString('base64url')

/** Decodes a cursor and encodes it again to compare, because the decoder ignores invalid characters. */
const decodeCursor = (cursor: string): string => {
  const id = Buffer.from(cursor, 'base64url').toString('latin1')
  if (isId(id) && encodeCursor(id) === cursor) return id
  throw invalidRequest({
    cursor: 'Is not a cursor of this list. Send the nextCursor of the previous page, or omit it.',
  })
}
