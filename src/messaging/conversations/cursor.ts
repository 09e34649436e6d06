/** Cursors of conversation lists. The order is by last activity, so a cursor contains that time and an id. */
import { invalidRequest } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import type { ConversationCursor } from '../messages/index.ts'

export const encodeCursor = ({ activeAt, id }: ConversationCursor): string =>
  Buffer.from(`${activeAt} ${id}`).toString('base64url')

export const decodeCursor = (cursor: string): ConversationCursor => {
  const [activeAt = '', id = ''] = Buffer.from(cursor, 'base64url').toString('latin1').split(' ')
  if (isTimestamp(activeAt) && isId(id) && encodeCursor({ activeAt, id }) === cursor) return { activeAt, id }
  throw invalidRequest({
    cursor: 'Is not a cursor of this list. Send the nextCursor of the previous page, or omit it.',
  })
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
