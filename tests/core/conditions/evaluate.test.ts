import { describe, expect, test } from 'bun:test'
import type { Condition } from '../../../src/core/conditions/condition.ts'
import { Budget, evaluateCondition, maxCost } from '../../../src/core/conditions/evaluate.ts'
import { countedList } from '../../support/stretch.ts'

const counted = (length: number) => {
  const { list, reads } = countedList(length, 1)
  return { reads, facts: { data: { list } } }
}

const contains = (value: unknown): Condition => ({ path: 'data.list', op: 'contains', value })
const many = (count: number, one: Condition): Condition[] => Array.from({ length: count }, () => one)

describe('the budget of a condition', () => {
  test('allows a condition to read everything within the limit', () => {
    const { reads, facts } = counted(1000)
    const budget = new Budget()
    expect(evaluateCondition({ any: [...many(40, contains(2)), contains(1)] }, facts, budget)).toBe(true)
    expect([reads.count, budget.isExceeded]).toEqual([40_001, false])
  })

  test.each<[string, Condition]>([
    ['because it would be false anyway', { any: many(50, contains(2)) }],
    ['although the last comparison would match', { any: [...many(49, contains(2)), contains(1)] }],
    ['although no comparison matches', { not: { any: many(50, contains(2)) } }],
    ['at any depth', { all: [{ not: { any: many(40, { any: many(40, contains(2)) }) } }] }],
  ])('ends the evaluation at the limit and makes the condition false: %s', (_, condition) => {
    const { reads, facts } = counted(10_000)
    const budget = new Budget()
    expect(evaluateCondition(condition, facts, budget)).toBe(false)
    expect(budget.isExceeded).toBe(true)
    expect(reads.count).toBeLessThanOrEqual(maxCost + 1)
  })

  const long = 'b'.repeat(600_000)
  test.each<[string, Condition, unknown]>([
    ['a long text searched in a longer text', contains(`${'b'.repeat(20_000)}ac`), long],
    ['a text searched many times', { any: many(20, contains('x')) }, long],
    ['only comparisons', { any: many(20_000, { path: 'data.list', op: 'gt', value: 3 }) }, 1],
    ['a list to compare with', { path: 'data.list', op: 'in', value: Array.from({ length: 60_000 }, String) }, 'x'],
    ['similar texts', { any: many(100, { path: 'data.list', op: 'eq', value: `${long}1` }) }, long],
  ])('counts %s', (_, condition, list) => {
    const budget = new Budget()
    expect(evaluateCondition(condition, { data: { list } }, budget)).toBe(false)
    expect(budget.isExceeded).toBe(true)
  })

  test('is also taken from a shared budget', () => {
    const together = new Budget(1500)
    const { facts } = counted(1000)
    const asked = [new Budget(maxCost, together), new Budget(maxCost, together)]
    expect(asked.map(budget => evaluateCondition({ not: contains(2) }, facts, budget))).toEqual([true, false])
    expect(asked.map(({ isExceeded: exceeded }) => exceeded)).toEqual([false, true])
  })
})

test('does not parse a text far longer than any number', () => {
  const total = (value: string) =>
    evaluateCondition({ path: 'data.total', op: 'gt', value: 1 }, { data: { total: value } })
  expect(total(`${' '.repeat(300)}2`)).toBe(true)
  expect(total(`${' '.repeat(600_000)}2`)).toBe(false)
})
