import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { Budget } from '../../src/core/conditions/evaluate.ts'
import { type Arrival, matchesEvent } from '../../src/workflows/runs/arrivals.ts'
import { visit } from './steps/visit.ts'

const paid = (data: Record<string, unknown>): Arrival => ({
  id: '1',
  kind: 'event',
  type: 'order.paid',
  data,
  at: '2026-03-01T12:00:00Z',
})
const match = { 'data.cart': 'trigger.data.cart' }
const isOfCart = (mine: unknown, theirs: unknown) =>
  matchesEvent(
    { event: 'order.paid', match },
    paid({ cart: theirs }),
    visit({ data: { cart: mine } }).facts,
    new Budget(),
  )

test.each<[unknown, unknown]>([
  [1, '1'],
  [true, 1],
  [undefined, undefined],
  [null, null],
  [{ toString: 1 }, {}],
])('%j does not equal %j', (mine, theirs) => expect(isOfCart(mine, theirs)).toBe(false))

/** Returns the same value with the names of its objects in the opposite order. */
const reversed = (value: unknown) =>
  JSON.parse(JSON.stringify(value), (_, inner) =>
    typeof inner !== 'object' || inner === null || Array.isArray(inner)
      ? inner
      : Object.fromEntries(Object.entries(inner).toReversed()),
  )

test('a JSON value equals itself and no other value, regardless of the order of names', () => {
  const json = fc.jsonValue().filter(value => value !== null)
  fc.assert(
    fc.property(json, json, (one, other) => {
      const copy = JSON.parse(JSON.stringify(one))
      expect(isOfCart(reversed(copy), copy)).toBe(true)
      const sorted = (value: unknown): unknown => {
        if (Array.isArray(value)) return value.map(sorted)
        if (typeof value !== 'object' || value === null) return value
        const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
        return { members: members.map(([name, inner]) => [name, sorted(inner)]) }
      }
      const areSame = JSON.stringify(sorted(copy)) === JSON.stringify(sorted(JSON.parse(JSON.stringify(other))))
      expect(isOfCart(copy, JSON.parse(JSON.stringify(other)))).toBe(areSame)
    }),
  )
})

test('values too large to compare within the budget do not match', () => {
  const large = Array.from({ length: 60_000 }, () => 1)
  const budget = new Budget()
  const seen = visit({ data: { cart: large } }).facts
  expect(matchesEvent({ event: 'order.paid', match }, paid({ cart: [...large] }), seen, budget)).toBe(false)
  expect(budget.isExceeded).toBe(true)
})
