import { beforeAll, describe, expect, test } from 'bun:test'
import { useWorld } from '../../../support/world.ts'

const world = useWorld()
beforeAll(async () => {
  const trigger = { eventType: 'order.created', where: { path: 'data.total', op: 'gte', value: 20 } }
  const steps = { say: { type: 'send_message', text: 'hello', next: null } }
  await world.workflow({ trigger, start: 'say', steps }, 'Thanks')
})

const check = (body: unknown) => world.expect(200, 'POST', '/v1/events/check', { as: 'key', body })

/** Counts the rows of every table that recording an event can write. */
const rows = async () => {
  const [row] = await world.database.sql`
    select (select count(*) from events) as events, (select count(*) from customers) as customers,
      (select count(*) from workflow_runs) as runs, (select count(*) from event_outcomes) as outcomes,
      (select coalesce(sum(recorded), 0) from event_usage) as usage, (select count(*) from rejected_requests) as rejected_requests,
      (select count(*) from consents) as consents`
  return row
}

const phone = '+4917200000001'

describe('POST /v1/events/check', () => {
  test('checks new, known, repeated and invalid events, and records nothing', async () => {
    const event = { type: 'order.created', phone, data: { total: 25 }, idempotencyKey: 'k' }
    const before = await rows()
    const nothing = { customerId: null, replay: null, matchedWorkflows: 0, outcomes: [], didYouMean: null }
    const started = {
      workflowId: expect.any(String),
      name: 'Thanks',
      verdict: 'started',
      runId: null,
      explanation: '"Thanks" (version 1) would start.',
    }
    expect(await check({ ...event, optIn: { evidence: 'box' } })).toEqual({
      ...nothing,
      valid: true,
      status: 201,
      error: null,
      customer: 'would_enrol',
      matchedWorkflows: 1,
      outcomes: [started],
    })
    expect(await check({ ...event, phone: 'none', idempotency_key: 1 })).toEqual({
      ...nothing,
      valid: false,
      status: 400,
      error: {
        code: 'invalid_request',
        message: expect.any(String),
        details: {
          phone: expect.any(String),
          idempotency_key: expect.stringContaining('Did you mean idempotencyKey?'),
        },
      },
      customer: 'not_identified',
    })
    expect(await check({ type: 'a', externalId: 'nobody' })).toMatchObject({
      valid: false,
      status: 400,
      error: { details: { externalId: expect.any(String) } },
    })
    expect(await check({ ...event, type: 'Order Created' })).toMatchObject({
      valid: true,
      outcomes: [],
      didYouMean: { type: 'order.created', workflows: 1 },
    })
    expect(await rows()).toEqual(before!)

    const recorded = await world.expect(201, 'POST', '/v1/events', { as: 'key', body: event })
    const after = await rows()
    expect(await check({ type: 'anything', phone: '+4917200000009', idempotencyKey: 'k' })).toEqual({
      ...nothing,
      valid: true,
      status: 200,
      error: null,
      customer: 'known',
      customerId: recorded.event.customerId,
      replay: recorded.event.id,
      matchedWorkflows: 1,
      outcomes: recorded.outcomes,
    })
    const small = await check({ ...event, data: { total: 19 }, idempotencyKey: 'other' })
    expect(small).toMatchObject({
      valid: true,
      customer: 'known',
      customerId: recorded.event.customerId,
      matchedWorkflows: 1,
      outcomes: [{ verdict: 'not_run_for_customer', explanation: expect.stringContaining('at least 20 and was 19') }],
    })
    expect(await rows()).toEqual(after!)
  })

  test('rejects only a body that is not a JSON object', async () => {
    expect(await world.answer('POST', '/v1/events/check', { as: 'key', body: [] })).toBe('400 invalid_request body')
    expect((await check({})).error.details).toHaveProperty('type')
  })
})
