/** Tests of the events about endpoints and deliveries (contract 10.4). */
import { afterEach, describe, expect, test } from 'bun:test'
import { recordHealthSamples } from '../../../../src/webhooks/endpoints/index.ts'
import { outboundEvents } from '../../../../src/webhooks/outbound-events/index.ts'
import { tell } from '../../../support/outbox.ts'
import { respond, startReceiver } from '../../../support/receiver.ts'
import { use } from '../../../support/use.ts'
import { eventually, useWorld } from '../../../support/world.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads response bodies of any shape
type Body = any

const types = ['endpoint.failing', 'endpoint.recovered', 'endpoint.held', 'delivery.failed'] as const

const [healthy, broken] = [use(startReceiver), use(startReceiver)]
const world = useWorld(() => ({
  WEBHOOK_ALLOWED_PRIVATE_TARGETS: `${healthy.target},${broken.target}`,
  WEBHOOK_RETRY_WAITS: Array(7).fill('1ms').join(),
}))

let made: string[] = []
afterEach(async () => {
  broken.behave(respond())
  for (const id of made) await world.expect(204, 'DELETE', `/v1/webhooks/${id}`)
  made = []
})

/** Creates an endpoint with a path and a name that occur nowhere else. It is deleted after the test. */
const create = async (receiver: { url: string }, events: readonly string[], more: object = {}): Promise<Body> => {
  const url = `${receiver.url}/path-${crypto.randomUUID()}`
  const webhook = await world.expect(201, 'POST', '/v1/webhooks', { body: { url, events, ...more } })
  made.push(webhook.id)
  return webhook
}

const read = (path: string): Promise<Body> => world.expect(200, 'GET', path)
const happen = (count = 1) => tell(world.database.sql, world.workspaceId, 'campaign.completed', { count })

/** Returns the events about an endpoint, oldest first. */
const eventsAbout = async ({ id }: Body): Promise<Body[]> => {
  const pages = await world.pages('/v1/outbound-events?limit=100')
  return pages
    .flat()
    .filter(({ type, data }) => type !== 'ping' && data.webhookId === id)
    .reverse()
}

const typesAbout = async (webhook: Body): Promise<string[]> => (await eventsAbout(webhook)).map(({ type }) => type)

const count = async (webhook: Body, type: string): Promise<number> =>
  (await typesAbout(webhook)).filter(one => one === type).length

const emitted = (webhook: Body, type: string, times = 1) =>
  eventually(`${times} ${type}`, async () => (await count(webhook, type)) === times)

const received = ({ url }: Body) => {
  const { pathname } = new URL(url)
  return [...healthy.requests, ...broken.requests].filter(({ path }) => path === pathname)
}

/** Stores a failed or successful attempt as the recorder of an actor does. */
const sample = ({ id: webhookId }: Body, delivered: boolean) =>
  recordHealthSamples(world.database.sql, [
    {
      ...{ workspaceId: world.workspaceId, webhookId, succeededAt: delivered ? new Date() : null },
      ...{ succeeded: delivered, failed: delivered ? 0 : 1, firstFailedAt: delivered ? null : new Date() },
      lastFailure: delivered ? null : { at: new Date(), statusCode: 500, error: 'timed out' },
    },
  ])

const rewind = ({ id }: Body, seconds: number) => world.database.sql`
  update webhook_health set reported_at = reported_at - ${seconds} * interval '1 second' where webhook_id = ${id}`

