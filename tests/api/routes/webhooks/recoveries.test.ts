/** Tests of recoveries of events that an endpoint has missed. */
import { expect, test } from 'bun:test'
import { tell } from '../../../support/outbox.ts'
import { respond, startReceiver } from '../../../support/receiver.ts'
import { use } from '../../../support/use.ts'
import { eventually, useWorld } from '../../../support/world.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads response bodies of any shape
type Body = any

const receiver = use(startReceiver)
const world = useWorld(() => ({ WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target }))

const types = ['sale.created', 'campaign.completed', 'message.status'] as const
let paths = 0
const create = (more: object = {}): Promise<Body> =>
  world.expect(201, 'POST', '/v1/webhooks', {
    body: { url: `${receiver.url}/${++paths}`, events: ['sale.created', 'campaign.completed'], ...more },
  })
const change = (id: string, body: object) => world.expect(200, 'PATCH', `/v1/webhooks/${id}`, { body })
const remove = (id: string) => world.expect(204, 'DELETE', `/v1/webhooks/${id}`)
const start = (id: string, body: object, status = 202): Promise<Body> =>
  world.expect(status, 'POST', `/v1/webhooks/${id}/recoveries`, { body })
const ended = (id: string, recoveryId: string): Promise<Body> =>
  eventually(
    'the recovery has ended',
    async () => {
      const recovery = await world.expect(200, 'GET', `/v1/webhooks/${id}/recoveries/${recoveryId}`)
      return recovery.status !== 'running' && recovery
    },
    30_000,
  )

/** Emits events of a type and returns their ids after the fan-out. */
const happen = async (type: (typeof types)[number], count = 1, data: object = {}): Promise<string[]> => {
  const { sql } = world.database
  const ids = await tell(sql, world.workspaceId, type, { count, data })
  await eventually('they are fanned out', async () => {
    const [row] = await sql`
      select count(*)::integer as count from outbound_events where id = any(${ids}::uuid[]) and fanned_out_at is null`
    return row!.count === 0
  })
  return ids
}
/** Returns the ids of the events with a delivery to the endpoint, with repetitions. */
const delivered = async (id: string): Promise<string[]> => {
  const rows = await world.database.sql`select event_id as id from deliveries where webhook_id = ${id}`
  return rows.map(row => row.id).sort()
}
const since = '2020-01-01T00:00:00Z'

test('sends exactly the events that were missed: while it was disabled, did not exist or did not subscribe', async () => {
  receiver.behave(respond())
  const before = await happen('sale.created', 2)
  const { id } = await create()
  const sent = await happen('sale.created')
  await change(id, { enabled: false })
  const off = await happen('campaign.completed', 3)
  await change(id, { enabled: true, events: ['campaign.completed'] })
  const unsubscribed = await happen('sale.created')
  await happen('message.status')
  await change(id, { events: ['sale.created', 'campaign.completed'] })

  const preview = await start(id, { since, of: 'missing', preview: true }, 200)
  expect(preview).toEqual({
    deliveries: 6,
    byType: [
      { type: 'campaign.completed', deliveries: 3 },
      { type: 'sale.created', deliveries: 3 },
    ],
    estimatedSeconds: 1,
  })
  const sales = { since, of: 'missing', events: ['sale.created'] }
  expect((await start(id, { ...sales, preview: true }, 200)).deliveries).toBe(3)
  expect(await delivered(id)).toEqual(sent)

  const recovery = await start(id, sales)
  expect(recovery).toMatchObject({ of: 'missing', events: ['sale.created'], total: 3, status: 'running' })
  expect(await ended(id, recovery.id)).toMatchObject({ status: 'completed', done: 3 })
  expect(await delivered(id)).toEqual([...sent, ...before, ...unsubscribed].sort())
  await ended(id, (await start(id, { since, of: 'missing' })).id)
  expect(await delivered(id)).toEqual([...sent, ...before, ...unsubscribed, ...off].sort())
  expect((await start(id, { since, of: 'missing', preview: true }, 200)).deliveries).toBe(0)
  await remove(id)
})

test('leaves out events that the filter rejected then or rejects now', async () => {
  receiver.behave(respond())
  const filter = { path: 'data.currency', op: 'eq', value: 'EUR' }
  const from = new Date().toISOString()
  const { id } = await create({ filter, events: ['sale.created'] })
  await happen('sale.created', 1, { currency: 'USD' })
  await change(id, { enabled: false })
  const accepted = await happen('sale.created', 2, { currency: 'EUR' })
  await happen('sale.created', 2, { currency: 'USD' })
  await change(id, { enabled: true })
  const recovery = await start(id, { since: from, of: 'missing' })
  expect(recovery.total).toBe(2)
  await ended(id, recovery.id)
  expect(await delivered(id)).toEqual(accepted.sort())
  await change(id, { filter: null })
  expect((await start(id, { since: from, of: 'missing', preview: true }, 200)).deliveries).toBe(2)
  await remove(id)
})

