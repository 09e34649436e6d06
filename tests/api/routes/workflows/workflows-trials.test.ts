/** Tests of trials and replays, which show what a workflow would do without doing it. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { unknownId, useWorld } from '../../../support/world.ts'

const world = useWorld()
beforeAll(() => world.sandbox())

const cart = {
  trigger: { eventType: 'cart.abandoned', where: { path: 'data.total', op: 'gte', value: 20 } },
  exitOn: [{ event: 'order.cancelled', match: { 'data.cartId': 'trigger.data.cartId' }, reason: 'cancelled' }],
  start: 'wait',
  steps: {
    wait: { type: 'delay', for: 'PT1H', next: 'hello' },
    hello: { type: 'send_message', text: 'Still thinking about {{data.total}}?', next: 'answer' },
    answer: {
      type: 'wait_for',
      timeout: '2d',
      onTimeout: 'lost',
      any: [
        { reply: { in: ['yes', '1'] }, next: 'sold' },
        { event: 'order.paid', match: { 'data.cartId': 'trigger.data.cartId' }, next: 'thanks' },
      ],
    },
    sold: { type: 'mark_sale', amount: '{{data.total}}', currency: 'EUR', note: 'cart', next: 'thanks' },
    thanks: { type: 'set_attribute', set: { bought: true, said: '{{answer.text|nothing}}' }, next: 'bye' },
    bye: { type: 'send_message', text: 'Thank you: {{customer.attributes.said}}', next: null },
    lost: { type: 'exit', reason: 'no_answer' },
  },
}

const create = async (definition: object = cart): Promise<string> =>
  (await world.expect(201, 'POST', '/v1/workflows', { body: { name: 'Cart', definition } })).id
const event = { type: 'cart.abandoned', phone: '+4915112345678', name: 'Ana', data: { total: 25, cartId: 7 } }
const attempt = async (id: string, body: object) => world.expect(200, 'POST', `/v1/workflows/${id}/try`, { body })
const replay = async (id: string, days: number, status = 200) =>
  world.expect(status, 'POST', `/v1/workflows/${id}/replay`, { body: { days } })
const outcomes = ({ steps }: { steps: { stepId: string; outcome: string }[] }) =>
  steps.map(({ stepId, outcome }) => `${stepId} ${outcome}`).join(', ')
/** Returns the numbers of customers, events, messages and runs. */
const counts = async () => {
  const [row] = await world.database.sql`
    select (select count(*) from workflow_runs)::int as runs, (select count(*) from messages)::int as messages,
      (select count(*) from customers)::int as customers, (select count(*) from events)::int as events`
  return { ...row }
}

