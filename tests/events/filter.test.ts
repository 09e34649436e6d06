import { describe, expect, test } from 'bun:test'
import { decidingComparisons, explainComparisons } from '../../src/events/filter-explanation.ts'
import type { ListeningWorkflow } from '../../src/workflows/index.ts'

type Condition = NonNullable<ListeningWorkflow['where']>

const facts = { data: { total: 12, tags: ['new'], city: null }, event: { type: 'order.created' } }
const total = (op: 'gte' | 'lt', value: number): Condition => ({ path: 'data.total', op, value })
const why = (condition: Condition) => explainComparisons(decidingComparisons(condition, facts))

describe('explaining why a filter did not match', () => {
  test.each([
    [total('gte', 20), 'data.total must be at least 20 and was 12'],
    [{ path: 'data.total', op: 'eq', value: 13 }, 'data.total must be 13 and was 12'],
    [{ path: 'data.tags', op: 'contains', value: 'vip' }, 'data.tags must contain "vip" and was ["new"]'],
    [{ path: 'data.kind', op: 'in', value: ['a', 'b'] }, 'data.kind must be one of ["a","b"] and was absent'],
    [{ path: 'data.city', op: 'exists' }, 'data.city must be present and was absent'],
    [{ path: 'data.total', op: 'exists', value: false }, 'data.total must be absent and was 12'],
  ] as [Condition, string][])('%j', (condition, sentence) => {
    expect(why(condition)).toBe(sentence)
  })

  test('returns the first false part for `all`', () => {
    expect(why({ all: [total('lt', 100), total('gte', 20), total('gte', 30)] })).toBe(
      'data.total must be at least 20 and was 12',
    )
  })

  test('returns each part for `any`, at most three', () => {
    const parts = [20, 30, 40, 50].map(value => total('gte', value))
    expect(why({ any: parts })).toBe(
      'data.total must be at least 20 and was 12; data.total must be at least 30 and was 12; data.total must be at least 40 and was 12',
    )
  })

  test('returns the part that was true for `not`', () => {
    expect(why({ not: total('lt', 20) })).toBe('data.total must not be less than 20 and was 12')
    expect(why({ not: { any: [total('gte', 20), total('lt', 20)] } })).toBe(
      'data.total must not be less than 20 and was 12',
    )
    expect(why({ not: { not: total('gte', 20) } })).toBe('data.total must be at least 20 and was 12')
  })

  test('returns nothing if the filter matches', () => {
    expect(decidingComparisons(total('lt', 20), facts)).toEqual([])
  })

  test('truncates a long value at a whole character', () => {
    const [one] = decidingComparisons({ path: 'data.text', op: 'eq', value: 'x' }, { data: { text: '😀'.repeat(500) } })
    expect((one!.found as string).length).toBeLessThan(110)
    expect((one!.found as string).isWellFormed()).toBe(true)
  })
})
