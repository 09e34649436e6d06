import { describe, expect, test } from 'bun:test'
import { transaction } from '../../../../src/platform/postgres/client.ts'
import { fanOut } from '../../../../src/webhooks/deliveries/index.ts'
import { type OutboundEventType, outboundEvents } from '../../../../src/webhooks/outbound-events/index.ts'
import { tell as tellAs } from '../../../support/outbox.ts'
import { startReceiver } from '../../../support/receiver.ts'
import { use } from '../../../support/use.ts'
import { eventually, useWorld } from '../../../support/world.ts'

const receiver = use(startReceiver)
const world = useWorld(() => ({ WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target }))

type Owner = Record<string, string>

const create = (as: Owner, more: Record<string, unknown> = {}) =>
  world.expect(201, 'POST', '/v1/webhooks', { as, body: { url: receiver.url, events: ['sale.created'], ...more } })
const workspaceOf = async (as: Owner): Promise<string> =>
  (await world.expect(200, 'GET', '/v1/auth/session', { as })).workspace.id

/** Emits an event. Resolves to its id after the fan-out. */
const tell = async (
  workspaceId: string,
  type: OutboundEventType = 'sale.created',
  data: Record<string, unknown> = {},
): Promise<string> => {
  const { sql } = world.database
  const [id] = await tellAs(sql, workspaceId, type, { data })
  await eventually('it is fanned out', async () => {
    const [event] = await sql`select 1 from outbound_events where id = ${id!} and fanned_out_at is not null`
    return event !== undefined
  })
  return id!
}
const destinations = async (as: Owner, id: string) => {
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
    await world.expect(200, 'PATCH', `/v1/webhooks/${off.id}`, { as, body: { enabled: false } })
    await world.expect(204, 'DELETE', `/v1/webhooks/${gone.id}`, { as })
    const id = await tell(workspaceId)
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
    await world.expect(200, 'PATCH', `/v1/webhooks/${subscribed.id}`, { as, body: { events: ['message.received'] } })
    await world.expect(200, 'PATCH', `/v1/webhooks/${both.id}`, { as, body: { enabled: false } })
    await world.expect(200, 'PATCH', `/v1/webhooks/${elsewhere.id}`, { as, body: { events: ['sale.created'] } })
    await world.expect(200, 'PATCH', `/v1/webhooks/${off.id}`, { as, body: { enabled: true } })
    expect(await destinations(as, id)).toEqual(then)
    await world.expect(204, 'DELETE', `/v1/webhooks/${subscribed.id}`, { as })
    await world.expect(204, 'DELETE', `/v1/webhooks/${elsewhere.id}`, { as })
    await world.expect(204, 'DELETE', `/v1/webhooks/${later.id}`, { as })
    const { [later.id]: _, ...lasting } = then
    expect(await destinations(as, id)).toEqual(lasting)
  })

  test('is returned with its data and the delivery of each endpoint', async () => {
    const as = await world.otherOwner()
    const { id: webhookId, url } = await create(as)
    const id = await tell(await workspaceOf(as), 'sale.created', { amount: 99.125, note: 'grüße' })
    const event = await eventually('it is delivered', async () => {
      const read = await world.expect(200, 'GET', `/v1/outbound-events/${id}`, { as })
      return read.destinations[0]?.status === 'delivered' && read
    })
    const { data } = await world.expect(200, 'GET', `/v1/webhooks/${webhookId}/deliveries`, { as })
    expect(event).toEqual({
      id,
      type: 'sale.created',
      createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      fannedOutAt: expect.stringMatching(/Z$/),
      data: { ...outboundEvents['sale.created'].example, amount: 99.125, note: 'grüße' },
      sentTo: 1,
      passedOver: 0,
      destinations: [{ webhookId, url, deliveryId: data[0].id, status: 'delivered', reason: null }],
    })
    expect(data[0].eventId).toBe(id)
  })

  test('from a ping is sent to one endpoint', async () => {
    const as = await world.otherOwner()
    const [one, other, gone] = [await create(as), await create(as), await create(as)]
    await world.expect(204, 'DELETE', `/v1/webhooks/${gone.id}`, { as })
    const { id, eventId } = await world.expect(202, 'POST', `/v1/webhooks/${one.id}/test`, { as })
    const later = await create(as)
    expect(await destinations(as, eventId)).toEqual({
      [one.id]: 'sent',
      [other.id]: 'other_endpoint',
      [gone.id]: 'deleted',
      [later.id]: 'created_later',
    })
    const { destinations: shown } = await world.expect(200, 'GET', `/v1/outbound-events/${eventId}`, { as })
    expect(shown[0]).toMatchObject({ webhookId: one.id, deliveryId: id })
  })

  test('shows a dropped delivery when its endpoint was deleted before', async () => {
    const as = await world.otherOwner()
    const { id: webhookId } = await create(as)
    await world.expect(200, 'PATCH', `/v1/webhooks/${webhookId}`, { as, body: { enabled: false } })
    const { eventId } = await world.expect(202, 'POST', `/v1/webhooks/${webhookId}/test`, { as })
    await world.expect(204, 'DELETE', `/v1/webhooks/${webhookId}`, { as })
    const { destinations: shown } = await world.expect(200, 'GET', `/v1/outbound-events/${eventId}`, { as })
    expect(shown).toEqual([
      { webhookId, url: receiver.url, deliveryId: expect.any(String), status: 'dropped', reason: null },
    ])
  })

  test('shows a dropped delivery while a task still drops it, and afterwards', async () => {
    const { sql } = world.database
    const as = await world.otherOwner()
    const { id: webhookId } = await create(as)
    await world.expect(200, 'PATCH', `/v1/webhooks/${webhookId}`, { as, body: { enabled: false } })
    const { eventId } = await world.expect(202, 'POST', `/v1/webhooks/${webhookId}/test`, { as })
    const status = async () =>
      (await world.expect(200, 'GET', `/v1/outbound-events/${eventId}`, { as })).destinations[0].status
    const [held, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holding = transaction(sql, async tx => {
      await tx`select 1 from deliveries where webhook_id = ${webhookId} for update`
      held.resolve()
      await letGo.promise
    })
    await held.promise
    await world.expect(204, 'DELETE', `/v1/webhooks/${webhookId}`, { as })
    expect((await sql`select status from deliveries where webhook_id = ${webhookId}`)[0]!.status).toBe('pending')
    expect(await status()).toBe('dropped')
    letGo.resolve()
    await holding
    await eventually('it is dropped', async () => {
      const [delivery] = await sql`select status, due_at from deliveries where webhook_id = ${webhookId}`
      return delivery!.status === 'dropped' && delivery!.due_at === null
    })
    expect(await status()).toBe('dropped')
  })

  test('shows agents only the host of an endpoint, because the path can be a secret', async () => {
    const as = await world.otherOwner()
    const workspaceId = await workspaceOf(as)
    await create(as)
    const id = await tell(workspaceId)
    await world.database.sql`update members set role = 'agent' where workspace_id = ${workspaceId}`
    const event = await world.expect(200, 'GET', `/v1/outbound-events/${id}`, { as })
    expect(event.destinations.map(({ url }: { url: string }) => url)).toEqual([`http://${receiver.target}`])
  })
})

