import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { DomainError } from '../../src/core/errors.ts'
import { newId } from '../../src/core/ids.ts'
import { toPage, toPageRequest } from '../../src/core/pagination.ts'

const rows = (count: number) => Array.from({ length: count }, () => ({ id: newId() })).reverse()
const sorts = ['newest', 'oldest'] as const
const idOf = ({ id }: { id: string }) => id

test('the pages together contain every row once and in order, for any count and limit, by default 50', () => {
  expect(toPageRequest({})).toEqual({ limit: 50, sort: 'newest', before: null })
  fc.assert(
    fc.property(fc.nat(40), fc.integer({ min: 1, max: 12 }), fc.constantFrom(...sorts), (count, limit, sort) => {
      const all = sort === 'newest' ? rows(count) : rows(count).reverse()
      const seen: string[] = []
      let pages = 0
      for (let cursor: string | null | undefined; cursor !== null; pages++) {
        const request = toPageRequest({ limit, sort, ...(cursor !== undefined && { cursor }) })
        const { before, after = '' } = request
        const read = all.filter(({ id }) => (before === null || id < before) && id > after).slice(0, limit + 1)
        const page = toPage(read, request, idOf)
        seen.push(...page.data)
        cursor = page.nextCursor
      }
      expect(seen).toEqual(all.map(idOf))
      expect(pages).toBe(Math.max(1, Math.ceil(count / limit)))
    }),
  )
})

test('a cursor of one order is rejected in the other', () => {
  for (const sort of sorts) {
    const { nextCursor } = toPage(rows(2), { limit: 1, sort }, idOf)
    for (const other of sorts) {
      const read = () => toPageRequest({ sort: other, cursor: nextCursor! })
      if (other === sort) expect(read).not.toThrow()
      else expect(read).toThrow(DomainError)
    }
  }
})

test('an invalid cursor is rejected with any content, and never causes an internal error', () => {
  const refused = (cursor: string) => {
    try {
      toPageRequest({ cursor })
      return null
    } catch (error) {
      return error instanceof DomainError ? [error.code as string, Object.keys(error.details!)] : error
    }
  }
  const given = Buffer.from(newId()).toString('base64url')
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
