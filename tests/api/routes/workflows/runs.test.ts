import { beforeAll, expect, test } from 'bun:test'
import { ended, outcomes, play } from '../../../support/workflows.ts'
import { eventually, useWorld } from '../../../support/world.ts'

const world = useWorld()
const { workflow, event, run, start, parked, phone } = play(() => world)
let channelId: string
beforeAll(async () => {
  channelId = await world.sandbox()
})

const waits = (eventType: string) => ({
  trigger: { eventType },
  exitOn: [{ event: `${eventType}.paid` }],
  start: 'wait',
  steps: { wait: { type: 'delay', for: '2d', next: 'say' }, say: { type: 'send_message', text: 'Hello', next: null } },
})

const messagesOf = async (customerId: string): Promise<Record<string, string>[]> =>
  (await world.expect(200, 'GET', `/v1/messages?customerId=${customerId}`)).data

test('a run is read by its id or in a list, and takes no further steps once stopped', async () => {
  const workflowId = await workflow(waits('stop'))
  const customer = phone()
  const id = await parked('stop', customer)
  const { data } = await world.expect(200, 'GET', `/v1/workflows/${workflowId}/runs`)
  const found = await run(id)
  expect(data).toEqual([found])
  expect(found).toMatchObject({ id, workflowId, version: 1, status: 'waiting', stepId: 'wait', endReason: null })
  const stopped = await world.expect(200, 'POST', `/v1/runs/${id}/stop`)
  const end = { status: 'stopped', endReason: 'stopped', wakeAt: null, endedAt: expect.any(String) }
  expect(stopped).toMatchObject(end)
  expect(await world.expect(422, 'POST', `/v1/runs/${id}/stop`)).toMatchObject({ error: { code: 'unprocessable' } })
  await event('stop.paid', customer)
  expect(await run(id)).toEqual(stopped)
  const [left] = await world.database.sql`select count(*)::integer as waits from run_waits where run_id = ${id}`
  expect(left!.waits).toBe(0)
})

test('a run that is executing is stopped, and the result of that execution is not written', async () => {
  await workflow(waits('executing'))
  const id = await parked('executing', phone())
  await world.database.sql`
    update workflow_runs set wake_at = now(), claimed_until = now() + interval '1 minute', attempts = 1 where id = ${id}`
  expect(await world.expect(200, 'POST', `/v1/runs/${id}/stop`)).toMatchObject({ status: 'stopped' })
  expect(outcomes(await run(id))).toEqual(['wait: waiting'])
})

test('the steps of a run set attributes within their limits, and are skipped beyond', async () => {
  const set = (values: object, next: string | null) => ({ type: 'set_attribute', set: values, next })
  await workflow({
    trigger: { eventType: 'attributes' },
    start: 'one',
    steps: {
      one: set({ city: '{{data.city}}', old: null }, 'two'),
      two: set({ note: '{{data.long}}' }, 'three'),
      three: set({ last: 'yes' }, null),
    },
  })
  const customer = phone()
  const { event: recorded } = await event('unheard', customer)
  const path = `/v1/customers/${recorded.customerId}`
  const attributesNow = async () => (await world.expect(200, 'GET', path)).attributes
  const many = Object.fromEntries(Array.from({ length: 46 }, (_, n) => [`a${n}`, n]))
  await world.expect(200, 'PATCH', path, { body: { attributes: { old: 1, kept: 2, ...many } } })
  const id = await start('attributes', customer, { city: 'Berlin', long: 'x' })
  expect((await run(id, ended)).status).toBe('done')
  const attributes = await attributesNow()
  expect(attributes).toEqual({ ...many, city: 'Berlin', kept: 2, note: 'x', last: 'yes' })
  expect(Object.keys(attributes)).toHaveLength(50)
  await workflow({ trigger: { eventType: 'one more' }, start: 'one', steps: { one: set({ oneMore: '1' }, null) } })
  const more = await run(await start('one more', customer), ended)
  expect(more.steps[0]).toMatchObject({ outcome: 'skipped', detail: { reason: 'attributes_full' } })
  expect(await attributesNow()).toEqual(attributes)
})

