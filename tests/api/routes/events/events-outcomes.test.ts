import { describe, expect, test } from 'bun:test'
import { eventually, newPhone, useWorld } from '../../../support/world.ts'

const world = useWorld()

const workflow = async (name: string, eventType: string, where?: unknown): Promise<string> => {
  const steps = { say: { type: 'send_message', text: 'hello', next: null } }
  const definition = { trigger: { eventType, ...(where !== undefined && { where }) }, start: 'say', steps }
  return (await world.expect(201, 'POST', '/v1/workflows', { body: { name, definition } })).id
}
const publish = (id: string) => world.expect(200, 'POST', `/v1/workflows/${id}/publish`)
const enable = (id: string, enabled = true) => world.expect(200, 'PATCH', `/v1/workflows/${id}`, { body: { enabled } })
const ready = async (...named: Parameters<typeof workflow>): Promise<string> => {
  const id = await workflow(...named)
  await publish(id)
  await enable(id)
  return id
}
const record = (type: string, more: Record<string, unknown> = {}) =>
  world.expect(201, 'POST', '/v1/events', { as: 'key', body: { type, phone: newPhone(), ...more } })
/** Sends another event with a known key. */
const repeat = (idempotencyKey: string) =>
  world.expect(200, 'POST', '/v1/events', { as: 'key', body: { type: 'other', phone: newPhone(), idempotencyKey } })
const read = (id: string) => world.expect(200, 'GET', `/v1/events/${id}`, { as: 'key' })

describe('the response to an event', () => {
  test('has the outcome of each workflow with the same event type, and never changes', async () => {
    const started = await ready('Thank you', 'mixed')
    const off = await workflow('Switched off', 'mixed')
    await publish(off)
    const unpublished = await workflow('Unpublished', 'mixed')
    await enable(unpublished)
    const filtered = await ready('Big orders', 'mixed', { path: 'data.total', op: 'gte', value: 100 })

    const { event, ...first } = await record('mixed', { data: { total: 99.5 }, idempotencyKey: 'mixed-1' })
    const entry = (workflowId: string, name: string, verdict: string, explanation: string) => ({
      ...{ workflowId, name, verdict, explanation: `“${name}” ${explanation}` },
      runId: verdict === 'started' ? expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/) : null,
    })
    const unmet = 'did not match: data.total is 99.5 and must be at least 100.'
    expect(first).toEqual({
      recorded: true,
      matchedWorkflows: 2,
      outcomes: [
        entry(started, 'Thank you', 'started', '(version 1) started.'),
        entry(off, 'Switched off', 'switched_off', 'listens for mixed but was switched off.'),
        entry(
          unpublished,
          'Unpublished',
          'never_published',
          'listens for mixed and was switched on, but was never published.',
        ),
        {
          ...entry(filtered, 'Big orders', 'not_run_for_customer', ''),
          explanation: `The filter of “Big orders” ${unmet}`,
        },
      ],
      didYouMean: null,
    })

    const [run] = (await world.expect(200, 'GET', `/v1/workflows/${started}/runs`)).data
    expect(run).toMatchObject({ id: first.outcomes[0].runId, eventId: event.id })

    await enable(started, false)
    await enable(off)
    await publish(unpublished)
    await ready('Newcomer', 'mixed')
    const { matchedWorkflows, outcomes, didYouMean } = first
    const recorded = { ...event, matchedWorkflows, outcomes, didYouMean, messages: [], idempotencyMismatch: null }
    expect(await read(event.id)).toEqual(recorded)
    const mismatch = ['type', 'customer', 'data']
    expect(await repeat('mixed-1')).toEqual({ event, ...first, recorded: false, mismatch })
  })

  test('suggests a similar type when no workflow listens, as of that time', async () => {
    const one = await ready('One', 'order.created')
    await workflow('Two', 'order.created')
    const didYouMean = { type: 'order.created', workflows: 2 }
    const { event, ...first } = await record('Order.Created', { idempotencyKey: 'Order.Created' })
    expect(first).toEqual({ recorded: true, matchedWorkflows: 0, outcomes: [], didYouMean })
    expect((await record('refund.issued')).didYouMean).toBeNull()

    await world.expect(200, 'PATCH', `/v1/workflows/${one}`, { body: { name: 'Renamed' } })
    await ready('Three', 'Order.Created')
    expect(await read(event.id)).toMatchObject({ outcomes: [], didYouMean })
    expect(await repeat('Order.Created')).toMatchObject({ recorded: false, didYouMean })
  })

  test('suggests no type of another workspace', async () => {
    await ready('Here', 'only.here')
    const body = { type: 'Only.Here', phone: newPhone() }
    const as = await world.otherOwner()
    expect((await world.expect(201, 'POST', '/v1/events', { as, body })).didYouMean).toBeNull()
    const meant = await eventually('the new workflow is known', async () => (await record('Only.Here')).didYouMean)
    expect(meant).toEqual({ type: 'only.here', workflows: 1 })
  })

  test('contains no values after the customer is erased', async () => {
    await ready('By mail', 'mail.seen', { path: 'data.email', op: 'eq', value: 'x' })
    const seen = { data: { email: 'ana@shop.example' }, idempotencyKey: 'mail' }
    const { event, outcomes } = await record('mail.seen', seen)
    expect(outcomes[0].explanation).toContain('ana@shop.example')
    await world.expect(204, 'DELETE', `/v1/customers/${event.customerId}`, { as: 'key' })
    const replay = await repeat('mail')
    expect(replay).toMatchObject({ recorded: false, matchedWorkflows: 1, event: { id: event.id, data: {} } })
    expect(JSON.stringify(replay)).not.toContain('ana@')
    const explanation = '“By mail” was ready but did not run for this customer.'
    expect(replay.outcomes).toMatchObject([{ verdict: 'not_run_for_customer', explanation }])
  })
})