test('an outage of many deliveries has one failing and one recovered event, and each delivery one failed event', async () => {
  const listener = await create(healthy, types)
  const webhook = await create(broken, ['campaign.completed', ...types], { name: 'Orders' })
  broken.behave(respond(503))
  await happen(120)
  await emitted(webhook, 'delivery.failed', 120)
  await emitted(webhook, 'endpoint.failing')
  broken.behave(respond())
  await happen()
  await emitted(webhook, 'endpoint.recovered')

  const about = await eventsAbout(webhook)
  const endpoint = { webhookId: webhook.id, name: 'Orders', host: broken.target }
  const failure = { statusCode: 503, error: 'answered with a status other than 2xx' }
  const { failingSince } = about.find(({ type }) => type === 'endpoint.failing').data
  expect(about.find(({ type }) => type === 'endpoint.failing').data).toEqual({ ...endpoint, failingSince, ...failure })
  const recovered = about.find(({ type }) => type === 'endpoint.recovered')
  expect(recovered.data).toEqual({ ...endpoint, failingSince, recoveredAt: expect.stringMatching(/Z$/) })
  expect(recovered.data.recoveredAt > failingSince).toBe(true)
  const failed = about.filter(({ type }) => type === 'delivery.failed').map(({ data }) => data)
  expect(new Set(failed.map(({ deliveryId }) => deliveryId)).size).toBe(120)
  const { deliveryId, eventId } = failed[0]
  const delivery = await read(`/v1/webhooks/${webhook.id}/deliveries/${deliveryId}`)
  expect(delivery).toMatchObject({ status: 'failed', eventId, attempts: 8 })
  const of = { eventType: 'campaign.completed', attempts: 8 }
  expect(failed[0]).toEqual({ ...endpoint, ...failure, ...of, deliveryId, eventId })

  await eventually('the listener has all', () => received(listener).length === 122)
  const ofListener = received(listener).map(({ headers }) => headers['x-service-event']!)
  expect(Object.groupBy(ofListener, type => type)['endpoint.failing']).toHaveLength(1)
  // The endpoint subscribes to the same types and receives none about itself.
  expect(new Set(received(webhook).map(({ headers }) => headers['x-service-event']))).toEqual(
    new Set(['campaign.completed']),
  )
  const { destinations } = await read(`/v1/outbound-events/${recovered.id}`)
  const reasonOf = (id: string) => destinations.find(({ webhookId }: Body) => webhookId === id).reason
  expect([reasonOf(webhook.id), reasonOf(listener.id)]).toEqual(['about_itself', null])
  const send = (id: string) =>
    world.call('POST', `/v1/outbound-events/${recovered.id}/send`, { body: { webhookId: id } })
  expect(await send(webhook.id)).toMatchObject({
    status: 422,
    body: { error: { message: 'The event is about this endpoint. An endpoint never receives events about itself.' } },
  })
  expect((await send(listener.id)).status).toBe(202)
  const { deliveries } = await world.expect(200, 'POST', `/v1/webhooks/${webhook.id}/recoveries`, {
    body: { since: webhook.createdAt, of: 'missing', preview: true },
  })
  expect(deliveries).toBe(0)

  const texts = JSON.stringify(about)
  for (const hidden of [webhook.secret, 'path-', new URL(webhook.url).pathname]) expect(texts).not.toContain(hidden)
  for (const { type, data } of about)
    expect(Object.keys(data).sort()).toEqual(Object.keys(outboundEvents[type as (typeof types)[number]].example).sort())
})

test('an endpoint that alternates is reported once a minute, and an outage that lasts is reported after it', async () => {
  const webhook = await create(healthy, ['campaign.completed'])
  for (const delivered of [false, true, false, true, false, false, true]) await sample(webhook, delivered)
  const pair = ['endpoint.failing', 'endpoint.recovered']
  expect(await typesAbout(webhook)).toEqual(pair)
  await sample(webhook, false)
  expect(await typesAbout(webhook)).toEqual(pair)
  await rewind(webhook, 61)
  await sample(webhook, false)
  expect(await typesAbout(webhook)).toEqual([...pair, 'endpoint.failing'])
  for (const delivered of [false, false, true, true]) await sample(webhook, delivered)
  expect(await typesAbout(webhook)).toEqual([...pair, ...pair])
})

test('concurrent processes report one outage once', async () => {
  const webhook = await create(healthy, ['campaign.completed'])
  await Promise.all(Array.from({ length: 8 }, () => sample(webhook, false)))
  expect(await typesAbout(webhook)).toEqual(['endpoint.failing'])
  await Promise.all(Array.from({ length: 8 }, () => sample(webhook, true)))
  expect(await typesAbout(webhook)).toEqual(['endpoint.failing', 'endpoint.recovered'])
})

