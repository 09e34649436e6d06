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

test('takes `then` if the condition holds, and `else` if not', () => {
  expect(condition.enter(large, visit())).toEqual({ outcome: 'then', next: 'gift' })
  expect(condition.enter(large, visit({ data: { total: 99 } }))).toEqual({ outcome: 'else', next: null })
})

test('reports the compared paths without a value', () => {
  expect(condition.enter(large, visit({ data: {} }))).toEqual({
    outcome: 'else',
    detail: { absent: ['data.total'] },
    next: null,
  })
  const at = (path: string) => ({ path, op: 'eq' as const, value: 1 })
  const step = {
    ...large,
    if: { any: [at('data.a'), { not: at('customer.attributes.b') }, at('data.never')] },
  }
  expect(condition.enter(step, visit({ data: {} }))).toEqual({
    outcome: 'then',
    detail: { absent: ['data.a', 'customer.attributes.b'] },
    next: 'gift',
  })
  // `exists` on a missing value is an answer, so the path is not reported.
  const asked = { ...large, if: { path: 'data.a', op: 'exists' as const } }
  expect(condition.enter(asked, visit({ data: {} }))).toEqual({ outcome: 'else', next: null })
  const many = { ...large, if: { any: Array.from({ length: 20 }, (_, index) => at(`data.a${index}`)) } }
  expect(condition.enter(many, visit({ data: {} })).detail!.absent).toHaveLength(10)
})

test('over the budget takes `else`, and the trace contains the reason', () => {
  const list = Array.from({ length: 60_000 }, () => 1)
  const step = { ...large, if: { not: { path: 'data.list', op: 'contains' as const, value: 2 } } }
  expect(condition.enter(step, visit({ data: { list } }))).toEqual({
    outcome: 'else',
    detail: { reason: 'too_much_to_compare' },
    next: null,
  })
})

test('points to both branches', () => {
  expect(condition.pointers(large)).toEqual({ then: 'gift', else: null })
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

test('does not wait', () => {
  expect(condition.minWaitMs).toBeUndefined()
  expect(condition.resume).toBeUndefined()
})
