import { describe, expect, test } from 'bun:test'
import { createResolver, type Resolve } from '../../../../src/webhooks/endpoints/index.ts'
import { type ReceivedRequest, respond, startReceiver } from '../../../support/receiver.ts'
import { use } from '../../../support/use.ts'
import { eventually, useWorld } from '../../../support/world.ts'

/** Addresses that the host names of these tests resolve to, and the number of lookups per name. */
const leadsTo: Record<string, () => string[]> = {}
const lookUps: Record<string, number> = {}
const resolve: Resolve = createResolver({
  cacheMs: 0,
  lookup: async host => {
    lookUps[host] = (lookUps[host] ?? 0) + 1
    return (leadsTo[host]?.() ?? ['127.0.0.1']).map(address => ({ address, family: address.includes(':') ? 6 : 4 }))
  },
})
const receiver = use(startReceiver)
const world = useWorld(
  () => ({
    WEBHOOK_ALLOWED_PRIVATE_TARGETS: `${receiver.target},moving.example.com:${receiver.port}`,
    WEBHOOK_RETRY_WAITS: '10ms,10ms,10ms,10ms,10ms,10ms,10ms',
  }),
  { resolve },
)

const create = (url = receiver.url) =>
  world.expect(201, 'POST', '/v1/webhooks', { body: { url, events: ['sale.created'] } })
const ping = (webhookId: string) => world.expect(202, 'POST', `/v1/webhooks/${webhookId}/test`)
const remove = (webhookId: string) => world.expect(204, 'DELETE', `/v1/webhooks/${webhookId}`)
const settled = (webhookId: string, id: string, status: string, attempts: number) =>
  eventually(`delivery ${status} after ${attempts}`, async () => {
    const delivery = await world.expect(200, 'GET', `/v1/webhooks/${webhookId}/deliveries/${id}`)
    return delivery.status === status && delivery.attempts === attempts && delivery
  })
const requestsOf = (id: string) => receiver.requests.filter(({ headers }) => headers['x-service-delivery'] === id)
const marks = (requests: ReceivedRequest[]) =>
  requests.map(({ headers }) => [headers['x-service-attempt'], headers['x-service-retry']])

describe('an attempt has', () => {
  test('its number of eight, and a higher total after manual retries', async () => {
    receiver.behave(respond(503, 'later'))
    const { id } = await create()
    const { id: deliveryId } = await ping(id)
    const path = `/v1/webhooks/${id}/deliveries/${deliveryId}`
    const failed = await settled(id, deliveryId, 'failed', 8)
    expect(failed.request.headers).toMatchObject({ 'X-Service-Attempt': '8/8' })
    expect(failed.request.headers).not.toHaveProperty('X-Service-Retry')

    await world.expect(202, 'POST', `${path}/retry`)
    const ninth = await settled(id, deliveryId, 'failed', 9)
    expect(ninth.request.headers).toMatchObject({ 'X-Service-Attempt': '9/9', 'X-Service-Retry': 'manual' })
    receiver.behave(respond())
    await world.expect(202, 'POST', `${path}/retry`)
    const { request, attemptLog } = await settled(id, deliveryId, 'delivered', 10)
    expect(marks(requestsOf(deliveryId))).toEqual([
      ...Array.from({ length: 8 }, (_, index) => [`${index + 1}/8`, undefined]),
      ['9/9', 'manual'],
      ['10/10', 'manual'],
    ])
    // The shown headers equal the received ones.
    const {
      host,
      connection,
      'accept-encoding': _,
      'content-length': __,
      accept,
      ...received
    } = requestsOf(deliveryId).at(-1)!.headers
    expect(
      Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value])),
    ).toEqual(received)
    for (const attempt of attemptLog)
      expect(Object.keys(attempt)).toEqual(['at', 'statusCode', 'error', 'durationMs', 'responseBody'])
    await remove(id)
  })

  test('number one of eight at first, and no request is shown before it', async () => {
    const { id } = await create()
    await world.expect(200, 'PATCH', `/v1/webhooks/${id}`, { body: { enabled: false } })
    const { id: deliveryId } = await ping(id)
    const held = await world.expect(200, 'GET', `/v1/webhooks/${id}/deliveries/${deliveryId}`)
    expect(held.request.headers).toEqual({})
    expect(JSON.parse(held.request.body)).toMatchObject({ id: held.eventId, type: 'ping' })
    await world.expect(200, 'PATCH', `/v1/webhooks/${id}`, { body: { enabled: true } })
    await settled(id, deliveryId, 'delivered', 1)
    expect(marks(requestsOf(deliveryId))).toEqual([['1/8', undefined]])
    await remove(id)
  })
})

