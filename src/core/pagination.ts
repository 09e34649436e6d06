/**
 * Pagination of lists by id, newest first by default. Ids are UUIDv7, so their order is the order of time. A page ends at
 * the row limit or at the size limit of a response.
 */
import type { Fragment, Sql } from '../platform/postgres/client.ts'
import { invalidRequest } from './errors.ts'
import { isId, minIdAt } from './ids.ts'
import type { RangeQuery, Sort } from './schema.ts'

/**
 * Maximum size of a page in bytes, measured by PostgreSQL as the text length of the large columns. The last row can
 * exceed it by at most the size of a request body. Rows limited by their schema to a few KiB need not be measured.
 */
export const maxPageBytes = 4 * 1024 * 1024

export interface PageRequest {
  limit: number
  /** Order of the rows. Defaults to `newest`. */
  sort?: Sort
  /** Only rows with smaller ids are returned. Null for no limit. */
  before: string | null
  /** Only rows with larger ids are returned. Only used with `oldest`. */
  after?: string
  /** Only rows of this time range are returned. Missing without `since` and `until`. */
  range?: TimeRange
}

/** Period whose records a list returns. */
export interface Period {
  since: Date
  /** Exclusive end. */
  end: Date
}

/** Time range of a list by id. */
export interface TimeRange extends Period {
  /** Smallest id that a row of the range can have. */
  fromId: string
}

export interface PageOf<T> {
  data: T[]
  nextCursor: string | null
}

/** Decodes the page query. Rejects a cursor that this service did not create. */
export const toPageRequest = (query: RangeQuery): PageRequest => {
  const sort = query.sort ?? 'newest'
  const first = { limit: query.limit ?? 50, sort, before: null }
  const page = query.cursor === undefined ? first : continueAfter(first, decodeCursor(query.cursor, sort))
  const range = toPeriod(query)
  if (range === undefined) return page
  const [fromId, endId] = [minIdAt(shift(range.since, -idMarginMs)), minIdAt(shift(range.end, idMarginMs))]
  return {
    ...page,
    before: page.before !== null && page.before < endId ? page.before : endId,
    range: { ...range, fromId },
  }
}

/** Decodes `since` and `until`, both included. Undefined without them. Rejects a range that ends before it begins. */
export const toPeriod = (query: Pick<RangeQuery, 'since' | 'until'>): Period | undefined => {
  if (query.since === undefined && query.until === undefined) return undefined
  const [since, until] = [Date.parse(query.since ?? earliest), Date.parse(query.until ?? latest)]
  if (query.since !== undefined && query.until !== undefined && since > until)
    throw invalidRequest({ since: 'Must not be later than "until".' })
  // Times are shown with milliseconds, and have microseconds in the database.
  return { since: toStorable(since), end: toStorable(until + 1) }
}

/** Returns the page that follows the row with this id. */
export const continueAfter = (page: PageRequest, id: string): PageRequest =>
  page.sort === 'oldest' ? { ...page, after: id } : { ...page, before: id }

const earliest = '1970-01-01T00:00:00Z'
const latest = '9999-12-31T00:00:00Z'

/** Limits a time to years that ids and the database can have. */
const toStorable = (ms: number): Date => new Date(Math.min(Math.max(ms, Date.parse(earliest)), Date.parse(latest)))
const shift = (time: Date, ms: number): Date => new Date(time.getTime() + ms)

/**
 * Maximum milliseconds between the time of an id and the time of its row. Ids are created before their row is written,
 * by an estimate of the database's time.
 */
const idMarginMs = 10_000

/** Returns the condition for the rows after the previous page, and before the end of the time range. */
export const isOnPage = (
  sql: Sql,
  { before, after }: Pick<PageRequest, 'before' | 'after'>,
  id: Fragment,
): Fragment => sql`
  ${before === null ? sql`` : sql`and ${id} < ${before}`} ${after === undefined ? sql`` : sql`and ${id} > ${after}`}`

