import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { Budget } from '../../src/core/conditions/evaluate.ts'
import { findMetExit } from '../../src/workflows/exit-on.ts'
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

test('objects are equal regardless of the order of their names', () => {
  expect(isOfCart({ a: [1, { b: null }], c: 2 }, { c: 2, a: [1, { b: null }] })).toBe(true)
})

test.each([
  [1, '1'],
  [true, 1],
  [undefined, undefined],
  [null, null],
  [
    [1, 2],
    [2, 1],
  ],
  [[], {}],
  [{ a: 1 }, { a: 1, b: 2 }],
  [{ toString: 1 }, {}],
])('%j does not equal %j', (mine, theirs) => expect(isOfCart(mine, theirs)).toBe(false))

test('a JSON value equals itself and no other value', () => {
  const json = fc.jsonValue().filter(value => value !== null)
  fc.assert(
    fc.property(json, json, (one, other) => {
      const copy = JSON.parse(JSON.stringify(one))
      expect(isOfCart(JSON.parse(JSON.stringify(one)), copy)).toBe(true)
      const sorted = (value: unknown): unknown =>
        Array.isArray(value)
          ? value.map(sorted)
          : typeof value === 'object' && value !== null
            ? {
                members: Object.entries(value)
                  .toSorted(([a], [b]) => (a < b ? -1 : 1))
                  .map(([name, inner]) => [name, sorted(inner)]),
              }
            : value
      const areSame = JSON.stringify(sorted(copy)) === JSON.stringify(sorted(JSON.parse(JSON.stringify(other))))
      expect(isOfCart(copy, JSON.parse(JSON.stringify(other)))).toBe(areSame)
    }),
  )
})

test('an event of another type, or a reply, does not match', () => {
  const { facts } = visit()
  const isPaid = (arrival: Arrival) => matchesEvent({ event: 'order.paid' }, arrival, facts, new Budget())
  expect(isPaid(paid({}))).toBe(true)
  expect(isPaid({ ...paid({}), type: 'order.Paid' } as Arrival)).toBe(false)
  expect(isPaid({ id: '1', kind: 'reply', text: 'order.paid', at: '2026-03-01T12:00:00Z' })).toBe(false)
})

test('values too large to compare within the budget do not match', () => {
  const large = Array.from({ length: 60_000 }, () => 1)
  const budget = new Budget()
  const seen = visit({ data: { cart: large } }).facts
  expect(matchesEvent({ event: 'order.paid', match }, paid({ cart: [...large] }), seen, budget)).toBe(false)
  expect(budget.isExceeded).toBe(true)
})

test('the first exit condition that holds ends the run: an opt-out, or an event with its reason', () => {
  const ends = (optedOut: boolean, ...arrivals: Arrival[]) => {
    const { facts } = visit()
    const seen = { ...facts, customer: { ...facts.customer, optedOut } }
    return findMetExit([{ optOut: true }, { event: 'order.paid', reason: 'paid' }], arrivals, seen, new Budget())
  }
  expect(ends(false)).toBeNull()
  expect(ends(false, paid({}))).toEqual({ endReason: 'exit_condition', reason: 'paid' })
  expect(ends(true, paid({}))).toEqual({ endReason: 'opted_out', reason: null })
})