describe('a manual retry', () => {
  const failedDelivery = async () => {
    receiver.behave(respond(500))
    const { id } = await create()
    const delivery = await ping(id)
    await settled(id, delivery.id, 'failed', 8)
    receiver.behave(respond())
    return { id, deliveryId: delivery.id, path: `/v1/webhooks/${id}/deliveries/${delivery.id}/retry` }
  }

  test('waits while the endpoint is switched off, and is sent when it is switched on', async () => {
    const { id, deliveryId, path } = await failedDelivery()
    await world.expect(200, 'PATCH', `/v1/webhooks/${id}`, { body: { enabled: false } })
    expect(await world.expect(202, 'POST', path)).toMatchObject({ status: 'retrying', attempts: 8 })
    expect((await world.call('POST', path)).status).toBe(422)
    // The ping of another endpoint proves that the workers ran.
    const other = await create()
    await settled(other.id, (await ping(other.id)).id, 'delivered', 1)
    expect(requestsOf(deliveryId)).toHaveLength(8)
    await world.expect(200, 'PATCH', `/v1/webhooks/${id}`, { body: { enabled: true } })
    await settled(id, deliveryId, 'delivered', 9)
    expect(marks(requestsOf(deliveryId)).at(-1)).toEqual(['9/9', 'manual'])
    for (const webhookId of [id, other.id]) await remove(webhookId)
  })

  test('is 404 for a deleted endpoint, and leaves no due delivery when concurrent with the deletion', async () => {
    const { id, deliveryId, path } = await failedDelivery()
    const [retried] = await Promise.all([world.call('POST', path), world.call('DELETE', `/v1/webhooks/${id}`)])
    expect([202, 404, 422]).toContain(retried.status)
    await world.expect(404, 'POST', path)
    const [row] = await world.database.sql<{ dueAt: Date | null }[]>`
      select due_at as "dueAt" from deliveries where id = ${deliveryId} and status in ('pending', 'retrying')`
    expect(row?.dueAt ?? null).toBeNull()
  })

  test('requested fifty times concurrently is made once', async () => {
    const { id, deliveryId, path } = await failedDelivery()
    const replies = await Promise.all(Array.from({ length: 50 }, () => world.call('POST', path)))
    expect(replies.map(({ status }) => status).sort()).toEqual([202, ...Array(49).fill(422)])
    await settled(id, deliveryId, 'delivered', 9)
    expect(requestsOf(deliveryId)).toHaveLength(9)
    await remove(id)
  })
})

describe('a name that resolves to a private address', () => {
  test.each([
    ['alone', ['127.0.0.1']],
    ['next to a public address', ['93.184.216.34', '127.0.0.1']],
    ['as IPv6', ['::1']],
    ['as IPv4 in IPv6', ['::ffff:127.0.0.1']],
    ['as the address of a cloud’s metadata', ['169.254.169.254']],
  ])('%s is accepted for an endpoint and never connected to', async (what, addresses) => {
    const host = `hooks-${what.replaceAll(/[^a-z0-9]/gi, '-').toLowerCase()}.example.com`
    leadsTo[host] = () => addresses
    const connections = receiver.connections
    const { id } = await create(`https://${host}:${receiver.port}/hook`)
    const { id: deliveryId } = await ping(id)
    const failed = await settled(id, deliveryId, 'failed', 8)
    expect(failed).toMatchObject({ error: 'address not public', statusCode: null })
    expect(JSON.stringify(failed)).not.toContain(addresses[0]!)
    expect(lookUps[host]).toBe(8)
    expect(receiver.connections).toBe(connections)
    await remove(id)
  })

  test('only after the check has no effect: the checked address is used', async () => {
    // The name is an allowed private target, so its address can be private. Every later lookup returns another address.
    leadsTo['moving.example.com'] = () => (lookUps['moving.example.com'] === 1 ? ['127.0.0.1'] : ['127.0.0.2'])
    const { id } = await create(`http://moving.example.com:${receiver.port}/hook`)
    const { id: deliveryId } = await ping(id)
    await settled(id, deliveryId, 'delivered', 1)
    expect(lookUps['moving.example.com']).toBe(1)
    expect(requestsOf(deliveryId)[0]!.headers.host).toBe(`moving.example.com:${receiver.port}`)
    await remove(id)
  })
})