/** Returns the direction of `order by` on the id. */
export const direction = (sql: Sql, { sort }: Pick<PageRequest, 'sort'>): Fragment =>
  sort === 'oldest' ? sql`asc` : sql`desc`

/**
 * Returns the condition for the time range of a page. The ids select a range of the index, and the time decides. `before` has the
 * end of that range.
 */
export const isInRange = (sql: Sql, { range }: PageRequest, id: Fragment, at: Fragment): Fragment =>
  range
    ? sql`and ${id} >= ${range.fromId} and ${timeOf(sql, at)} >= ${range.since} and ${timeOf(sql, at)} < ${range.end}`
    : sql``

/** Returns a time in a form that no index has. With an index on the time, PostgreSQL reads all rows of a long range. */
export const timeOf = (sql: Sql, at: Fragment): Fragment => sql`(${at} + interval '0')`

/** Extra columns of a row from `withinPageBytes`. */
export interface SizedRow {
  /** True if another row follows, which the size limit may have cut off. */
  hasMore: boolean
  bytes: number
  bytesBefore: number
}

/**
 * Keeps only the rows that begin within the size limit of a response, so that the others never leave the database.
 * `rows` selects rows in the order of the page with `limit + 1`, an `id`, and their size as `bytes`. `columns` replaces
 * `*`, for columns that are costly and needed only for the returned rows. `order` replaces the order by id.
 */
export const withinPageBytes = (
  sql: Sql,
  page: Pick<PageRequest, 'sort'>,
  rows: Fragment,
  columns?: Fragment,
  order: Fragment = sql`id ${direction(sql, page)}`,
): Fragment => sql`
  select ${columns ? sql`${columns}, "hasMore"` : sql`*`} from (
    select counted.*, lead(id) over in_order is not null as "hasMore",
      coalesce(sum(bytes) over (in_order rows between unbounded preceding and 1 preceding), 0) as "bytesBefore"
    from (${rows}) counted
    window in_order as (order by ${order})
  ) counted
  where "bytesBefore" < ${maxPageBytes}
  order by ${order}`

/**
 * Builds a page from rows that were read with `limit + 1`. There is a next page if the extra row exists, or if the size
 * limit cut rows off. `encode` returns the cursor after a row, for a list with an order of its own.
 */
export const toPage = <Row extends { id: string } & Partial<SizedRow>, T>(
  rows: Row[],
  { limit, sort }: Pick<PageRequest, 'limit' | 'sort'>,
  shape: (row: Row) => T,
  encode: (last: Row) => string = ({ id }) => encodeCursor(id, sort),
): PageOf<T> => {
  const pageRows = rows.slice(0, limit)
  const last = pageRows.at(-1)
  const hasMore = rows.length > limit || last?.hasMore === true
  const nextCursor = last && hasMore ? encode(last) : null
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
  { sort }: Pick<PageRequest, 'sort'>,
  last: string,
  shape: (row: Row) => T,
): PageOf<T> => {
  for (const row of rows) removeSizes(row)
  return { data: rows.map(shape), nextCursor: encodeCursor(last, sort) }
}

/** A cursor contains the id of the last row, and the order if it is not the default. */
const encodeCursor = (id: string, sort: Sort | undefined): string =>
  Buffer.from(sort === 'oldest' ? `${id} ${sort}` : id).toString('base64url')

/**
 * Decodes a cursor of a list in this order. Encodes it again to compare, because the decoder ignores invalid characters.
 */
const decodeCursor = (cursor: string, sort: Sort): string => {
  const [id = ''] = Buffer.from(cursor, 'base64url').toString('latin1').split(' ')
  if (isId(id) && encodeCursor(id, sort) === cursor) return id
  throw invalidCursor()
}

/** Error for a cursor that the list did not return in this order. */
export const invalidCursor = () =>
  invalidRequest({
    cursor: 'Is not a cursor of this list and order. Send the nextCursor of the previous page, or omit it.',
  })
