/** Tests runs that wait for events and replies, through the API: what ends a wait, and what ends a run. */
import { beforeAll, expect, test } from 'bun:test'
import { wakeRunsByReplies } from '../../src/queue/waits/index.ts'
import { ended, outcomes, play } from '../support/workflows.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
const { workflow, event, run, parked, phone } = play(() => world)
beforeAll(() => world.sandbox())

const say = (text: string) => ({ type: 'send_message', text, next: null })
const match = { 'data.cartId': 'trigger.data.cartId' }

const wait = (exit: object, onTimeout: string | null = null) => ({
  type: 'wait_for',
  timeout: '1h',
  onTimeout,
  any: [exit],
})
const delay = (next: string) => ({ type: 'delay', for: '2d', next })

/** Returns a definition that waits up to an hour for an order of the same cart, and sends whether it came. */
const waiting = (eventType: string) => ({
  trigger: { eventType },
  start: 'wait',
  steps: {
    wait: wait({ event: `${eventType}.paid`, match, next: 'paid' }, 'late'),
    paid: say('paid {{answer.data.total}}'),
    late: say('late'),
  },
})

/** Inserts a reply of the customer in the way the service does: one statement stores the message and wakes runs. */
const reply = async (customerId: string, text: string, sql = world.database.sql) => {
  const { workspaceId } = world
  await sql`
    with conversation as (
      insert into conversations (workspace_id, channel_id, customer_id, handle)
      select ${workspaceId}, id, ${customerId}, '+4915200000000' from channels where workspace_id = ${workspaceId} limit 1
      on conflict (workspace_id, channel_id, customer_id) do update set handle = excluded.handle
      returning id, channel_id
    ), message as (
      insert into messages (workspace_id, channel_id, conversation_id, customer_id, direction, text, status)
      select ${workspaceId}, channel_id, id, ${customerId}, 'inbound', ${text}, 'received' from conversation
      returning workspace_id, customer_id, id as message_id
    ), ${wakeRunsByReplies(sql, sql`message`)}
    select 1`
}

/** Makes the runs due and their timeouts expire. */
const due = (...ids: string[]) => world.database.sql`
  update workflow_runs set wake_at = now(), wait_until = now() where id = any(${ids}::uuid[])`

test('an arrival between the start of the run and its wait counts once', async () => {
  await workflow({
    trigger: { eventType: 'early' },
    start: 'pause',
    steps: {
      pause: delay('first'),
      first: wait({ event: 'early.paid', next: 'second' }),
      second: wait({ event: 'early.paid', next: 'done' }),
      done: say('done'),
    },
  })
  const customer = phone()
  await event('early.paid', customer)
  const id = await parked('early', customer)
  await event('early.paid', customer)
  await due(id)
  const second = await run(id, ({ stepId, status }) => stepId === 'second' && status === 'waiting')
  expect(outcomes(second)).toEqual(['pause: waiting', 'first: waiting', 'first: event', 'second: waiting'])
  await event('early.paid', customer)
  expect(outcomes(await run(id, ended)).slice(4)).toEqual(['second: event', 'done: queued'])
})

test('no arrival is skipped among many, even if the timeout expires before they are checked', async () => {
  await workflow(waiting('crowded'))
  const customer = phone()
  const id = await parked('crowded', customer, { cartId: 7 })
  const { sql } = world.database
  await sql`update workflow_runs set claimed_until = now() + interval '1 hour' where id = ${id}`
  const events = Array.from({ length: 130 }, (_, index) => ({
    type: 'crowded.paid',
    phone: customer,
    data: { cartId: index === 110 ? 7 : 0, total: index },
  }))
  await world.expect(200, 'POST', '/v1/events/batch', { as: 'key', body: { events } })
  // Deletes most wake rows, so that the run has some arrivals that woke it and others that did not.
  await sql`delete from run_arrivals where run_id = ${id} and arrival_id in (
    select arrival_id from run_arrivals where run_id = ${id} order by arrival_id offset 20)`
  await sql`update workflow_runs set claimed_until = null, wake_at = now(), wait_until = clock_timestamp() where id = ${id}`
  expect(outcomes(await run(id, ended))).toEqual(['wait: waiting', 'wait: event', 'paid: queued'])
})

