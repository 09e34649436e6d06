/** Lists are read newest first, by id: ids are UUIDv7, so their order is the order of time. */
import { invalidRequest } from './errors.ts'
import { isId } from './ids.ts'
import type { PageQuery } from './schema.ts'

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

/** A page from rows that were read with `limit + 1`: the surplus row only tells that there is more. */
export const pageOf = <Row extends { id: string }, T>(
  rows: Row[],
  limit: number,
  shape: (row: Row) => T,
): PageOf<T> => {
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return { data: shown.map(shape), nextCursor: last ? cursorOf(last.id) : null }
}

/** A page that ends where looking for its rows ended: there may be more behind the row with the id `last`. */
export const pageUpTo = <Row, T>(rows: Row[], last: string, shape: (row: Row) => T): PageOf<T> => ({
  data: rows.map(shape),
  nextCursor: cursorOf(last),
})

const cursorOf = (id: string): string => Buffer.from(id).toString('base64url')

/** Compared with what is made of the id: the decoder passes over whatever else stands in a text. */
const openCursor = (cursor: string): string => {
  const id = Buffer.from(cursor, 'base64url').toString('latin1')
  if (isId(id) && cursorOf(id) === cursor) return id
  throw invalidRequest({ cursor: 'Is not a cursor of this list; send the nextCursor of the page before, or none.' })
}
