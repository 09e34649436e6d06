import { expect, test } from 'bun:test'
import { decidingComparisons, explainComparisons } from '../../src/events/filter-explanation.ts'
import type { ListeningWorkflow } from '../../src/workflows/index.ts'

type Condition = NonNullable<ListeningWorkflow['where']>

const facts = { data: { total: 12, tags: ['new'], city: null }, event: { type: 'order.created' } }
const total = (op: 'gte' | 'lt', value: number): Condition => ({ path: 'data.total', op, value })

const atLeast = (value: number) => `data.total must be at least ${value} and was 12`
const notLess = 'data.total must not be less than 20 and was 12'
test.each<[Condition, string]>([
  [total('gte', 20), atLeast(20)],
  [{ path: 'data.total', op: 'eq', value: 13 }, 'data.total must be 13 and was 12'],
  [{ path: 'data.tags', op: 'contains', value: 'vip' }, 'data.tags must contain "vip" and was ["new"]'],
  [{ path: 'data.kind', op: 'in', value: ['a', 'b'] }, 'data.kind must be one of ["a","b"] and was absent'],
  [{ path: 'data.city', op: 'exists' }, 'data.city must be present and was absent'],
  [{ path: 'data.total', op: 'exists', value: false }, 'data.total must be absent and was 12'],
  // The first false part of `all`, at most three parts of `any`, and the part of `not` that was true.
  [{ all: [total('lt', 100), total('gte', 20), total('gte', 30)] }, atLeast(20)],
  [{ any: [20, 30, 40, 50].map(value => total('gte', value)) }, [20, 30, 40].map(atLeast).join('; ')],
  [{ not: total('lt', 20) }, notLess],
  [{ not: { any: [total('gte', 20), total('lt', 20)] } }, notLess],
  [{ not: { not: total('gte', 20) } }, atLeast(20)],
  [total('lt', 20), ''],
])('the filter %j did not match because %s', (condition, sentence) => {
  expect(explainComparisons(decidingComparisons(condition, facts))).toBe(sentence)
})

test('a long value is truncated at a whole character', () => {
  const [one] = decidingComparisons({ path: 'data.text', op: 'eq', value: 'x' }, { data: { text: '😀'.repeat(500) } })
  expect((one!.found as string).length).toBeLessThan(110)
  expect((one!.found as string).isWellFormed()).toBe(true)
})
