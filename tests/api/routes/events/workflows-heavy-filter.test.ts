/** Tests that a filter with many comparisons does not delay other callers. */
import { expect, test } from 'bun:test'
import { useWorld } from '../../../support/world.ts'

const world = useWorld()

const comparison = { path: 'data.list', op: 'contains', value: 'nowhere' }
const lists = (count: number) => Array.from({ length: count }, () => ({ any: Array(50).fill(comparison) }))

test('a stored filter over the current limits counts as false, and does not delay other calls', async () => {
  const steps = { wait: { type: 'delay', for: '1h', next: null } }
  const definition = { trigger: { eventType: 'heavy', where: { any: [comparison] } }, start: 'wait', steps }
  const id = await world.workflow(definition, 'Heavy')
  const heavy = { ...definition, trigger: { eventType: 'heavy', where: { any: lists(40) } } }
  expect(JSON.stringify(heavy.trigger.where).length).toBeGreaterThan(88_000)
  const faults = { 'definition.trigger.where': 'Has 2000 comparisons. The maximum is 200.' }
  const check = await world.expect(200, 'POST', '/v1/workflows/check', { body: { definition: heavy } })
  expect(check).toMatchObject({ valid: false, details: faults })
  await world.database.sql`
    update workflow_versions set definition = ${JSON.stringify(heavy)}::text::jsonb where workflow_id = ${id}`

  const data = { list: Array.from({ length: 100_000 }, (_, index) => String(index % 1000)) }
  const record = (type: string, index: number, data = {}) =>
    world.expect(201, 'POST', '/v1/events', { as: 'key', body: { type, phone: `+49151000000${index + 10}`, data } })
  const began = performance.now()
  const [first, ...others] = await Promise.all([
    record('heavy', 0, data),
    ...Array.from({ length: 20 }, (_, index) => record('light', index)),
  ])
  // The time limit is generous. Without the evaluation budget, the filter blocked the process far longer.
  expect(performance.now() - began).toBeLessThan(5000)
  expect(others).toHaveLength(20)
  expect(first.outcomes).toMatchObject([
    {
      verdict: 'not_run_for_customer',
      explanation:
        '"Heavy" was ready but did not run for this customer: its filter counts as false, because it compares too many values.',
    },
  ])
})
