import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { DomainError } from '../../src/core/errors.ts'
import { newId } from '../../src/core/ids.ts'
import { toPage, toPageRequest } from '../../src/core/pagination.ts'

const rows = (count: number) => Array.from({ length: count }, () => ({ id: newId() })).reverse()
const idOf = ({ id }: { id: string }) => id

describe('a page', () => {
  test('contains the mapped first rows and a cursor to the rows after them', () => {
    const read = rows(4)
    const { data, nextCursor } = toPage(read, 3, idOf)
    expect(data).toEqual(read.slice(0, 3).map(idOf))
    expect(toPageRequest({ cursor: nextCursor! })).toEqual({ limit: 50, before: read[2]!.id })
  })

  test('starts at the newest row with a limit of 50 by default', () => {
    expect(toPageRequest({})).toEqual({ limit: 50, before: null })
    expect(toPageRequest({ limit: 7 })).toEqual({ limit: 7, before: null })
  })
})

test('the pages together contain every row once and in order, for any count and limit', () => {
  fc.assert(
    fc.property(fc.nat(40), fc.integer({ min: 1, max: 12 }), (count, limit) => {
      const all = rows(count)
      const seen: string[] = []
      let pages = 0
      for (let cursor: string | null | undefined; cursor !== null; pages++) {
        const { before } = toPageRequest({ limit, ...(cursor !== undefined && { cursor }) })
        const read = all.filter(({ id }) => before === null || id < before).slice(0, limit + 1)
        const page = toPage(read, limit, idOf)
        seen.push(...page.data)
        cursor = page.nextCursor
      }
      expect(seen).toEqual(all.map(idOf))
      expect(pages).toBe(Math.max(1, Math.ceil(count / limit)))
    }),
  )
})

describe('an invalid cursor', () => {
  const refused = (cursor: string) => {
    try {
      toPageRequest({ cursor })
      return null
    } catch (error) {
      return error instanceof DomainError ? [error.code as string, Object.keys(error.details!)] : error
    }
  }
  const given = Buffer.from(newId()).toString('base64url')

  test.each([
    ['an unchanged id', newId()],
    ['an invalid id', Buffer.from('not an id').toString('base64url')],
    ['two ids', Buffer.from(newId() + newId()).toString('base64url')],
    ['one with base64 padding', Buffer.from(`${newId()} `).toString('base64')],
  ])('is rejected: %s', (_, cursor) => {
    expect(refused(cursor)).toEqual(['invalid_request', ['cursor']])
  })

  test('is rejected with any content, and never causes an internal error', () => {
    const mangled = fc
      .tuple(fc.nat(50), fc.nat(1), fc.string({ unit: 'binary', maxLength: 2 }))
      .map(([place, missing, more]) => given.slice(0, place) + more + given.slice(place + missing))
    fc.assert(
      fc.property(fc.oneof(mangled, fc.string({ unit: 'binary' }), fc.base64String()), cursor => {
        const opened = refused(cursor)
        if (opened === null) expect(Buffer.from(toPageRequest({ cursor }).before!).toString('base64url')).toBe(cursor)
        else expect(opened).toEqual(['invalid_request', ['cursor']])
      }),
      { numRuns: 1000 },
    )
  })
})