test('an event in exitOn or an opt-out ends the run at any step, and other runs continue', async () => {
  const leaving = (eventType: string, exit: object) => ({
    trigger: { eventType },
    exitOn: [exit],
    start: 'wait',
    steps: { wait: delay('say'), say: say('still there?') },
  })
  await workflow(leaving('leave', { event: 'left', match, reason: 'gone' }))
  await workflow(leaving('goodbye', { optOut: true }))
  const customer = phone()
  const [gone, stays] = [await parked('leave', customer, { cartId: 1 }), await parked('leave', customer, { cartId: 2 })]
  const optsOut = await parked('goodbye', customer)
  await event('left', customer, { cartId: 1 })
  expect(await run(gone, ended)).toMatchObject({ status: 'done', endReason: 'exit_condition', endDetail: 'gone' })
  const { customerId } = await run(stays)
  await world.expect(200, 'POST', `/v1/customers/${customerId}/opt-out`, { body: { reason: 'STOP' } })
  expect(await run(optsOut, ended)).toMatchObject({ status: 'done', endReason: 'opted_out' })
  expect(await run(stays)).toMatchObject({ status: 'waiting', endReason: null })
  await due(stays)
  const done = await run(stays, ended)
  expect(done.steps.at(-1)).toMatchObject({ outcome: 'skipped', detail: { reason: 'opted_out' } })
})

test('exactly one of a concurrent event and timeout ends the wait', async () => {
  await workflow(waiting('race'))
  const customers = Array.from({ length: 12 }, () => phone())
  const ids: string[] = []
  for (const customer of customers) ids.push(await parked('race', customer, { cartId: 1 }))
  await Promise.all([...customers.map(customer => event('race.paid', customer, { cartId: 1, total: 5 })), due(...ids)])
  for (const id of ids) {
    const steps = outcomes(await run(id, ended))
    expect([
      ['wait: waiting', 'wait: event', 'paid: queued'],
      ['wait: waiting', 'wait: timeout', 'late: queued'],
    ]).toContainEqual(steps)
  }
})

test('an early arrival is found among any number of other events and messages', async () => {
  const any = [
    { event: 'hidden.paid', next: null },
    { reply: { in: ['yes'] }, next: null },
  ]
  await workflow({
    trigger: { eventType: 'hidden' },
    start: 'sleep',
    steps: { sleep: delay('wait'), wait: { type: 'wait_for', timeout: '1s', onTimeout: null, any } },
  })
  const { sql } = world.database
  for (const kind of ['event', 'reply']) {
    const customer = phone()
    const id = await parked('hidden', customer)
    const { customerId } = await run(id)
    if (kind === 'event') {
      await event('hidden.paid', customer)
      for (let batch = 0; batch < 2; batch++)
        await world.expect(200, 'POST', '/v1/events/batch', {
          as: 'key',
          body: { events: Array.from({ length: 300 }, () => ({ type: 'page.viewed', phone: customer })) },
        })
    } else {
      await reply(customerId, 'yes')
      await sql`
        insert into messages (workspace_id, channel_id, conversation_id, customer_id, direction, text, status, created_at)
        select workspace_id, channel_id, id, customer_id, 'outbound', 'page', 'sent', now()
        from conversations, generate_series(1, 600) where customer_id = ${customerId}`
    }
    await sql`update workflow_runs set wake_at = now(), wait_until = now() where id = ${id}`
    expect(outcomes(await run(id, ended))).toContain(`wait: ${kind}`)
  }
})

test('an ended run waits for nothing', async () => {
  const [row] = await world.database.sql`
    select count(*)::integer as rows from (
      select run_id from run_waits union all select run_id from run_arrivals union all select run_id from run_rechecks) left_over
    join workflow_runs r on r.id = left_over.run_id where r.status <> 'active'`
  expect(row!.rows).toBe(0)
})
