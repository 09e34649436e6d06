import { expect, test } from 'bun:test'
import { decidingComparisons, explainComparisons } from '../../src/events/filter-explanation.ts'
import { didYouMeanOf, explanationOf, outcomesOf, type Verdict } from '../../src/events/outcomes.ts'
import type { ListeningWorkflow } from '../../src/workflows/index.ts'

const type = 'order.created'

const verdictWith = (given: Partial<Verdict>): Verdict => ({
  workflowId: 'one',
  name: 'Thank you',
  verdict: 'started',
  runId: null,
  version: null,
  detail: null,
  ...given,
})

const comparisons = [
  { path: 'data.total', op: 'gte' as const, value: 20, found: 12, negated: false },
  { path: 'data.city', op: 'exists' as const, value: undefined, negated: false },
]
const notRun = '“Thank you” was ready but did not run for this customer'
const because =
  'The filter of “Thank you” did not match: data.total is 12 and must be at least 20; data.city is absent and must be present'

test.each<[Partial<Verdict>, string]>([
  [{ runId: 'r', version: 3 }, '“Thank you” (version 3) started.'],
  [{ version: 3 }, '“Thank you” (version 3) would start.'],
  [{ verdict: 'switched_off' }, '“Thank you” listens for order.created but was switched off.'],
  [
    { verdict: 'never_published' },
    '“Thank you” listens for order.created and was switched on, but was never published.',
  ],
  [{ verdict: 'not_run_for_customer', detail: { comparisons } }, `${because}.`],
  [{ verdict: 'not_run_for_customer' }, `${notRun}.`],
  [{ verdict: 'switched_off', name: null }, '“a removed workflow” listens for order.created but was switched off.'],
])('the verdict %j is explained', (given, sentence) => {
  expect(outcomesOf({ type, verdicts: [verdictWith(given)] })[0]!.explanation).toBe(sentence)
})

test('an event has one outcome for each workflow that names its type, and a suggestion only if none does', () => {
  const verdicts = [
    verdictWith({ workflowId: 'b', verdict: 'switched_off', name: null }),
    verdictWith({ workflowId: 'a', runId: 'r', version: 1 }),
  ]
  expect(outcomesOf({ type, verdicts })).toMatchObject([
    { workflowId: 'b', name: 'a removed workflow', verdict: 'switched_off', runId: null },
    { workflowId: 'a', name: 'Thank you', verdict: 'started', runId: 'r' },
  ])
  const meant = { type: 'order_created', workflows: 2 }
  const none = [verdictWith({ workflowId: null, name: null, verdict: 'no_listener', detail: meant })]
  expect([outcomesOf({ type, verdicts: none }), didYouMeanOf({ verdicts: none })]).toEqual([[], meant])
  const filtered = verdictWith({ verdict: 'not_run_for_customer', detail: { comparisons } })
  const farFromAll = verdictWith({ workflowId: null, verdict: 'no_listener' })
  expect([[filtered], [], [farFromAll]].map(verdicts => didYouMeanOf({ verdicts }))).toEqual([null, null, null])
})

const meant = (workflows: number) =>
  verdictWith({ workflowId: null, verdict: 'no_listener', detail: { type: 'order_created', workflows } })
const noListener = 'No workflow listens for order.created.'
test.each<[string, Verdict[]]>([
  [noListener, []],
  [`${noListener} Did you mean order_created (1 automation)?`, [meant(1)]],
  [`${noListener} Did you mean order_created (2 automations)?`, [meant(2)]],
  [
    '“Thank you” listens for order.created but was switched off. “Two” was ready but did not run for this customer.',
    [verdictWith({ verdict: 'switched_off' }), verdictWith({ verdict: 'not_run_for_customer', name: 'Two' })],
  ],
])('an event that started nothing is explained: %s', (sentence, verdicts) => {
  expect(explanationOf({ type, verdicts })).toBe(sentence)
})

type Condition = NonNullable<ListeningWorkflow['where']>

const facts = { data: { total: 12, tags: ['new'], city: null }, event: { type: 'order.created' } }
const total = (op: 'gte' | 'lt', value: number): Condition => ({ path: 'data.total', op, value })

const atLeast = (value: number) => `data.total is 12 and must be at least ${value}`
const notLess = 'data.total is 12 and must not be less than 20'
test.each<[Condition, string]>([
  [total('gte', 20), atLeast(20)],
  [{ path: 'data.total', op: 'eq', value: 13 }, 'data.total is 12 and must be 13'],
  [{ path: 'data.tags', op: 'contains', value: 'vip' }, 'data.tags is ["new"] and must contain "vip"'],
  [{ path: 'data.kind', op: 'in', value: ['a', 'b'] }, 'data.kind is absent and must be one of ["a","b"]'],
  [{ path: 'data.city', op: 'exists' }, 'data.city is absent and must be present'],
  [{ path: 'data.total', op: 'exists', value: false }, 'data.total is 12 and must be absent'],
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