test('retries failed deliveries, then sends missed events, within the rate and after a restart', async () => {
  const from = new Date().toISOString()
  const { id } = await create({ enabled: false, ratePerSecond: 4, events: ['sale.created'] })
  const missed = await happen('sale.created', 6)
  await change(id, { enabled: true })
  receiver.behave(respond(500))
  const [failed] = await happen('sale.created')
  await eventually('it was attempted', async () => {
    const [row] = await world.database.sql`select attempts from deliveries where webhook_id = ${id}`
    return row!.attempts > 0
  })
  receiver.behave(respond())
  await world.expect(200, 'POST', `/v1/webhooks/${id}/hold`)
  expect(await start(id, { since: from, of: 'all', preview: true }, 200)).toMatchObject({
    deliveries: 7,
    estimatedSeconds: 2,
  })
  const recovery = await start(id, { since: from, of: 'all' })
  expect(recovery).toMatchObject({ of: 'all', events: null, total: 7, done: 0 })
  expect(await delivered(id)).toEqual([failed!])
  await world.expect(200, 'POST', `/v1/webhooks/${id}/release`)
  await eventually('the first missed ones are created', async () => (await delivered(id)).length > 1)
  await world.restart()
  expect(await ended(id, recovery.id)).toMatchObject({ status: 'completed', done: 7 })
  expect(await delivered(id)).toEqual([failed!, ...missed].sort())
  await remove(id)
})

test('checks a page each second only and writes nothing, while its deliveries make no progress for long', async () => {
  const { sql } = world.database
  const from = new Date().toISOString()
  const { id } = await create({ enabled: false, events: ['sale.created'] })
  const [missed] = await happen('sale.created')
  await change(id, { enabled: true })
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  receiver.behave((socket, request) => void answered.then(() => respond()(socket, request)))
  const recovery = await start(id, { since: from, of: 'missing' })
  await eventually('its delivery is attempted', async () => (await delivered(id)).length === 1)
  const readRow = async () => (await sql`select xmin from webhook_recoveries where id = ${recovery.id}`)[0]!.xmin
  const nextCheck = (after: Date) =>
    eventually('the next check is a second away', async () => {
      const [job] = await sql`
        select run_at from graphile_worker.jobs
        where key = ${`recover:${id}`} and run_at > ${after} and run_at > now() + interval '500 milliseconds'`
      return job?.run_at as Date | undefined
    })
  await sql`update webhook_recoveries set page_at = page_at - interval '1 minute' where id = ${recovery.id}`
  const row = await readRow()
  await nextCheck((await nextCheck(new Date()))!)
  expect(await readRow()).toBe(row)
  receiver.behave(respond())
  answer()
  expect(await ended(id, recovery.id)).toMatchObject({ status: 'completed', done: 1 })
  expect(await delivered(id)).toEqual([missed!])
  await remove(id)
})

test('counts 99,999 missed events without those sent again, and rejects a range with more than 100,000', async () => {
  const { id } = await create({ events: ['message.status'] })
  const [from, until] = ['2021-01-01T00:00:00Z', '2021-01-02T00:00:00Z']
  const insert = (count: number) => world.database.sql`
    insert into outbound_events (workspace_id, id, type, data, created_at, fanned_out_at)
    select ${world.workspaceId}::uuid, uuidv7(${from}::timestamptz - now() + n * interval '1 millisecond'), 'message.status',
      jsonb_build_object('order', jsonb_build_object('total', n % 4), 'text', repeat('Hello there ', 30)), ${from}::timestamptz, now()
    from generate_series(1, ${count}::integer) n`
  await insert(99_999)
  const preview = { since: from, until, of: 'missing', preview: true }
  const startedAt = performance.now()
  expect(await start(id, preview, 200)).toMatchObject({ deliveries: 99_999, estimatedSeconds: 200 })
  console.info(`counted in ${Math.round(performance.now() - startedAt)} ms`)
  const total = { path: 'data.order.total', op: 'lt', value: 3 }
  await change(id, { filter: { all: [total, { not: { path: 'data.coupon', op: 'exists' } }] } })
  expect((await start(id, preview, 200)).deliveries).toBe(74_999)
  await change(id, { filter: null })
  // Three of them were sent again, one to this endpoint.
  await world.database.sql`
    insert into deliveries (workspace_id, webhook_id, event_id, status, resent)
    select workspace_id, case when n = 2 then ${id}::uuid else uuidv7() end, id, 'delivered', true
    from (select workspace_id, id, row_number() over (order by id) as n from outbound_events where id < uuidv7('-1 year')) e
    where n < 4`
  expect((await start(id, preview, 200)).deliveries).toBe(99_998)
  await insert(3)
  expect((await start(id, preview, 422)).error.code).toBe('unprocessable')
  await remove(id)
}, 60_000)
