/** How often a customer is let into a workflow, through the interface. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { ended, play } from '../../support/workflows.ts'
import { startWorld, type World } from '../../support/world.ts'

let world: World
const { workflow, event, run, start, phone } = play(() => world)
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

const definition = (eventType: string, entry: object, delay = '2d') => ({
  trigger: { eventType },
  entry,
  start: 'wait',
  steps: { wait: { type: 'delay', for: delay, next: null } },
})

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the answer holds, and fails where it does not
const only = (recorded: any) => recorded.outcomes[0]

test('a customer who is in a workflow is not let in once more until their run is over, and is told which is in the way', async () => {
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
    explanation: expect.stringMatching(
      new RegExp(
        `^"Cart" was ready but did not run for this customer: they have been in it since .* \\(run ${first}\\)\\.$`,
      ),
    ),
  }
  expect(only(refused)).toMatchObject(outcome)
  // It stays what it was.
  expect(only(await world.expect(200, 'GET', `/v1/events/${refused.event.id}`))).toMatchObject(outcome)
  const { data } = await world.expect(200, 'GET', '/v1/activity/events?limit=1')
  expect(data[0]).toMatchObject({ reason: 'not_run_for_customer', automations: [] })

  expect(await start('one at a time', phone())).not.toBe(first)
  expect(await world.expect(200, 'POST', `/v1/runs/${first}/stop`)).toMatchObject({ status: 'stopped' })
  expect(await start('one at a time', customer)).not.toBe(first)
})

test('once is once, also when the run is over, for each value of the key', async () => {
  await workflow(definition('once', { reentry: 'once', key: 'data.cartId' }, '1ms'))
  const customer = phone()
  const first = await start('once', customer, { cartId: 7 })
  await run(first, ended)
  expect(only(await event('once', customer, { cartId: 7 }))).toMatchObject({ rule: 'once', runId: first })
  expect(only(await event('once', customer, { cartId: '7' }))).toMatchObject({ verdict: 'started' })
  expect(only(await event('once', customer))).toMatchObject({ verdict: 'started' })
  expect(only(await event('once', customer))).toMatchObject({ rule: 'once' })
})

test('a check says what would become of the event, and starts nothing', async () => {
  await workflow(definition('checked', { reentry: 'once' }))
  const customer = phone()
  const check = () =>
    world.expect(200, 'POST', '/v1/events/check', { as: 'key', body: { type: 'checked', phone: customer } })
  expect(only(await check())).toMatchObject({ verdict: 'started', runId: null })
  const first = await start('checked', customer)
  expect(only(await check())).toMatchObject({ verdict: 'not_run_for_customer', rule: 'once', runId: first })
})

test('of events that race exactly one lets the customer in, alone or in a batch', async () => {
  await workflow(definition('race', { reentry: 'not_while_active' }))
  for (let round = 0; round < 5; round++) {
    const customer = phone()
    // Known before, so that they do not wait for each other's enrolment.
    await event('unheard', customer)
    const alone = await Promise.all(Array.from({ length: 8 }, () => event('race', customer)))
    const { data } = await world.expect(200, 'POST', '/v1/events/batch', {
      as: 'key',
      body: { events: Array.from({ length: 8 }, () => ({ type: 'race', phone: customer })) },
    })
    const outcomes = [...alone, ...data].map(only)
    const started = outcomes.filter(({ verdict }) => verdict === 'started')
    expect(started).toHaveLength(1)
    for (const one of outcomes)
      if (one !== started[0]) expect(one).toMatchObject({ rule: 'not_while_active', runId: started[0].runId })
  }
})

test('of events that race in two processes exactly one lets the customer in', async () => {
  await workflow(definition('two', { reentry: 'once' }))
  const { EventWriter } = await import('../../../src/domain/events/index.ts')
  const { sql } = world.database
  const { workspaceId } = world
  const writers = [0, 1, 2].map(() => new EventWriter({ sql, onBatch: () => {}, onRunsStarted: () => {} }))
  for (let round = 0; round < 10; round++) {
    const customer = phone()
    await event('unheard', customer)
    const recorded = await Promise.all(
      writers.map(writer =>
        writer.add({
          workspaceId,
          source: 'api',
          sender: 'custom',
          type: 'two',
          phone: customer,
          customerId: null,
          externalId: null,
          name: null,
          data: {},
          idempotencyKey: null,
          optInEvidence: null,
          monthlyLimit: null,
        }),
      ),
    )
    const verdicts = recorded.map(one => one.event.verdicts[0]!.verdict)
    expect(verdicts.sort()).toEqual(['not_run_for_customer', 'not_run_for_customer', 'started'])
  }
})
