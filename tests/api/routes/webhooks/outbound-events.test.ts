import { describe, expect, test } from 'bun:test'
import { transaction } from '../../../../src/platform/postgres/client.ts'
import { fanOut } from '../../../../src/webhooks/deliveries/index.ts'
import { type OutboundEventType, outboundEvents } from '../../../../src/webhooks/outbound-events/index.ts'
import { tell } from '../../../support/outbox.ts'
import { type ReceivedRequest, startReceiver } from '../../../support/receiver.ts'
import { use } from '../../../support/use.ts'
import { eventually, useWorld } from '../../../support/world.ts'

const receiver = use(startReceiver)
const world = useWorld(() => ({ WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target }))

type Headers = Record<string, string>

const create = (as: Headers, more: Record<string, unknown> = {}) =>
  world.expect(201, 'POST', '/v1/webhooks', { as, body: { url: receiver.url, events: ['sale.created'], ...more } })
const workspaceOf = async (as: Headers): Promise<string> =>
  (await world.expect(200, 'GET', '/v1/auth/session', { as })).workspace.id

/** Emits an event. Resolves to its id after the fan-out. */
const emit = async (
  workspaceId: string,
  type: OutboundEventType = 'sale.created',
  data: Record<string, unknown> = {},
): Promise<string> => {
  const { sql } = world.database
  const [id] = await tell(sql, workspaceId, type, { data })
  await eventually('it is fanned out', async () => {
    const [event] = await sql`select 1 from outbound_events where id = ${id!} and fanned_out_at is not null`
    return event !== undefined
  })
  return id!
}
const destinations = async (as: Headers, id: string) => {
  const event = await world.expect(200, 'GET', `/v1/outbound-events/${id}`, { as })
  return Object.fromEntries(
    event.destinations.map((to: Record<string, string>) => [to.webhookId, to.reason ?? (to.deliveryId ? 'sent' : '?')]),
  )
}

