/**
 * Cursors of conversation lists. A cursor contains the time by which the list is sorted, an id, and the order if it is
 * not the default.
 */
import { isId } from '../../core/ids.ts'
import { invalidCursor } from '../../core/pagination.ts'
import type { ConversationCursor, ConversationSort } from '../messages/index.ts'

export const encodeCursor = (sort: ConversationSort, { sortedAt, id }: ConversationCursor): string =>
  Buffer.from([sortedAt, id, ...(sort === 'newest' ? [] : [sort])].join(' ')).toString('base64url')

/** Decodes a cursor of a list in this order. Rejects any other cursor. */
export const decodeCursor = (sort: ConversationSort, cursor: string): ConversationCursor => {
  const [sortedAt = '', id = ''] = Buffer.from(cursor, 'base64url').toString('latin1').split(' ')
  if (isTimestamp(sortedAt) && isId(id) && encodeCursor(sort, { sortedAt, id }) === cursor) return { sortedAt, id }
  throw invalidCursor()
}

/** Returns whether the text is a valid date in PostgreSQL's output format, with microseconds. */
const isTimestamp = (text: string): boolean => {
  const [toMilliseconds, digits] = [`${text.slice(0, 23)}Z`, [...text.slice(23, 26)]]
  const time = new Date(toMilliseconds)
  return (
    text.length === 27 &&
    text.endsWith('Z') &&
    digits.every(digit => digit >= '0' && digit <= '9') &&
    !Number.isNaN(time.getTime()) &&
    time.toISOString() === toMilliseconds &&
    time.getUTCFullYear() > 0
  )
}
