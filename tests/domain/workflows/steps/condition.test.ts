import { expect, test } from 'bun:test'
import { condition } from '../../../../src/domain/workflows/steps/condition.ts'
import { visit } from './visit.ts'

const large = {
  type: 'condition' as const,
  if: { path: 'data.total', op: 'gte' as const, value: 100 },
  then: 'gift',
  else: null,
}

test('goes one way where the condition holds, and the other way where it does not', () => {
  expect(condition.enter(large, visit())).toEqual({ outcome: 'then', next: 'gift' })
  expect(condition.enter(large, visit({ data: { total: 99 } }))).toEqual({ outcome: 'else', next: null })
  expect(condition.enter(large, visit({ data: {} }))).toEqual({ outcome: 'else', next: null })
})

test('points both ways', () => {
  expect(condition.pointers(large)).toEqual({ then: 'gift', else: null })
})

test('each comparison that cannot be is a fault of its place', () => {
  const faults = [
    ...condition.faults!({
      ...large,
      if: { any: [{ path: 'data.total', op: 'gt', value: 'much' }, { not: { path: 'customer.age', op: 'exists' } }] },
    }),
  ]
  expect(faults.map(([field]) => field)).toEqual(['if.any.0.value', 'if.any.1.not.path'])
})

test('does not wait', () => {
  expect(condition.minWaitMs).toBeUndefined()
  expect(condition.resume).toBeUndefined()
})
