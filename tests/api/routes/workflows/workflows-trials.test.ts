/** Tests of trials and replays, which show what a workflow would do without doing it. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { useWorld } from '../../../support/world.ts'

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
const came = ({ steps }: { steps: { stepId: string; outcome: string }[] }) =>
  steps.map(({ stepId, outcome }) => `${stepId} ${outcome}`)

describe('trying a workflow', () => {
  test('runs to its end immediately, with simulated times, and writes and sends nothing', async () => {
    const tried = await attempt(await create(), { event, answers: [{ after: '3h', reply: ' YES! ' }] })
    expect(came(tried)).toEqual([
      'wait waiting',
      'hello queued',
      'answer waiting',
      'answer reply',
      'sold marked',
      'thanks set',
      'bye queued',
    ])
    expect(tried.endReason).toBe('completed')
    expect(tried.messages.map(({ text }: { text: string }) => text)).toEqual([
      'Still thinking about 25?',
      'Thank you:  YES! ',
    ])
    expect(tried.sales).toMatchObject([{ stepId: 'sold', amount: '25', currency: 'EUR', note: 'cart' }])
    const at = tried.steps.map((step: { at: string }) => Date.parse(step.at) - Date.parse(tried.steps[0].at))
    expect(at).toEqual([0, 1, 1, 3, 3, 3, 3].map(hours => hours * 3_600_000))
    const [{ count }] = await world.database.sql<[{ count: number }]>`
      select (select count(*) from workflow_runs)::int + (select count(*) from messages)::int
        + (select count(*) from customers)::int + (select count(*) from events)::int as count`
    expect(count).toBe(0)
  })

  test('finds the customer like a recorded event, and rejects the same identifiers', async () => {
    const id = await create()
    const known = await world.expect(201, 'POST', '/v1/customers', {
      body: { phone: '+4915112345600', externalId: 'shop-7', name: 'Ben', attributes: { said: 'hello' } },
    })
    await world.expect(200, 'POST', `/v1/customers/${known.id}/opt-out`, { body: { reason: 'asked us to' } })
    const { phone: _, ...about } = event
    for (const named of [{ phone: '+4915112345600' }, { externalId: 'shop-7' }, { customerId: known.id }]) {
      const tried = await attempt(id, { event: { ...about, ...named } })
      expect(tried.steps[1]).toMatchObject({ stepId: 'hello', detail: { reason: 'opted_out' } })
    }
    for (const [named, field] of [
      [{ externalId: 'nobody' }, 'externalId'],
      [{ externalId: 'shop-7', phone: '+4915112345699' }, 'phone'],
      [{ customerId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e99' }, 'customerId'],
    ] as const) {
      const { error } = await world.expect(400, 'POST', `/v1/workflows/${id}/try`, {
        body: { event: { ...about, ...named } },
      })
      expect(Object.keys(error.details)).toEqual([`event.${field}`])
    }
    // An event without a customer.
    expect((await attempt(id, { event: about })).messages).toHaveLength(1)
  })

  test('times out without a matching answer', async () => {
    const id = await create()
    expect(await attempt(id, { event })).toMatchObject({ endReason: 'exited', sales: [] })
    const other = { type: 'order.paid', data: { cartId: 8 } }
    const answers = [
      { after: '2h', reply: 'maybe' },
      { after: '4h', event: other },
    ]
    const tried = await attempt(id, { event, answers })
    expect(came(tried)).toEqual(['wait waiting', 'hello queued', 'answer waiting', 'answer timeout', 'lost exited'])
    expect(tried.steps.at(-1).detail).toEqual({ reason: 'no_answer' })
  })

  test('accepts an event of the same cart as an answer, also from before the wait', async () => {
    const paid = { type: 'order.paid', data: { cartId: 7 } }
    const tried = await attempt(await create(), { event, answers: [{ after: '5m', event: paid }] })
    expect(came(tried)).toEqual([
      'wait waiting',
      'hello queued',
      'answer waiting',
      'answer event',
      'thanks set',
      'bye queued',
    ])
  })

  test('ends when an exit condition matches', async () => {
    const cancelled = { type: 'order.cancelled', data: { cartId: 7 } }
    const tried = await attempt(await create(), { event, answers: [{ after: '5m', event: cancelled }] })
    expect([came(tried), tried.endReason]).toEqual([['wait waiting'], 'exit_condition'])
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
    expect(came(tried)).toEqual(['answer waiting', 'answer timeout', 'bye skipped'])
    expect(tried.steps.at(-1).detail).toEqual({ reason: 'opted_out' })
    const ends = await attempt(await create({ ...any, exitOn: [{ optOut: true }] }), { event, answers })
    expect([came(ends), ends.endReason]).toEqual([['answer waiting'], 'opted_out'])
  })

  test('returns the compared values when the filter is false', async () => {
    const { verdict, steps, endReason } = await attempt(await create(), { event: { ...event, data: { total: 12 } } })
    expect([verdict.verdict, steps, endReason]).toEqual(['not_run_for_customer', [], null])
    expect(verdict.comparisons).toEqual([{ path: 'data.total', op: 'gte', value: 20, found: 12, negated: false }])
    expect(verdict.explanation).toContain('data.total must be at least 20 and was 12')
  })

  test('reports that the workflow listens for another type', async () => {
    const { verdict } = await attempt(await create(), { event: { type: 'cart.filled' } })
    expect(verdict).toMatchObject({
      verdict: 'no_listener',
      explanation: '"Cart" does not listen for cart.filled, but for cart.abandoned.',
    })
  })

  test('accepts a recorded event with its customer', async () => {
    const { event: recorded } = await world.expect(201, 'POST', '/v1/events', { as: 'key', body: event })
    const id = await create()
    const tried = await attempt(id, { eventId: recorded.id })
    expect(tried.messages[0]).toMatchObject({ handle: '+4915112345678', skipped: null })
    await world.expect(200, 'POST', `/v1/customers/${recorded.customerId}/opt-out`, { body: { reason: 'no more' } })
    const after = await attempt(id, { eventId: recorded.id })
    expect(came(after)).toContain('hello skipped')
    expect(after.messages[0].skipped).toBe('The customer has opted out.')
  })

  test('uses a published version or the current draft', async () => {
    const id = await create()
    await world.expect(200, 'POST', `/v1/workflows/${id}/publish`)
    const draft = { ...cart, trigger: { eventType: 'cart.left' } }
    await world.expect(200, 'PATCH', `/v1/workflows/${id}`, { body: { definition: draft } })
    expect((await attempt(id, { event, version: 1 })).verdict.explanation).toBe('"Cart" (version 1) would start.')
    expect((await attempt(id, { event })).verdict.verdict).toBe('no_listener')
    const { body } = await world.call('POST', `/v1/workflows/${id}/try`, { body: { event, version: 2 } })
    expect(body.error.details).toEqual({
      version: 'The workflow has no such published version. GET /v1/workflows/{id}/versions lists all versions.',
    })
  })

  test.each([
    ['neither an event nor its id', {}, { eventId: 'Send either eventId or event.' }],
    ['an invalid event', { event: { type: '' } }, { 'event.type': 'Must be a text of 1 to 200 characters.' }],
    [
      'an event that was not recorded',
      { eventId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7c01' },
      { eventId: 'No such event in this workspace.' },
    ],
    [
      'an unknown customer',
      { event, customerId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7c01' },
      { customerId: 'No such customer in this workspace. The customer may have been erased.' },
    ],
    [
      'an answer without a time',
      { event, answers: [{ after: 'soon', reply: 'yes' }] },
      { 'answers.0.after': 'Must be a duration of at most 90 days, such as PT1H, P2D, 30s, 5m or 2d.' },
    ],
    [
      'more answers than allowed',
      { event, answers: Array(51).fill({ after: '1h', reply: 'yes' }) },
      { answers: 'Must be a list of at most 50 answers.' },
    ],
  ])('rejects %s', async (_, body, details) => {
    const { status, body: answer } = await world.call('POST', `/v1/workflows/${await create()}/try`, { body })
    expect([status, answer.error.details]).toEqual([400, details])
  })

  test('ends an endless draft like a run', async () => {
    const circle = { trigger: { eventType: 'x' }, start: 'a', steps: { a: { type: 'delay', for: '1s', next: 'a' } } }
    const { endReason, steps } = await attempt(await create(circle), { event: { type: 'x' } })
    expect([endReason, steps.length]).toEqual(['too_many_steps', 1000])
  })
})

describe('replaying a workflow', () => {
  test('counts what it would have done with the events of its type', async () => {
    const definition = { ...cart, trigger: { ...cart.trigger, eventType: 'cart.replayed' } }
    const id = await create(definition)
    const none = await world.expect(200, 'POST', `/v1/workflows/${id}/replay`, { body: { days: 30 } })
    expect(none).toEqual({ events: 0, complete: true, verdicts: {}, byStep: {}, ends: {} })
    const events = Array.from({ length: 450 }, (_, index) => ({
      ...event,
      type: 'cart.replayed',
      phone: `+49151123${String(index % 50).padStart(5, '0')}`,
      data: { total: index, cartId: index },
    }))
    for (const some of [events.slice(0, 250), events.slice(250)])
      await world.expect(200, 'POST', '/v1/events/batch', { as: 'key', body: { events: some } })
    const [{ before }] = await world.database.sql<
      [{ before: number }]
    >`select count(*)::int as before from workflow_runs`
    const replayed = await world.expect(200, 'POST', `/v1/workflows/${id}/replay`, { body: { days: 1 } })
    expect(replayed).toEqual({
      events: 450,
      complete: true,
      verdicts: { started: 430, not_run_for_customer: 20 },
      byStep: { wait: 430, hello: 430, answer: 430, lost: 430 },
      ends: { exited: 430 },
    })
    const [{ after }] = await world.database.sql<[{ after: number }]>`select count(*)::int as after from workflow_runs`
    expect(after).toBe(before)
  })

  test('stops at its time limit, and reports that it is incomplete', async () => {
    const one = { path: 'data.total', op: 'lt', value: 0 }
    const much = { any: Array(4).fill({ any: Array(50).fill(one) }) }
    const heavy = {
      trigger: { eventType: 'cart.replayed' },
      start: 'a',
      steps: {
        a: { type: 'condition', if: much, then: 'b', else: 'b' },
        b: { type: 'condition', if: much, then: 'c', else: 'c' },
        c: { type: 'condition', if: much, then: 'd', else: 'd' },
        d: { type: 'condition', if: much, then: 'e', else: 'e' },
        e: { type: 'delay', for: '1s', next: 'a' },
      },
    }
    const begun = performance.now()
    const replayed = await world.expect(200, 'POST', `/v1/workflows/${await create(heavy)}/replay`, {
      body: { days: 1 },
    })
    // The limits are 4 seconds of CPU time and 15 seconds in total.
    expect(performance.now() - begun).toBeWithin(4000, 16_000)
    expect(replayed.complete).toBe(false)
    expect(replayed.events).toBeWithin(1, 450)
    expect(replayed.ends).toEqual({ too_many_steps: replayed.events })
  })

  test.each([[0], [31], [1.5]])('rejects a period of %d days', async days => {
    const { status, body } = await world.call('POST', `/v1/workflows/${await create()}/replay`, { body: { days } })
    expect([status, body.error.details]).toEqual([400, { days: 'Must be a whole number from 1 to 30.' }])
  })
})