test('a new URL ends a reported outage, and removing an endpoint emits nothing', async () => {
  const [moved, removed] = [await create(healthy, ['campaign.completed']), await create(healthy, ['sale.created'])]
  const change = (body: object) => world.expect(200, 'PATCH', `/v1/webhooks/${moved.id}`, { body })
  await change({ url: `${healthy.url}/first` })
  expect(await typesAbout(moved)).toEqual([])
  for (const one of [moved, removed]) await sample(one, false)
  await change({ url: `${healthy.url}/second`, name: 'Moved' })
  const [, recovered] = await eventsAbout(moved)
  expect(recovered).toMatchObject({ type: 'endpoint.recovered', data: { name: 'Moved', host: healthy.target } })
  await sample(moved, true)
  await world.expect(204, 'DELETE', `/v1/webhooks/${made.pop()}`)
  expect(await typesAbout(moved)).toHaveLength(2)
  expect(await typesAbout(removed)).toEqual(['endpoint.failing'])
})

test('a channel that fails and recovers has one event for each, without a disconnection', async () => {
  const connect = () =>
    world.expect(201, 'POST', '/v1/channels', {
      body: { kind: 'sandbox', name: 'Phone', sandbox: { delivery: 'rejected' } },
    })
  const customer = await world.expect(201, 'PUT', '/v1/customers', { body: { phone: '+4915112345670' } })
  const write = async (channelId: string, text: string) => {
    const body = { channelId, customerId: customer.id }
    const { id } = (await world.call('POST', '/v1/conversations', { body })).body
    return world.expect(201, 'POST', `/v1/conversations/${id}/messages`, { body: { text } })
  }
  const [channel, disconnected] = [await connect(), await connect()]
  const about = async ({ id }: Body): Promise<Body[]> =>
    (await read('/v1/outbound-events')).data.filter(({ data }: Body) => data.channelId === id).reverse()
  const fails = (one: Body) =>
    eventually('it is failing', async () => (await read(`/v1/channels/${one.id}`)).status === 'failing')
  const testNow = () => world.expect(200, 'POST', `/v1/channels/${channel.id}/test`)

  const message = await write(channel.id, 'one')
  await fails(channel)
  expect(await testNow()).toMatchObject({ ok: false })
  await write(disconnected.id, 'two')
  await fails(disconnected)
  await world.expect(204, 'DELETE', `/v1/channels/${disconnected.id}`)
  expect((await about(disconnected)).map(({ type }) => type)).toEqual(['channel.failing'])

  const of = { channelId: channel.id, kind: 'sandbox', name: 'Phone' }
  const [{ data: failing }] = (await about(channel)) as [Body]
  const { failingSince } = failing
  expect(failing).toEqual({ ...of, detail: 'The sandbox is configured to reject every request.', failingSince })
  const change = { body: { sandbox: { delivery: 'delivered' } } }
  await world.expect(200, 'PATCH', `/v1/channels/${channel.id}`, change)
  for (const _ of [1, 2]) expect(await testNow()).toMatchObject({ ok: true })
  await eventually('the message is sent', async () => (await read(`/v1/messages/${message.id}`)).status === 'delivered')
  const events = (await about(channel)).filter(({ type }) => type.startsWith('channel.'))
  expect(events.map(({ type }) => type)).toEqual(['channel.failing', 'channel.recovered'])
  expect(events[1].data).toEqual({ ...of, failingSince, recoveredAt: expect.stringMatching(/Z$/) })
})