test('two hundred waiting runs are resumed together by as many events', async () => {
  const id = await workflow(waits('many'))
  const customers = Array.from({ length: 200 }, phone)
  const record = (type: string) => {
    const events = customers.map(phone => ({ type, phone }))
    return world.expect(200, 'POST', '/v1/events/batch', { as: 'key', body: { events } })
  }
  const all = (state: 'waiting' | 'exit_condition') =>
    eventually(`all are ${state}`, async () => {
      const runs = await world.database.sql`
        select from workflow_runs where workflow_id = ${id} and (waiting and ${state} = 'waiting' or end_reason = ${state})`
      return runs.length === 200
    })
  await record('many')
  await all('waiting')
  await record('many.paid')
  await all('exit_condition')
})

const emitted = (customerId: string, type: string) =>
  eventually(`${type} is emitted`, async () => {
    const rows = await world.database.sql<{ data: Record<string, string | null> }[]>`
      select data from outbound_events where type = ${type} and data ->> 'customerId' = ${customerId} order by id`
    return rows.length > 0 && rows.map(({ data }) => data)
  })

test('the outbound events of a run name the message, the customer, the event and the run', async () => {
  await workflow({
    trigger: { eventType: 'told' },
    start: 'ask',
    steps: {
      ask: { type: 'send_message', text: 'Shall we send it?', next: 'wait' },
      wait: { type: 'wait_for', timeout: '1h', onTimeout: null, any: [{ reply: {}, next: 'thank' }] },
      thank: { type: 'send_message', text: 'Thank you', next: 'sold' },
      sold: { type: 'mark_sale', amount: '{{data.total}}', currency: 'EUR', note: 'cart', next: null },
    },
  })
  const from = phone()
  const id = await parked('told', from, { total: '12.50' })
  const { customerId, eventId } = await run(id)
  const [asked] = await messagesOf(customerId)
  expect(await emitted(customerId, 'message.status')).toMatchObject([
    { status: 'delivered', messageId: asked!.id, customerId, eventId },
  ])
  const path = `/v1/channels/${channelId}/sandbox/messages`
  const reply = await world.expect(201, 'POST', path, { body: { from, text: 'yes' } })
  await run(id, ended)
  const { data: sales } = await world.expect(200, 'GET', `/v1/sales?customerId=${customerId}`)
  expect(sales).toMatchObject([{ amount: 12.5, currency: 'EUR', note: 'cart' }])
  const thanked = (await messagesOf(customerId)).find(({ text }) => text === 'Thank you')!
  expect(await emitted(customerId, 'sale.created')).toMatchObject([{ messageId: thanked.id, runId: id }])
  await world.expect(201, 'POST', path, { body: { from, text: 'and another thing' } })
  const received = await eventually('both are emitted', async () => {
    const all = await emitted(customerId, 'message.received')
    return all.length === 2 && all
  })
  expect(received).toMatchObject([
    { messageId: reply.id ?? reply.messageId, runId: id },
    { text: 'and another thing', runId: null },
  ])
  // Actions of a person have no event and no run.
  const conversation = `/v1/conversations/${thanked.conversationId}`
  const message = await world.expect(201, 'POST', `${conversation}/messages`, { body: { text: 'Hello' } })
  await world.expect(201, 'POST', `${conversation}/sale`, { body: { amount: 1, currency: 'EUR' } })
  expect((await emitted(customerId, 'sale.created')).at(-1)).toMatchObject({ messageId: null, runId: null })
  await eventually('the status is emitted', async () => {
    const last = (await emitted(customerId, 'message.status')).at(-1)!
    return last.messageId === message.id && last.eventId === null
  })
})