const check = (body: unknown) => world.expect(200, 'POST', '/v1/events/check', { as: 'key', body })

/** Counts the rows of every table that recording an event can write. */
const rows = async () => {
  const [row] = await world.database.sql`
    select (select count(*) from events) as events, (select count(*) from customers) as customers,
      (select count(*) from workflow_runs) as runs, (select count(*) from event_outcomes) as outcomes,
      (select coalesce(sum(recorded), 0) from event_usage) as usage, (select count(*) from rejected_requests where path = '/v1/events/check') as rejected_requests,
      (select count(*) from consents) as consents`
  return row
}

describe('POST /v1/events/check', () => {
  const phone = newPhone()

  test('checks new, known, repeated and invalid events, and records nothing', async () => {
    await ready('Thanks', 'order.checked', { path: 'data.total', op: 'gte', value: 20 })
    const event = { type: 'order.checked', phone, data: { total: 25 }, idempotencyKey: 'k' }
    const before = await rows()
    const nothing = { customerId: null, replay: null, matchedWorkflows: 0, outcomes: [], didYouMean: null }
    const valid = { ...nothing, valid: true, status: 201, error: null }
    const explanation = '“Thanks” (version 1) would start.'
    const started = { workflowId: expect.any(String), name: 'Thanks', verdict: 'started', runId: null, explanation }
    const wouldEnrol = { ...valid, customer: 'would_enrol', matchedWorkflows: 1, outcomes: [started] }
    expect(await check({ ...event, optIn: { evidence: 'box' } })).toEqual(wouldEnrol)
    const message = expect.any(String)
    const details = { phone: message, idempotency_key: expect.stringContaining('Did you mean idempotencyKey?') }
    expect(await check({ ...event, phone: 'none', idempotency_key: 1 })).toEqual({
      ...nothing,
      valid: false,
      status: 400,
      customer: 'not_identified',
      error: { code: 'invalid_request', message, details },
    })
    expect((await check({ type: 'a', externalId: 'nobody' })).error.details).toHaveProperty('externalId')
    const didYouMean = { type: 'order.checked', workflows: 1 }
    expect(await check({ ...event, type: 'Order Checked' })).toMatchObject({ valid: true, outcomes: [], didYouMean })
    expect(await rows()).toEqual(before!)

    const recorded = await world.expect(201, 'POST', '/v1/events', { as: 'key', body: event })
    const after = await rows()
    const known = { customer: 'known', customerId: recorded.event.customerId, matchedWorkflows: 1 }
    expect(await check({ type: 'anything', phone: newPhone(), idempotencyKey: 'k' })).toEqual({
      ...valid,
      ...known,
      status: 200,
      replay: recorded.event.id,
      outcomes: recorded.outcomes,
    })
    const unmet = {
      verdict: 'not_run_for_customer',
      explanation: expect.stringContaining('is 19 and must be at least 20'),
    }
    const small = await check({ ...event, data: { total: 19 }, idempotencyKey: 'other' })
    expect(small).toMatchObject({ valid: true, ...known, outcomes: [unmet] })
    expect(await rows()).toEqual(after!)
  })

  test('rejects only a body that is not a JSON object', async () => {
    expect(await world.answer('POST', '/v1/events/check', { as: 'key', body: [] })).toBe('400 invalid_request body')
    expect((await check({})).error.details).toHaveProperty('type')
  })
})

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
      explanation: 'The filter of “Heavy” did not match: it compares too many values.',
    },
  ])
})