describe('trying a workflow', () => {
  test('runs to its end immediately, with simulated times, and writes and sends nothing', async () => {
    const tried = await attempt(await create(), { event, answers: [{ after: '3h', reply: ' YES! ' }] })
    expect(outcomes(tried)).toBe(
      'wait waiting, hello queued, answer waiting, answer reply, sold marked, thanks set, bye queued',
    )
    expect(tried.endReason).toBe('completed')
    const texts = ['Still thinking about 25?', 'Thank you:  YES! ']
    expect(tried.messages.map(({ text }: { text: string }) => text)).toEqual(texts)
    expect(tried.sales).toMatchObject([{ stepId: 'sold', amount: '25', currency: 'EUR', note: 'cart' }])
    const at = tried.steps.map((step: { at: string }) => Date.parse(step.at) - Date.parse(tried.steps[0].at))
    expect(at).toEqual([0, 1, 1, 3, 3, 3, 3].map(hours => hours * 3_600_000))
    expect(await counts()).toEqual({ runs: 0, messages: 0, customers: 0, events: 0 })
  })

  test('finds the customer like a recorded event, and rejects the same identifiers', async () => {
    const id = await create()
    const body = { phone: '+4915112345600', externalId: 'shop-7', name: 'Ben', attributes: { said: 'hello' } }
    const known = await world.expect(201, 'POST', '/v1/customers', { body })
    await world.expect(200, 'POST', `/v1/customers/${known.id}/opt-out`, { body: { reason: 'asked us to' } })
    const { phone: _, ...about } = event
    for (const named of [{ phone: '+4915112345600' }, { externalId: 'shop-7' }, { customerId: known.id }]) {
      const tried = await attempt(id, { event: { ...about, ...named } })
      expect(tried.steps[1]).toMatchObject({ stepId: 'hello', detail: { reason: 'opted_out' } })
    }
    for (const [field, named] of Object.entries({
      externalId: { externalId: 'nobody' },
      phone: { externalId: 'shop-7', phone: '+4915112345699' },
      customerId: { customerId: unknownId },
    })) {
      const body = { event: { ...about, ...named } }
      const { error } = await world.expect(400, 'POST', `/v1/workflows/${id}/try`, { body })
      expect(Object.keys(error.details)).toEqual([`event.${field}`])
    }
    // An event without a customer.
    expect((await attempt(id, { event: about })).messages).toHaveLength(1)
  })

  const paid = (cartId: number) => ({ type: 'order.paid', data: { cartId } })
  const cancelled = { type: 'order.cancelled', data: { cartId: 7 } }
  const all = (...answers: object[]) => answers
  const timeout = 'wait waiting, hello queued, answer waiting, answer timeout, lost exited'
  const thanked = 'wait waiting, hello queued, answer waiting, answer event, thanks set, bye queued'
  test.each<[what: string, answers: object[], trace: string, endReason: string]>([
    ['times out without an answer', [], timeout, 'exited'],
    ['times out', all({ after: '2h', reply: 'maybe' }, { after: '4h', event: paid(8) }), timeout, 'exited'],
    [
      'accepts an event of the same cart from before the wait',
      all({ after: '5m', event: paid(7) }),
      thanked,
      'completed',
    ],
    ['ends by an exit condition', all({ after: '5m', event: cancelled }), 'wait waiting', 'exit_condition'],
  ])('%s after %j', async (_, answers, trace, endReason) => {
    const tried = await attempt(await create(), { event, answers })
    expect([outcomes(tried), tried.endReason]).toEqual([trace, endReason])
    if (endReason === 'exited') expect(tried.steps.at(-1).detail).toEqual({ reason: 'no_answer' })
  })

  test('treats an opt-out reply as no answer and sends nothing afterwards, or ends the run', async () => {
    const any = {
      trigger: { eventType: 'cart.abandoned' },
      start: 'answer',
      steps: {
        answer: { type: 'wait_for', timeout: '2d', onTimeout: 'bye', any: [{ reply: {}, next: null }] },
        bye: { type: 'send_message', text: 'bye', next: null },
      },
    }
    const answers = [{ after: '1h', reply: ' Stop! ' }]
    const tried = await attempt(await create(any), { event, answers })
    expect(outcomes(tried)).toBe('answer waiting, answer timeout, bye skipped')
    expect(tried.steps.at(-1).detail).toEqual({ reason: 'opted_out' })
    const ends = await attempt(await create({ ...any, exitOn: [{ optOut: true }] }), { event, answers })
    expect([outcomes(ends), ends.endReason]).toEqual(['answer waiting', 'opted_out'])
  })

  test('returns the compared values when the filter is false, and the type that it listens for', async () => {
    const id = await create()
    const { verdict, steps, endReason } = await attempt(id, { event: { ...event, data: { total: 12 } } })
    expect([verdict.verdict, steps, endReason]).toEqual(['not_run_for_customer', [], null])
    expect(verdict.comparisons).toEqual([{ path: 'data.total', op: 'gte', value: 20, found: 12, negated: false }])
    expect(verdict.explanation).toContain('data.total is 12 and must be at least 20')
    expect((await attempt(id, { event: { type: 'cart.filled' } })).verdict).toMatchObject({
      verdict: 'no_listener',
      explanation: '“Cart” does not listen for cart.filled, but for cart.abandoned.',
    })
  })

  test('accepts a recorded event with its customer', async () => {
    const { event: recorded } = await world.expect(201, 'POST', '/v1/events', { as: 'key', body: event })
    const id = await create()
    const tried = await attempt(id, { eventId: recorded.id })
    expect(tried.messages[0]).toMatchObject({ handle: '+4915112345678', skipped: null })
    await world.expect(200, 'POST', `/v1/customers/${recorded.customerId}/opt-out`, { body: { reason: 'no more' } })
    const after = await attempt(id, { eventId: recorded.id })
    expect(outcomes(after)).toContain('hello skipped')
    expect(after.messages[0].skipped).toBe('The customer has opted out.')
  })

  test('uses a published version or the current draft', async () => {
    const id = await create()
    await world.expect(200, 'POST', `/v1/workflows/${id}/publish`)
    const draft = { ...cart, trigger: { eventType: 'cart.left' } }
    await world.expect(200, 'PATCH', `/v1/workflows/${id}`, { body: { definition: draft } })
    expect((await world.expect(200, 'GET', `/v1/workflows/${id}/versions/1`)).definition).toEqual(cart)
    expect((await attempt(id, { event, version: 1 })).verdict.explanation).toBe('“Cart” (version 1) would start.')
    expect((await attempt(id, { event })).verdict.verdict).toBe('no_listener')
    const { error } = await world.expect(400, 'POST', `/v1/workflows/${id}/try`, { body: { event, version: 2 } })
    expect(error.details).toEqual({
      version: 'The workflow has no such published version. GET /v1/workflows/{id}/versions lists all versions.',
    })
  })

  test.each<[error: string, body: object]>([
    ['eventId: Send either eventId or event.', {}],
    ['event.type: Must be a text of 1 to 200 characters.', { event: { type: '' } }],
    ['eventId: No such event in this workspace.', { eventId: unknownId }],
    ['customerId: No such customer in this workspace.', { event, customerId: unknownId }],
    ['answers.0.after: Must be a duration of at most 90 days', { event, answers: [{ after: 'soon', reply: 'yes' }] }],
    [
      'answers: Must be a list of at most 50 answers.',
      { event, answers: Array(51).fill({ after: '1h', reply: 'yes' }) },
    ],
  ])('is rejected with %s', async (message, body) => {
    const { error } = await world.expect(400, 'POST', `/v1/workflows/${await create()}/try`, { body })
    const errors = Object.entries(error.details).map(entry => entry.join(': '))
    expect(errors).toEqual([expect.stringContaining(message)])
  })
})

