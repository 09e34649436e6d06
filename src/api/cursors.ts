/**
 * Marks cursors with the list that they belong to. Without the mark, a cursor of another list would be accepted, and
 * the caller would silently miss part of the list.
 */
import { createHash } from 'node:crypto'
import { invalidRequest } from '../core/errors.ts'
import type { Operation } from './operation.ts'

/** Decodes and encodes the cursors of an operation's lists. Null if the operation has none. */
export interface Cursors {
  /** Replaces the cursor by the one that the operation knows. Throws 400 for a cursor of another list. */
  decode(query: { cursor?: string }, params: Record<string, string>): void
  /** Adds the mark to the cursor of the answer. */
  encode(body: unknown, params: Record<string, string>): void
}

export const cursorsOf = ({ id, query }: Operation): Cursors | null => {
  if (!query?.properties.cursor) return null
  // Paths without parameters pass no `params`.
  const listHashOf = (params: Record<string, string> = {}): string =>
    createHash('sha256')
      .update([id, ...Object.values(params)].join('\n').toLowerCase())
      .digest('base64url')
      .slice(0, 6)
  return {
    decode(query, params) {
      const { cursor } = query
      if (cursor === undefined) return
      const end = cursor.lastIndexOf(separator)
      if (end < 0 || cursor.slice(end + 1) !== listHashOf(params)) throw foreignCursor()
      query.cursor = cursor.slice(0, end)
    },
    encode(body, params) {
      if (hasCursor(body)) body.nextCursor += `${separator}${listHashOf(params)}`
    },
  }
}

/** Separates cursor and mark. No list uses it in a cursor, and a query string does not escape it. */
const separator = '.'

const hasCursor = (body: unknown): body is { nextCursor: string } =>
  typeof body === 'object' && body !== null && 'nextCursor' in body && typeof body.nextCursor === 'string'

const foreignCursor = () =>
  invalidRequest({ cursor: 'Is not a cursor of this list. Send the nextCursor of the previous page, or omit it.' })
