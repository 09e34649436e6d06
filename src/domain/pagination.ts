/**
 * Lists are read newest first, by id: ids are UUIDv7, so their order is the order of time. A page ends where it has as
 * many rows as were asked for, or as many bytes as an answer may have.
 */
import type { Fragment, Sql } from '../db/client.ts'
import { invalidRequest } from './errors.ts'
import { isId } from './ids.ts'
import type { PageQuery } from './schema.ts'

/**
 * Bytes, as PostgreSQL counts the text of what is large in a row. The last row of a page may go beyond them: it is as
 * large as a request body at most. Rows that their schema holds to a few KiB need not be measured.
 */
export const maxAnswerBytes = 4 * 1024 * 1024

export interface PageRequest {
  limit: number
  /** Rows with smaller ids than this one follow; null = from the newest. */
  before: string | null
}

export interface PageOf<T> {
  data: T[]
  nextCursor: string | null
}

/** Opens the cursor; one that this service did not make is refused. */
export const pageRequest = (query: PageQuery): PageRequest => ({
  limit: query.limit ?? 50,
  before: query.cursor === undefined ? null : openCursor(query.cursor),
})

/** What a row of a page that was cut to its bytes holds besides its own columns. */
export interface Measured {
  /** Another row follows, which may have been cut off. */
  hasMore: boolean
  bytes: number
  bytesBefore: number
}

/**
 * Of rows newest first (`rows` selects them with `limit + 1`, an `id`, and in `bytes` how long they are) those that
 * begin within the bytes of an answer. The others never leave the database. `columns` says what is selected of them,
 * where that is to be made of what is answered alone.
 */
export const withinAnswer = (sql: Sql, rows: Fragment, columns?: Fragment): Fragment => sql`
  select ${columns ? sql`${columns}, "hasMore"` : sql`*`} from (
    select counted.*, lead(id) over newest is not null as "hasMore",
      coalesce(sum(bytes) over (newest rows between unbounded preceding and 1 preceding), 0) as "bytesBefore"
    from (${rows}) counted
    window newest as (order by id desc)
  ) counted
  where "bytesBefore" < ${maxAnswerBytes}
  order by id desc`

/**
 * A page from rows that were read with `limit + 1`: the surplus row only tells that there is more. So does the last row
 * of those that were cut to their bytes.
 */
export const pageOf = <Row extends { id: string } & Partial<Measured>, T>(
  rows: Row[],
  limit: number,
  shape: (row: Row) => T,
): PageOf<T> => {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const hasMore = rows.length > limit || last?.hasMore === true
  const nextCursor = last && hasMore ? cursorOf(last.id) : null
  for (const row of shown) forgetMeasures(row)
  return { data: shown.map(shape), nextCursor }
}

/** No shape need know that its rows were measured. */
const forgetMeasures = (row: Partial<Measured>): void => {
  if (row.hasMore === undefined) return
  delete row.hasMore
  delete row.bytes
  delete row.bytesBefore
}

/** A page that ends where looking for its rows ended: there may be more behind the row with the id `last`. */
export const pageUpTo = <Row extends Partial<Measured>, T>(
  rows: Row[],
  last: string,
  shape: (row: Row) => T,
): PageOf<T> => {
  for (const row of rows) forgetMeasures(row)
  return { data: rows.map(shape), nextCursor: cursorOf(last) }
}

const cursorOf = (id: string): string => Buffer.from(id).toString('base64url')

/** Compared with what is made of the id: the decoder passes over whatever else stands in a text. */
const openCursor = (cursor: string): string => {
  const id = Buffer.from(cursor, 'base64url').toString('latin1')
  if (isId(id) && cursorOf(id) === cursor) return id
  throw invalidRequest({ cursor: 'Is not a cursor of this list; send the nextCursor of the page before, or none.' })
}
