import { describe, expect, test } from 'bun:test'
import { didYouMeanOf, explanationOf, outcomesOf, type Verdict } from '../../src/events/outcomes.ts'

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

const explained = (given: Partial<Verdict>) => outcomesOf({ type, verdicts: [verdictWith(given)] })[0]!.explanation

const comparisons = [
  { path: 'data.total', op: 'gte' as const, value: 20, found: 12, negated: false },
  { path: 'data.city', op: 'exists' as const, value: undefined, negated: false },
]

describe('the sentence of a verdict, for', () => {
  test.each([
    ['a run that started', { runId: 'r', version: 3 }, '"Thank you" (version 3) started.'],
    ['one that would have, had it been recorded', { version: 3 }, '"Thank you" (version 3) would start.'],
    [
      'a workflow that was switched off',
      { verdict: 'switched_off' },
      '"Thank you" listens for order.created but was switched off.',
    ],
    [
      'one that was never published',
      { verdict: 'never_published' },
      '"Thank you" listens for order.created and was switched on, but was never published.',
    ],
    [
      'one whose filter was false, and why',
      { verdict: 'not_run_for_customer', detail: { comparisons } },
      '"Thank you" was ready but did not run for this customer: its filter was false: data.total must be at least 20 and was 12; data.city must be present and was absent.',
    ],
    [
      'one of which that is no longer known, since the customer was erased',
      { verdict: 'not_run_for_customer' },
      '"Thank you" was ready but did not run for this customer.',
    ],
    [
      'one that is gone',
      { verdict: 'switched_off', name: null },
      '"a removed workflow" listens for order.created but was switched off.',
    ],
  ] as [string, Partial<Verdict>, string][])('%s', (_, given, sentence) => {
    expect(explained(given)).toBe(sentence)
  })
})

describe('the outcomes of an event', () => {
  test('contain one outcome for each workflow that names its type, in order', () => {
    const verdicts = [
      verdictWith({ workflowId: 'b', verdict: 'switched_off', name: null }),
      verdictWith({ workflowId: 'a', runId: 'r', version: 1 }),
    ]
    expect(outcomesOf({ type, verdicts })).toMatchObject([
      { workflowId: 'b', name: 'a removed workflow', verdict: 'switched_off', runId: null },
      { workflowId: 'a', name: 'Thank you', verdict: 'started', runId: 'r' },
    ])
  })

  test('are empty if no workflow listens, even with a suggested type', () => {
    const meant = { type: 'order_created', workflows: 2 }
    const verdicts = [verdictWith({ workflowId: null, name: null, verdict: 'no_listener', detail: meant })]
    expect(outcomesOf({ type, verdicts })).toEqual([])
    expect(didYouMeanOf({ verdicts })).toEqual(meant)
  })

  test('contain no suggestion if a workflow names the type, or if no type is near', () => {
    const detail = { comparisons }
    expect(didYouMeanOf({ verdicts: [verdictWith({ verdict: 'not_run_for_customer', detail })] })).toBeNull()
    expect(didYouMeanOf({ verdicts: [] })).toBeNull()
    expect(didYouMeanOf({ verdicts: [verdictWith({ workflowId: null, verdict: 'no_listener' })] })).toBeNull()
  })
})

describe('the explanation why nothing ran', () => {
  const meant = (workflows: number) =>
    verdictWith({ workflowId: null, verdict: 'no_listener', detail: { type: 'order_created', workflows } })

  test.each([
    ['without a listening workflow', [], 'No workflow listens for order.created.'],
    [
      'by the type that one automation listens for',
      [meant(1)],
      'No workflow listens for order.created. Did you mean order_created (1 automation)?',
    ],
    [
      'by the type that several listen for',
      [meant(2)],
      'No workflow listens for order.created. Did you mean order_created (2 automations)?',
    ],
    [
      'by each workflow',
      [verdictWith({ verdict: 'switched_off' }), verdictWith({ verdict: 'not_run_for_customer', name: 'Two' })],
      '"Thank you" listens for order.created but was switched off. "Two" was ready but did not run for this customer.',
    ],
  ])('%s', (_, verdicts, sentence) => {
    expect(explanationOf({ type, verdicts })).toBe(sentence)
  })
})
