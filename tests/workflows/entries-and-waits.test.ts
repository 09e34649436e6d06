/** Tests through the API what starts a run, what ends its waits and the run, and publishing under a race. */
import { beforeAll, expect, test } from 'bun:test'
import { EventWriter } from '../../src/events/index.ts'
import { wakeRunsByReplies } from '../../src/queue/waits/index.ts'
import { eventWith } from '../events/books.ts'
import { openTransaction } from '../support/database.ts'
import { ended, outcomes, play } from '../support/workflows.ts'
import { eventually, useWorld } from '../support/world.ts'

const world = useWorld()
const { workflow, event, run, start, parked, phone } = play(() => world)
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
  await workflow(definition('rush', { reentry: 'not_while_active' }))
  const { sql } = world.database
  const { workspaceId } = world
  const writers = [0, 1].map(() => new EventWriter({ sql, onBatch: () => {}, onRunsStarted: () => {} }))
  for (let round = 0; round < 10; round++) {
    const customer = phone()
    // The customer exists before, so that the events do not wait for each other's enrolment.
    await event('unheard', customer)
    const written = writers.map(writer => writer.add(eventWith({ workspaceId, type: 'rush', phone: customer })))
    const alone = await Promise.all(Array.from({ length: 4 }, () => event('rush', customer)))
    const { data } = await world.expect(200, 'POST', '/v1/events/batch', {
      as: 'key',
      body: { events: Array.from({ length: 4 }, () => ({ type: 'rush', phone: customer })) },
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

const template = {
  name: 'Hello',
  category: 'utility',
  body: 'Hello {{name}}',
  variables: [{ name: 'name', sample: 'Ana' }],
}

test('rejects the later one of publishing a workflow and removing its template', async () => {
  const { sql } = world.database
  const { id: templateId } = await world.expect(201, 'POST', '/v1/templates', { body: template })
  const definition = {
    trigger: { eventType: 'named' },
    start: 'say',
    steps: { say: { type: 'send_template', templateId, variables: { name: 'x' }, next: null } },
  }
  const { id } = await world.expect(201, 'POST', '/v1/workflows', { body: { name: 'Named', definition } })
  await world.expect(200, 'PATCH', `/v1/workflows/${id}`, { body: { enabled: true } })
  const commit = await openTransaction(sql, async tx => {
    await tx`select 1 from workspaces where id = ${world.workspaceId} for no key update`
    await tx`delete from templates where id = ${templateId}`
  })
  const published = world.call('POST', `/v1/workflows/${id}/publish`)
  await eventually('it waits for the removal of the template', async () => {
    const [row] = await sql`select count(*)::integer as waiting from pg_locks where not granted`
    return row!.waiting > 0
  })
  await commit()
  const { status, body } = await published
  expect([status, Object.keys(body.error.details)]).toEqual([400, ['definition.steps.say.templateId']])
})

test('an event for a switched-off workflow reports since when it is off and who switched it off', async () => {
  const id = await workflow(
    { trigger: { eventType: 'quiet' }, start: 'say', steps: { say: { type: 'exit', reason: 'x' } } },
    'Quiet',
  )
  await world.expect(200, 'PATCH', `/v1/workflows/${id}`, { body: { enabled: false } })
  const session = await world.expect(200, 'GET', '/v1/auth/session')
  // Switching it off a second time changes nothing.
  const { updatedAt } = await world.expect(200, 'PATCH', `/v1/workflows/${id}`, { body: { enabled: false } })
  const { outcomes, event: recorded } = await event('quiet', phone())
  const [{ verdict, detail, explanation }] = outcomes
  expect([verdict, detail.by]).toEqual(['switched_off', session.user.id])
  expect(detail.since < updatedAt).toBe(true)
  expect(explanation).toBe(`“Quiet” listens for quiet but is switched off since ${detail.since}.`)
  const { data } = await world.expect(200, 'GET', '/v1/activity/events?type=quiet')
  expect(data[0]).toMatchObject({ id: recorded.id, reason: 'switched_off', explanation })
})
