import { expect, test } from 'bun:test'
import type { Condition } from '../../../src/core/conditions/condition.ts'
import { condition } from '../../../src/workflows/steps/condition.ts'
import { visit } from './visit.ts'

const large = {
  type: 'condition' as const,
  if: { path: 'data.total', op: 'gte' as const, value: 100 },
  then: 'gift',
  else: null,
}

test('takes `then` if the condition holds and `else` if not, points to both, and does not wait', () => {
  expect(condition.enter(large, visit())).toEqual({ outcome: 'then', next: 'gift' })
  expect(condition.enter(large, visit({ data: { total: 99 } }))).toEqual({ outcome: 'else', next: null })
  expect(condition.pointers(large)).toEqual({ then: 'gift', else: null })
  expect([condition.minWaitMs, condition.resume]).toEqual([undefined, undefined])
})

const at = (path: string) => ({ path, op: 'eq' as const, value: 1 })
const list = Array.from({ length: 60_000 }, () => 1)
test.each<[string, Condition, object, object]>([
  ['a path without a value', large.if, {}, { outcome: 'else', detail: { absent: ['data.total'] }, next: null }],
  [
    'each compared path without a value',
    { any: [at('data.a'), { not: at('customer.attributes.b') }, at('data.never')] },
    {},
    { outcome: 'then', detail: { absent: ['data.a', 'customer.attributes.b'] }, next: 'gift' },
  ],
  ['no path whose existence was asked', { path: 'data.a', op: 'exists' }, {}, { outcome: 'else', next: null }],
  [
    'at most ten paths',
    { any: Array.from({ length: 20 }, (_, index) => at(`data.a${index}`)) },
    {},
    { outcome: 'else', detail: { absent: Array.from({ length: 10 }, (_, index) => `data.a${index}`) }, next: null },
  ],
  [
    'that there was too much to compare',
    { not: { path: 'data.list', op: 'contains', value: 2 } },
    { list },
    { outcome: 'else', detail: { reason: 'too_much_to_compare' }, next: null },
  ],
])('the trace reports %s', (_, asked, data, entered) => {
  expect(condition.enter({ ...large, if: asked }, visit({ data: { ...data } }))).toEqual(entered as never)
})

test('reports each invalid comparison at its position', () => {
  const faults = [
    ...condition.faults!({
      ...large,
      if: { any: [{ path: 'data.total', op: 'gt', value: 'much' }, { not: { path: 'customer.age', op: 'exists' } }] },
    }),
  ]
  expect(faults.map(([field]) => field)).toEqual(['if.any.0.value', 'if.any.1.not.path'])
})

test('reports over 200 comparisons, over 10 levels, or a list of over 1000 values', () => {
  const one = { path: 'data.total', op: 'exists' as const }
  const faultsOf = (wanted: Condition) => [...condition.faults!({ ...large, if: wanted })]
  const lists = (count: number): Condition => ({
    all: Array.from({ length: count }, () => ({ any: Array(50).fill(one) })),
  })
  const nested = (levels: number): Condition => (levels === 0 ? one : { not: nested(levels - 1) })
  const listed = (count: number): Condition => ({ path: 'data.total', op: 'in', value: Array(count).fill(1) })
  expect([lists(4), nested(10), listed(1000)].map(faultsOf)).toEqual([[], [], []])
  expect(faultsOf(lists(5))).toEqual([['if', 'Has 250 comparisons. The maximum is 200.']])
  expect(faultsOf(nested(11))).toEqual([['if', 'Has conditions nested 11 levels deep. The maximum is 10.']])
  expect(faultsOf(listed(1001)).map(([field]) => field)).toEqual(['if.value'])
})