describe('an outbound event', () => {
  test('shows its destinations, and why others were skipped, as of the fan-out', async () => {
    const as = await world.otherOwner()
    const workspaceId = await workspaceOf(as)
    const subscribed = await create(as)
    const both = await create(as, { events: ['message.status', 'sale.created'] })
    const elsewhere = await create(as, { events: ['message.status'] })
    const off = await create(as)
    const gone = await create(as)
    const change = ({ id }: { id: string }, body: object) =>
      world.expect(200, 'PATCH', `/v1/webhooks/${id}`, { as, body })
    await change(off, { enabled: false })
    await world.expect(204, 'DELETE', `/v1/webhooks/${gone.id}`, { as })
    const id = await emit(workspaceId)
    const later = await create(as)

    const then = {
      [subscribed.id]: 'sent',
      [both.id]: 'sent',
      [elsewhere.id]: 'not_subscribed',
      [off.id]: 'disabled',
      [gone.id]: 'deleted',
      [later.id]: 'created_later',
    }
    expect(await destinations(as, id)).toEqual(then)

    // Later changes to the endpoints do not change the destinations.
    await change(subscribed, { events: ['message.received'] })
    await change(both, { enabled: false })
    await change(elsewhere, { events: ['sale.created'] })
    await change(off, { enabled: true })
    expect(await destinations(as, id)).toEqual(then)
    for (const { id } of [subscribed, elsewhere, later]) await world.expect(204, 'DELETE', `/v1/webhooks/${id}`, { as })
    const { [later.id]: _, ...lasting } = then
    expect(await destinations(as, id)).toEqual(lasting)
  })

  test('is returned with its data and the delivery of each endpoint, and agents see only the host', async () => {
    const as = await world.otherOwner()
    const workspaceId = await workspaceOf(as)
    const { id: webhookId, url } = await create(as)
    const id = await emit(workspaceId, 'sale.created', { amount: 99.125, note: 'grüße' })
    const read = () => world.expect(200, 'GET', `/v1/outbound-events/${id}`, { as })
    const event = await eventually('it is delivered', async () => {
      const found = await read()
      // The destinations are read after the status.
      return found.status === 'delivered' && found
    })
    const { data } = await world.expect(200, 'GET', `/v1/webhooks/${webhookId}/deliveries`, { as })
    expect(event).toEqual({
      id,
      type: 'sale.created',
      createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      fannedOutAt: expect.stringMatching(/Z$/),
      data: { ...outboundEvents['sale.created'].example, amount: 99.125, note: 'grüße' },
      sentTo: 1,
      webhookIds: [webhookId],
      deliveries: [{ webhookId, status: 'delivered' }],
      passedOver: 0,
      status: 'delivered',
      destinations: [{ webhookId, url, deliveryId: data[0].id, status: 'delivered', reason: null }],
    })
    expect(data[0].eventId).toBe(id)
    // The path can be a secret.
    await world.database.sql`update members set role = 'agent' where workspace_id = ${workspaceId}`
    expect((await read()).destinations[0].url).toBe(`http://${receiver.target}`)
  })

  test('from a ping is sent to one endpoint, whatever it subscribes to', async () => {
    const as = await world.otherOwner()
    const [one, other, gone] = [await create(as, { events: ['message.status'] }), await create(as), await create(as)]
    await world.expect(204, 'DELETE', `/v1/webhooks/${gone.id}`, { as })
    const pinged = await world.expect(202, 'POST', `/v1/webhooks/${one.id}/test`, { as })
    expect(pinged).toMatchObject({ eventType: 'ping', status: 'pending', attempts: 0 })
    const later = await create(as)
    expect(await destinations(as, pinged.eventId)).toEqual({
      [one.id]: 'sent',
      [other.id]: 'other_endpoint',
      [gone.id]: 'deleted',
      [later.id]: 'created_later',
    })
    const isIt = ({ headers }: ReceivedRequest) => headers['x-service-delivery'] === pinged.id
    const requests = await receiver.waitFor(({ requests }) => requests.some(isIt))
    expect(JSON.parse(requests.find(isIt)!.body)).toMatchObject({ type: 'ping', data: { webhookId: one.id } })
  })

  test('shows a dropped delivery when its endpoint was deleted before', async () => {
    const { sql } = world.database
    const as = await world.otherOwner()
    const { id: webhookId, url } = await create(as)
    await world.expect(200, 'PATCH', `/v1/webhooks/${webhookId}`, { as, body: { enabled: false } })
    const { id: deliveryId, eventId } = await world.expect(202, 'POST', `/v1/webhooks/${webhookId}/test`, { as })
    const expectDropped = async () => {
      const { destinations, deliveries, status } = await world.expect(200, 'GET', `/v1/outbound-events/${eventId}`, {
        as,
      })
      expect(deliveries).toEqual([{ webhookId, status: 'dropped' }])
      expect(destinations).toEqual([{ webhookId, url, deliveryId, status: 'dropped', reason: null }])
      expect(status).toBe('none')
    }
    await transaction(sql, async tx => {
      await tx`select 1 from deliveries where webhook_id = ${webhookId} for update`
      await world.expect(204, 'DELETE', `/v1/webhooks/${webhookId}`, { as })
      // A task drops the delivery after the lock.
      await expectDropped()
    })
    await eventually('it is dropped', async () => {
      const [delivery] = await sql`select status, due_at from deliveries where webhook_id = ${webhookId}`
      return delivery!.status === 'dropped' && delivery!.due_at === null
    })
    await expectDropped()
  })
})

test('the list shows the worst status of the deliveries, and is filtered by endpoint and status', async () => {
  const { sql } = world.database
  const as = await world.otherOwner()
  const workspaceId = await workspaceOf(as)
  const [one, other] = [await create(as), await create(as)]
  for (const { id } of [one, other]) await world.expect(200, 'POST', `/v1/webhooks/${id}/hold`, { as })
  const id = await emit(workspaceId)
  const onlyOther = await world.expect(202, 'POST', `/v1/webhooks/${other.id}/test`, { as })
  const listed = async (query = '') => (await world.expect(200, 'GET', `/v1/outbound-events${query}`, { as })).data
  const idOf = (event: { id: string }) => event.id
  const isIt = (event: { id: string }) => event.id === id
  const idsOf = async (query: string) => (await listed(query)).map(idOf)
  const settle = (webhookId: string, status: string) =>
    sql`update deliveries set status = ${status}, due_at = null where webhook_id = ${webhookId} and event_id = ${id}`
  const cases = [
    ['pending', 'pending', 'waiting'],
    ['delivered', 'retrying', 'retrying'],
    ['pending', 'retrying', 'retrying'],
    ['delivered', 'delivered', 'delivered'],
    ['failed', 'pending', 'failed'],
    ['dropped', 'dropped', 'none'],
    ['dropped', 'failed', 'failed'],
  ] as const
  for (const [first, second, status] of cases) {
    await settle(one.id, first)
    await settle(other.id, second)
    const deliveries = [
      { webhookId: one.id, status: first },
      { webhookId: other.id, status: second },
    ]
    expect((await listed()).find(isIt)).toMatchObject({ sentTo: 2, status, deliveries })
    for (const one of ['failed', 'retrying', 'waiting', 'delivered', 'none'])
      expect((await listed(`?status=${one}&type=sale.created`)).map(idOf)).toEqual(one === status ? [id] : [])
  }
  // The newest delivery to an endpoint counts.
  const later = await create(as)
  for (const webhookId of [other.id, later.id])
    await world.expect(202, 'POST', `/v1/outbound-events/${id}/send`, { as, body: { webhookId } })
  await settle(later.id, 'delivered')
  expect((await listed()).find(isIt)).toMatchObject({
    status: 'waiting',
    webhookIds: [one.id, other.id],
    deliveries: [
      { webhookId: one.id, status: 'dropped' },
      { webhookId: other.id, status: 'pending' },
      { webhookId: later.id, status: 'delivered' },
    ],
  })

  expect(await idsOf(`?webhookId=${one.id}`)).toEqual([id])
  expect(await idsOf(`?webhookId=${other.id.toUpperCase()}`)).toEqual([onlyOther.eventId, id])
  expect(await idsOf(`?webhookId=${other.id}&type=sale.created&sort=oldest`)).toEqual([id])
  expect(await idsOf('?status=waiting&sort=oldest')).toEqual([id, onlyOther.eventId])
  for (const query of ['webhookId=x', 'status=pending'])
    await world.expect(400, 'GET', `/v1/outbound-events?${query}`, { as })
})

