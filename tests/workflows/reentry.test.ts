/** Tests how often a customer can enter a workflow, through the API. */
import { expect, test } from 'bun:test'
import { EventWriter } from '../../src/events/index.ts'
import { eventWith } from '../events/books.ts'
import { ended, play } from '../support/workflows.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
const { workflow, event, run, start, parked, phone } = play(() => world)

const definition = (eventType: string, entry: object, delay = '2d') => ({
  trigger: { eventType },
  entry,
  start: 'wait',
  steps: { wait: { type: 'delay', for: delay, next: null } },
})

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the answer holds, and fails where it does not
const only = (recorded: any) => recorded.outcomes[0]

test('a customer with an active run cannot enter again, and the outcome names that run', async () => {
  const workflowId = await workflow(definition('one at a time', { reentry: 'not_while_active' }), 'Cart')
  const customer = phone()
  const first = await start('one at a time', customer)
  const refused = await event('one at a time', customer)
  expect(refused.matchedWorkflows).toBe(1)
  const outcome = {
    workflowId,
    verdict: 'not_run_for_customer',
    rule: 'not_while_active',
    runId: first,
    detail: { rule: 'not_while_active', runId: first, since: expect.stringMatching(/Z$/) },
    explanation: expect.stringContaining('for this customer: the customer already had an active run, started at '),
  }
  expect(only(refused)).toMatchObject(outcome)
  // The recorded outcome does not change later.
  expect(only(await world.expect(200, 'GET', `/v1/events/${refused.event.id}`))).toMatchObject(outcome)
  const { data } = await world.expect(200, 'GET', '/v1/activity/events?limit=1')
  expect(data[0]).toMatchObject({ reason: 'not_run_for_customer', automations: [] })

  expect(await start('one at a time', phone())).not.toBe(first)
  expect(await world.expect(200, 'POST', `/v1/runs/${first}/stop`)).toMatchObject({ status: 'stopped' })
  expect(await start('one at a time', customer)).not.toBe(first)
})

test('with `once`, a customer enters once per value of the key, even after the run has ended', async () => {
  await workflow(definition('once', { reentry: 'once', key: 'data.cartId' }, '1ms'))
  const customer = phone()
  const first = await start('once', customer, { cartId: 7 })
  await run(first, ended)
  expect(only(await event('once', customer, { cartId: 7 }))).toMatchObject({ rule: 'once', runId: first })
  expect(only(await event('once', customer, { cartId: '7' }))).toMatchObject({ verdict: 'started' })
  expect(only(await event('once', customer))).toMatchObject({ verdict: 'started' })
  expect(only(await event('once', customer))).toMatchObject({ rule: 'once' })
  // The order of the names of an object does not matter.
  const cart = await start('once', customer, { cartId: { id: 7, lines: [{ a: 1, b: [2, 3] }] } })
  const same = await event('once', customer, { cartId: { lines: [{ b: [2, 3], a: 1 }], id: 7 } })
  expect(only(same)).toMatchObject({ rule: 'once', runId: cart })
  const other = await event('once', customer, { cartId: { lines: [{ b: [3, 2], a: 1 }], id: 7 } })
  expect(only(other)).toMatchObject({ verdict: 'started' })
})

test('exactly one of several concurrent events starts a run, alone, in a batch or in other processes', async () => {
  await workflow(definition('race', { reentry: 'not_while_active' }))
  const { sql } = world.database
  const { workspaceId } = world
  const writers = [0, 1].map(() => new EventWriter({ sql, onBatch: () => {}, onRunsStarted: () => {} }))
  for (let round = 0; round < 10; round++) {
    const customer = phone()
    // The customer exists before, so that the events do not wait for each other's enrolment.
    await event('unheard', customer)
    const written = writers.map(writer => writer.add(eventWith({ workspaceId, type: 'race', phone: customer })))
    const alone = await Promise.all(Array.from({ length: 4 }, () => event('race', customer)))
    const { data } = await world.expect(200, 'POST', '/v1/events/batch', {
      as: 'key',
      body: { events: Array.from({ length: 4 }, () => ({ type: 'race', phone: customer })) },
    })
    const others = (await Promise.all(written)).map(({ event }) => event.verdicts[0]!.verdict as string)
    const verdicts = [...alone, ...data].map(only).map(({ verdict }) => verdict)
    expect([...verdicts, ...others].sort()).toEqual([...Array(9).fill('not_run_for_customer'), 'started'])
  }
})

test('a customer whose run was ended by an event can enter again with the next event, without a delay', async () => {
  await workflow({ ...definition('again', { reentry: 'not_while_active' }), exitOn: [{ event: 'again.over' }] })
  for (let round = 0; round < 3; round++) {
    const customer = phone()
    const first = await parked('again', customer)
    await event('again.over', customer)
    // Immediately, and when the run did not wait yet.
    const second = await start('again', customer)
    await event('again.over', customer)
    const third = only(await event('again', customer))
    expect(third).toMatchObject({ verdict: 'started' })
    for (const id of [first, second]) expect(await run(id)).toMatchObject({ endReason: 'exit_condition' })
    expect(only(await event('again', customer))).toMatchObject({ rule: 'not_while_active', runId: third.runId })
  }
})

test('a customer can enter again if an event ends the last wait of a run, also in one batch', async () => {
  await workflow({
    ...definition('both', { reentry: 'not_while_active' }),
    steps: { wait: { type: 'wait_for', timeout: '1h', onTimeout: null, any: [{ event: 'both.over', next: null }] } },
  })
  const customer = phone()
  await parked('both', customer)
  const types = ['both', 'both.over', 'both', 'both', 'both.over', 'both']
  const { data } = await world.expect(200, 'POST', '/v1/events/batch', {
    as: 'key',
    body: { events: types.map(type => ({ type, phone: customer })) },
  })
  const verdicts = data.flatMap((one: { outcomes: { verdict: string }[] }) => one.outcomes.map(o => o.verdict))
  const no = 'not_run_for_customer'
  expect(verdicts).toEqual([no, 'started', no, 'started'])
})

test('a customer cannot enter again after an event that does not match the exit condition', async () => {
  await workflow({
    ...definition('other', { reentry: 'not_while_active' }),
    exitOn: [{ event: 'other.over', match: { 'data.cart': 'trigger.data.cart' } }],
  })
  const customer = phone()
  const first = await parked('other', customer, { cart: 1 })
  // Sets the wait to one minute ago, so that no event recorded now can have missed it.
  await world.database
    .sql`update run_rechecks set waiting_since = waiting_since - '1 minute'::interval where run_id = ${first}`
  await event('other.over', customer, { cart: 2 })
  expect(only(await event('other', customer))).toMatchObject({ rule: 'not_while_active', runId: first })
})
