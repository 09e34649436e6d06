/**
 * Cursors as callers see them: each carries a mark of the list that it was made for. In another list it would be a place
 * like any other, and whoever mixed two of them up would go through half of one without a word.
 */
import { createHash } from 'node:crypto'
import { invalidRequest } from '../domain/errors.ts'
import type { Operation } from './operation.ts'

/** Opens and makes the cursors of an operation's lists; null where it has none. */
export interface Cursors {
  /** What the operation knows as its cursor; 400 for that of another list. */
  open(query: { cursor?: string }, params: Record<string, string>): void
  /** The answer with its cursor as callers see it. */
  seal(body: unknown, params: Record<string, string>): void
}

export const cursorsOf = ({ id, query }: Operation): Cursors | null => {
  if (!query?.properties.cursor) return null
  // Of a path without any there are none.
  const markOf = (params: Record<string, string> = {}): string =>
    createHash('sha256')
      .update([id, ...Object.values(params)].join('\n').toLowerCase())
      .digest('base64url')
      .slice(0, 6)
  return {
    open(query, params) {
      const { cursor } = query
      if (cursor === undefined) return
      const end = cursor.lastIndexOf(separator)
      // A release before this one marked none; what it gave out is still good.
      if (end < 0) return
      if (cursor.slice(end + 1) !== markOf(params)) throw ofAnotherList()
      query.cursor = cursor.slice(0, end)
    },
    seal(body, params) {
      if (hasCursor(body)) body.nextCursor += `${separator}${markOf(params)}`
    },
  }
}

/** In no cursor that a list makes, and in a query as it is. */
const separator = '.'

const hasCursor = (body: unknown): body is { nextCursor: string } =>
  typeof body === 'object' && body !== null && 'nextCursor' in body && typeof body.nextCursor === 'string'

const ofAnotherList = () =>
  invalidRequest({ cursor: 'Is not a cursor of this list; send the nextCursor of the page before, or none.' })