test('the list is newest first, in pages, and filtered by type', async () => {
  const as = await world.otherOwner()
  const workspaceId = await workspaceOf(as)
  await create(as)
  await create(as, { events: ['message.status'] })
  const ids: string[] = []
  const types = ['sale.created', 'message.status', 'sale.created', 'campaign.completed', 'sale.created'] as const
  for (const type of types) ids.unshift(await emit(workspaceId, type))
  const all = await world.expect(200, 'GET', '/v1/outbound-events', { as })
  expect(all.data.map(({ id }: { id: string }) => id)).toEqual(ids)
  expect(all.nextCursor).toBeNull()
  expect(all.data[1]).toEqual({
    id: ids[1],
    type: 'campaign.completed',
    createdAt: expect.any(String),
    fannedOutAt: expect.any(String),
    data: outboundEvents['campaign.completed'].example,
    sentTo: 0,
    webhookIds: [],
    deliveries: [],
    passedOver: 2,
    status: 'none',
  })
  const pages = await world.pages('/v1/outbound-events?type=sale.created&limit=2', { as })
  expect(pages.map(page => page.map(({ id }) => id))).toEqual([[ids[0], ids[2]], [ids[4]]])
})

test('fan-out sends each event of a page once, in the order of the events', async () => {
  const { sql } = world.database
  const as = await world.otherOwner()
  const workspaceId = await workspaceOf(as)
  const disabled = await create(as)
  await world.expect(200, 'PATCH', `/v1/webhooks/${disabled.id}`, { as, body: { enabled: false } })
  const webhooks = [await create(as), await create(as)]
  await tell(sql, workspaceId, 'sale.created', { count: 300 })
  // Runs concurrently with the service's own worker. Each event must be fanned out once.
  await Promise.all(Array.from({ length: 8 }, () => fanOut(sql, 50)))
  await eventually('the outbox is empty', async () => {
    const [left] =
      await sql`select 1 from outbound_events where workspace_id = ${workspaceId} and fanned_out_at is null`
    return left === undefined
  })
  const [kept] = await sql<{ events: number; deliveries: number; right: number; ordered: number }[]>`
    select (select count(*)::integer from outbound_events where workspace_id = ${workspaceId}
        and not_sent_to = jsonb_build_object(${disabled.id}::text, 'disabled')) as events,
      count(*)::integer as deliveries,
      count(*) filter (where e.sent_to ->> d.webhook_id::text = d.id::text)::integer as right,
      count(*) filter (where d.event_id > d.before)::integer as ordered
    from (select *, lag(event_id) over (partition by webhook_id order by id) as before from deliveries
      where workspace_id = ${workspaceId}) d
    join outbound_events e on e.workspace_id = d.workspace_id and e.id = d.event_id`
  expect(kept).toMatchObject({ events: 300, deliveries: 600, right: 600 })
  // A later event can come first only where two fan-outs ran concurrently.
  expect(kept!.ordered).toBeGreaterThan(400)
  for (const { id } of webhooks) await world.expect(204, 'DELETE', `/v1/webhooks/${id}`, { as })
})