describe('the list', () => {
  test('is newest first, in pages, filtered by type, and only of the workspace', async () => {
    const as = await world.otherOwner()
    const workspaceId = await workspaceOf(as)
    await create(as)
    await create(as, { events: ['message.status'] })
    const ids: string[] = []
    for (const type of [
      'sale.created',
      'message.status',
      'sale.created',
      'campaign.completed',
      'sale.created',
    ] as const)
      ids.unshift(await tell(workspaceId, type))
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
      passedOver: 2,
    })

    const sales = [ids[0], ids[2], ids[4]]
    const pages = await world.pages('/v1/outbound-events?type=sale.created&limit=2', { as })
    expect(pages.map(page => page.map(({ id }) => id))).toEqual([sales.slice(0, 2), sales.slice(2)])
    const own = await world.expect(200, 'GET', '/v1/outbound-events')
    expect(own.data.filter(({ id }: { id: string }) => ids.includes(id))).toEqual([])
  })
})

test('fan-out sends each event of a page once, in the order of the events', async () => {
  const { sql } = world.database
  const as = await world.otherOwner()
  const workspaceId = await workspaceOf(as)
  const disabled = await create(as)
  await world.expect(200, 'PATCH', `/v1/webhooks/${disabled.id}`, { as, body: { enabled: false } })
  const webhooks = [await create(as), await create(as)]
  await tellAs(sql, workspaceId, 'sale.created', { count: 300 })
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

test('a repeated fan-out after a failure of PostgreSQL creates the same deliveries', async () => {
  const as = await world.otherOwner()
  const workspaceId = await workspaceOf(as)
  const webhooks = [await create(as), await create(as)]
  const ids = await world.database.sql.begin(async tx => {
    // The transaction hides these events and deliveries from other connections.
    await tellAs(tx, workspaceId, 'sale.created', { count: 3 })
    const deliveries = () =>
      tx`select id, event_id, webhook_id from deliveries where workspace_id = ${workspaceId} order by id`
    await fanOut(tx, 500)
    const first = await deliveries()
    const locked = await tx`select 1 from webhooks where workspace_id = ${workspaceId} and xmax <> 0`
    await tx`update outbound_events set fanned_out_at = null, sent_to = null where workspace_id = ${workspaceId}`
    await tx`delete from deliveries where workspace_id = ${workspaceId}`
    await fanOut(tx, 500)
    return { first: [...first], second: [...(await deliveries())], locked: locked.length }
  })
  expect(ids.first).toHaveLength(6)
  expect(ids.second).toEqual(ids.first)
  // A lock on the endpoint would cost one more lock per delivery.
  expect(ids.locked).toBe(0)
  for (const { id } of webhooks) await world.expect(204, 'DELETE', `/v1/webhooks/${id}`, { as })
})