test('replaying a workflow counts what it would have done with the events of its type, and writes nothing', async () => {
  const id = await create({ ...cart, trigger: { ...cart.trigger, eventType: 'cart.replayed' } })
  for (const days of [0, 31, 1.5])
    expect((await replay(id, days, 400)).error.details).toEqual({ days: 'Must be a whole number from 1 to 30.' })
  expect(await replay(id, 30)).toEqual({ events: 0, complete: true, verdicts: {}, byStep: {}, ends: {} })
  const events = Array.from({ length: 450 }, (_, index) => ({
    ...event,
    type: 'cart.replayed',
    phone: `+49151123${String(index % 50).padStart(5, '0')}`,
    data: { total: index, cartId: index },
  }))
  for (const some of [events.slice(0, 250), events.slice(250)])
    await world.expect(200, 'POST', '/v1/events/batch', { as: 'key', body: { events: some } })
  const before = await counts()
  expect(await replay(id, 1)).toEqual({
    events: 450,
    complete: true,
    verdicts: { started: 430, not_run_for_customer: 20 },
    byStep: { wait: 430, hello: 430, answer: 430, lost: 430 },
    ends: { exited: 430 },
  })
  expect(await counts()).toEqual(before)
})

test('replaying a workflow stops at its time limit, and reports that it is incomplete', async () => {
  const one = { path: 'data.total', op: 'lt', value: 0 }
  const much = { any: Array(4).fill({ any: Array(50).fill(one) }) }
  const step = (next: string) => ({ type: 'condition', if: much, then: next, else: next })
  const heavy = {
    trigger: { eventType: 'cart.replayed' },
    start: 'a',
    steps: { a: step('b'), b: step('c'), c: step('d'), d: step('e'), e: { type: 'delay', for: '1s', next: 'a' } },
  }
  // Too many events for any machine.
  await world.database.sql`
    insert into events (workspace_id, id, type, source, sender, customer_id, data, matched_workflows)
    select workspace_id, uuidv7(), type, source, sender, customer_id, data, 0 from events, generate_series(1, 20)`
  const begun = performance.now()
  const replayed = await replay(await create(heavy), 1)
  // The limits are 4 seconds of CPU time and 15 seconds in total.
  expect(performance.now() - begun).toBeWithin(4000, 16_000)
  expect(replayed.complete).toBe(false)
  expect(replayed.events).toBeWithin(1, 9450)
  expect(replayed.ends).toEqual({ too_many_steps: replayed.events })
})