test('a run with too many steps is reported once, with its workflow', async () => {
  const steps = { wait: { type: 'delay', for: '1h', next: 'wait' } }
  const workflowId = await world.workflow({ trigger: { eventType: 'loops' }, start: 'wait', steps }, 'Loop')
  const event = { type: 'loops', phone: '+4915112345671' }
  await world.expect(201, 'POST', '/v1/events', { as: 'key', body: event })
  const [run] = await eventually('it waits', async () => {
    const { data } = await read(`/v1/workflows/${workflowId}/runs`)
    return data[0]?.status === 'waiting' && data
  })
  await world.database.sql`update workflow_runs set steps_taken = 1000, wake_at = now() where id = ${run.id}`
  const events = await eventually('it is reported', async () => {
    const { data } = await read('/v1/outbound-events?type=run.failed')
    return data.length > 0 && data
  })
  expect(events.map(({ data }: Body) => data)).toEqual([
    {
      ...{ runId: run.id, workflowId, workflowName: 'Loop', customerId: run.customerId, eventId: run.eventId },
      ...{ stepId: 'wait', reason: 'too_many_steps' },
    },
  ])
})

describe('endpoint.held', () => {
  test('is emitted once for an owner, and not for a release', async () => {
    const webhook = await create(healthy, ['campaign.completed'])
    for (const action of ['hold', 'hold', 'release', 'release'])
      await world.expect(200, 'POST', `/v1/webhooks/${webhook.id}/${action}`)
    const [held, ...more] = await eventsAbout(webhook)
    expect(more).toEqual([])
    expect(held.data).toEqual({
      ...{ webhookId: webhook.id, name: null, host: healthy.target, heldBy: 'owner' },
      ...{ heldAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/), failingSince: null },
    })
  })

  test('is emitted when the service holds an endpoint', async () => {
    const webhook = await create(healthy, ['campaign.completed'])
    await sample(webhook, false)
    await world.database.sql`
      update webhook_health set failing_since = now() - interval '6 days', failed_attempts = 30
      where webhook_id = ${webhook.id}`
    for (const _ of [1, 2]) await sample(webhook, false)
    const [, held, ...more] = await eventsAbout(webhook)
    expect(more).toEqual([])
    const { heldAt } = await read(`/v1/webhooks/${webhook.id}`)
    expect(held).toMatchObject({ type: 'endpoint.held', data: { heldBy: 'service', heldAt } })
    expect(Date.parse(held.data.failingSince)).toBeLessThan(Date.parse(heldAt) - 5 * 86_400_000)
  })
})

describe('delivery.failed', () => {
  test('is emitted once per delivery, also after more attempts by hand', async () => {
    const webhook = await create(broken, ['campaign.completed'])
    broken.behave(respond(500))
    await happen()
    await emitted(webhook, 'delivery.failed')
    const [{ id }] = (await read(`/v1/webhooks/${webhook.id}/deliveries`)).data
    await world.expect(202, 'POST', `/v1/webhooks/${webhook.id}/deliveries/${id}/retry`)
    await eventually('the extra attempt failed', async () => {
      const { status, attempts } = await read(`/v1/webhooks/${webhook.id}/deliveries/${id}`)
      return status === 'failed' && attempts === 9
    })
    expect(await count(webhook, 'delivery.failed')).toBe(1)
  })

  test('is not emitted for a delivery of delivery.failed, so that two failing endpoints cause no loop', async () => {
    const pair = [await create(broken, types), await create(broken, types)]
    broken.behave(respond(500))
    const sends = pair.map(({ id }) => world.expect(202, 'POST', `/v1/webhooks/${id}/test`))
    await Promise.all(sends)
    await eventually('every delivery has ended', async () => {
      const [row] = await world.database.sql<{ open: number; failed: number }[]>`
        select (select count(*)::integer from outbound_events where fanned_out_at is null)
          + count(*) filter (where status <> 'failed')::integer as open, count(*)::integer as failed
        from deliveries where webhook_id = any(${pair.map(({ id }) => id)}::uuid[])`
      // For each endpoint: the ping, and of the other endpoint the outage, the failed ping and the failed report of it.
      return row!.open === 0 && row!.failed === 8
    })
    for (const webhook of pair) {
      const about = await eventsAbout(webhook)
      expect(about.map(({ type, data }) => data.eventType ?? type).sort()).toEqual([
        'endpoint.failing',
        'endpoint.failing',
        'ping',
      ])
    }
  })
})
