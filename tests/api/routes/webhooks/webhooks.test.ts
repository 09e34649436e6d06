/** Tests of endpoints and of the attempts of their deliveries. */
import { describe, expect, test } from 'bun:test'
import pino from 'pino'
import { createResolver } from '../../../../src/webhooks/endpoints/index.ts'
import { signWebhook } from '../../../../src/webhooks/signatures/index.ts'
import { respond, startReceiver, verifySignature, verifyStandard } from '../../../support/receiver.ts'
import { use } from '../../../support/use.ts'
import { eventually, newPhone, useWorld } from '../../../support/world.ts'
import { accepted, refused } from '../../../webhooks/endpoints/urls.ts'
import { standardVectors, vectors } from '../../../webhooks/signatures/vectors.ts'

/** Resolves every name to a public and a private address. */
let lookUps = 0
const resolve = createResolver({
  cacheMs: 0,
  lookup: async () => {
    lookUps++
    return ['93.184.216.34', '127.0.0.1'].map(address => ({ address, family: 4 }))
  },
})
const logged: string[] = []
const receiver = use(startReceiver)
const world = useWorld(
  () => ({
    WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target,
    WEBHOOK_RETRY_WAITS: Array(7).fill('10ms').join(),
  }),
  { resolve, log: pino({ level: 'trace' }, { write: line => void logged.push(line) }) },
)

const valid = { url: 'https://hooks.example.com/x', events: ['customer.opted_out'] }
const create = (more: object = {}) =>
  world.expect(201, 'POST', '/v1/webhooks', { body: { ...valid, url: receiver.url, ...more } })
const change = (id: string, body: object) => world.expect(200, 'PATCH', `/v1/webhooks/${id}`, { body })
const remove = (id: string) => world.expect(204, 'DELETE', `/v1/webhooks/${id}`)
const ping = (webhookId: string) => world.expect(202, 'POST', `/v1/webhooks/${webhookId}/test`)
const settled = (webhookId: string, id: string, status: string, attempts: number) =>
  eventually(`delivery ${status} after ${attempts}`, async () => {
    const delivery = await world.expect(200, 'GET', `/v1/webhooks/${webhookId}/deliveries/${id}`)
    return delivery.status === status && delivery.attempts === attempts && delivery
  })
const requestsOf = (id: string) => receiver.requests.filter(({ headers }) => headers['x-service-delivery'] === id)
const marks = (id: string) =>
  requestsOf(id).map(({ headers }) => [headers['x-service-attempt'], headers['x-service-retry']])

describe('an endpoint', () => {
  test('shows its secret once and is read, listed, changed and deleted', async () => {
    const created = await create({ description: 'orders' })
    const { secret, ...record } = created
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(record).toEqual({
      id: expect.any(String),
      url: receiver.url,
      description: 'orders',
      events: ['customer.opted_out'],
      enabled: true,
      name: null,
      metadata: {},
      headers: [],
      ratePerSecond: null,
      maxConcurrency: null,
      filter: null,
      heldAt: null,
      heldBy: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      created: created.createdAt,
      updated: created.updatedAt,
    })
    expect(await world.expect(200, 'GET', `/v1/webhooks/${created.id}`)).toEqual(record)
    expect((await world.expect(200, 'GET', '/v1/webhooks')).data[0]).toEqual(record)
    const changes = { description: null, events: ['message.status', 'sale.created'], enabled: false }
    expect(await change(created.id, changes)).toMatchObject({ ...changes, url: receiver.url })
    await remove(created.id)
    expect(await world.answer('GET', `/v1/webhooks/${created.id}`)).toBe('404 not_found')
  })

  const many = (count: number, value: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`X-${n}`, value]))
  test.each<[field: string, change: object]>([
    ['events', { events: [] }],
    ['events', { events: ['message.status', 'message.status'] }],
    ['events.1', { events: ['message.status', 'ping'] }],
    ['description', { description: 'x'.repeat(501) }],
    ['name', { name: ' \t' }],
    ['name', { name: 'x'.repeat(101) }],
    ['metadata.a', { metadata: { a: 1 } }],
    [`metadata.${'x'.repeat(40)}`, { metadata: { ['x'.repeat(41)]: 'a' } }],
    ['metadata', { metadata: many(21, 'a') }],
    ['ratePerSecond', { ratePerSecond: 0 }],
    ['ratePerSecond', { ratePerSecond: 1001 }],
    ['ratePerSecond', { ratePerSecond: 2.5 }],
    ['maxConcurrency', { maxConcurrency: 0 }],
    ['maxConcurrency', { maxConcurrency: 501 }],
    ['filter.path', { filter: { path: 'customer.name', op: 'eq', value: 'a' } }],
    ['filter.all.0.value', { filter: { all: [{ path: 'data.sent', op: 'gt', value: 'many' }] } }],
    ['filter', { filter: { path: 'data.text', op: 'eq', value: 'x'.repeat(17_000) } }],
    ['headers.Host', { headers: { Host: 'a' } }],
    ['headers.content-type', { headers: { 'content-type': 'a' } }],
    ['headers.transfer-encoding', { headers: { 'transfer-encoding': 'chunked' } }],
    ['headers.X_Service-Event', { headers: { 'X_Service-Event': 'a' } }],
    ['headers.Webhook_Id', { headers: { Webhook_Id: 'a' } }],
    ['headers.webhook-timestamp', { headers: { 'webhook-timestamp': '1' } }],
    ['headers.WEBHOOK-SIGNATURE', { headers: { 'WEBHOOK-SIGNATURE': 'v1,a' } }],
    ['headers.Content_Length', { headers: { Content_Length: '1' } }],
    ['headers.Connection', { headers: { Connection: 'close' } }],
    ['headers.X-A', { headers: { 'X-A': 'a\r\nX-B: b' } }],
    ['headers.X-A', { headers: { 'X-A': ' a' } }],
    ['headers.X-A', { headers: { 'X-A': 'ä' } }],
    ['headers.X A', { headers: { 'X A': 'a' } }],
    ['headers.x-a', { headers: { 'X-A': 'a', 'x-a': 'b' } }],
    ['headers', { headers: many(21, 'a') }],
    ['headers', { headers: many(5, 'a'.repeat(4000)) }],
  ])('is rejected under %s for an invalid value', async (field, wrong) => {
    const body = { ...valid, ...wrong }
    expect(await world.answer('POST', '/v1/webhooks', { body })).toBe(`400 invalid_request ${field}`)
  })

  test('rejects custom headers without an encryption key', async () => {
    const { id } = await create({ headers: {} })
    const headers = { Authorization: 'secret' }
    for (const { error } of [
      await world.expect(422, 'POST', '/v1/webhooks', { body: { ...valid, headers } }),
      await world.expect(422, 'PATCH', `/v1/webhooks/${id}`, { body: { headers } }),
    ])
      expect(error.message).toContain('SECRETS_KEY')
    await remove(id)
  })

  test('rejects a hostile URL with a reason, changes nothing then, and stores a valid one unchanged', async () => {
    const { created: _, updated: __, secret: ___, ...before } = await create(valid)
    const path = `/v1/webhooks/${before.id}`
    for (const [cause, { urls }] of Object.entries(refused)) {
      const url = urls.at(-1)!
      // Text that cannot be stored is rejected before the URL is checked.
      const field = url.includes('\0') || !url.isWellFormed() ? 'body' : 'url'
      for (const { status, body } of [
        await world.call('POST', '/v1/webhooks', { body: { ...valid, url } }),
        await world.call('PATCH', path, { body: { url, enabled: false, description: 'other' } }),
      ]) {
        expect([status, body.error.details], cause).toEqual([400, { [field]: expect.stringMatching(/^[A-Z].*[.!]$/) }])
      }
    }
    expect(await world.expect(200, 'GET', path)).toMatchObject(before)
    for (const url of accepted.slice(0, 5)) {
      expect((await change(before.id, { url })).url).toBe(url)
      const created = await create({ url })
      expect(created.url).toBe(url)
      await remove(created.id)
    }
    await remove(before.id)
  })

  test('is limited to ten per workspace, also with twenty concurrent calls', async () => {
    const as = await world.otherOwner()
    const post = () => world.call('POST', '/v1/webhooks', { as, body: valid })
    const replies = await Promise.all(Array.from({ length: 20 }, post))
    expect(replies.map(({ status }) => status).sort()).toEqual([...Array(10).fill(201), ...Array(10).fill(422)])
    const { data } = await world.expect(200, 'GET', '/v1/webhooks', { as })
    expect(data).toHaveLength(10)
    await world.expect(204, 'DELETE', `/v1/webhooks/${data[0].id}`, { as })
    expect((await post()).status).toBe(201)
  })
})

describe('a delivery', () => {
  test('has the headers, the body and a signature that the receiver can verify', async () => {
    const { id, secret } = await create()
    const handle = newPhone()
    const customer = await world.expect(201, 'POST', '/v1/customers', { body: { phone: handle } })
    const asked = { as: 'key', body: { reason: 'Asked us to' } } as const
    await world.expect(200, 'POST', `/v1/customers/${customer.id}/opt-out`, asked)
    const [request] = await receiver.waitFor(1)
    const { headers, ...sent } = request!
    const body = JSON.parse(sent.body)
    expect(body).toEqual({
      id: headers['x-service-event-id'],
      type: 'customer.opted_out',
      createdAt: expect.stringMatching(/Z$/),
      workspaceId: world.workspaceId,
      data: { channel: null, handle, scope: 'all', reason: 'Asked us to' },
    })
    expect(sent).toMatchObject({ method: 'POST', path: '/hook' })
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-service-event': 'customer.opted_out' })
    expect(verifySignature(headers['x-service-signature']!, sent.body, secret, Date.now() / 1000)).toBe(true)
    expect(verifyStandard(headers, sent.body, secret, Date.now() / 1000)).toBe(true)
    expect(headers['webhook-id']).toBe(body.id)
    expect(headers['x-service-signature']).toStartWith(`t=${headers['webhook-timestamp']},`)
    const {
      request: shown,
      attemptLog,
      ...delivery
    } = await settled(id, headers['x-service-delivery']!, 'delivered', 1)
    expect(delivery).toEqual({
      id: headers['x-service-delivery'],
      eventId: body.id,
      eventType: 'customer.opted_out',
      status: 'delivered',
      attempts: 1,
      statusCode: 200,
      error: null,
      durationMs: expect.any(Number),
      createdAt: expect.any(String),
      lastAttemptAt: expect.any(String),
      nextAttemptAt: null,
    })
    expect((await world.expect(200, 'GET', `/v1/webhooks/${id}/deliveries`)).data).toEqual([delivery])
    expect(shown.body).toBe(sent.body)
    const { host, connection, accept, 'accept-encoding': _, 'content-length': __, ...received } = headers
    const names = Object.entries(shown.headers).map(([name, value]) => [name.toLowerCase(), value])
    expect(Object.fromEntries(names)).toEqual(received)
    expect(attemptLog).toEqual([
      { at: expect.any(String), statusCode: 200, error: null, durationMs: expect.any(Number), responseBody: 'ok' },
    ])
    await remove(id)
  })

  test('fails after eight numbered attempts, and each manual retry makes one more, until one succeeds', async () => {
    receiver.behave(respond(503, 'later'))
    const { id } = await create()
    const { id: deliveryId } = await ping(id)
    const path = `/v1/webhooks/${id}/deliveries/${deliveryId}`
    const failed = await settled(id, deliveryId, 'failed', 8)
    expect(failed).toMatchObject({ statusCode: 503, nextAttemptAt: null })
    expect(failed.request.headers).toMatchObject({ 'X-Service-Attempt': '8/8' })
    expect(failed.request.headers).not.toHaveProperty('X-Service-Retry')
    for (const { statusCode, responseBody } of failed.attemptLog)
      expect([statusCode, responseBody]).toEqual([503, 'later'])

    expect(await world.expect(202, 'POST', `${path}/retry`)).toMatchObject({ status: 'retrying', attempts: 8 })
    const ninth = await settled(id, deliveryId, 'failed', 9)
    expect(ninth.nextAttemptAt).toBeNull()
    expect(ninth.request.headers).toMatchObject({ 'X-Service-Attempt': '9/9', 'X-Service-Retry': 'manual' })
    receiver.behave(respond(204, ''))
    await world.expect(202, 'POST', `${path}/retry`)
    const { attemptLog } = await settled(id, deliveryId, 'delivered', 10)
    expect(attemptLog).toHaveLength(10)
    expect(marks(deliveryId)).toEqual([
      ...Array.from({ length: 8 }, (_, index) => [`${index + 1}/8`, undefined]),
      ['9/9', 'manual'],
      ['10/10', 'manual'],
    ])
    expect(await world.answer('POST', `${path}/retry`)).toBe('422 unprocessable')
    await remove(id)
    expect(await world.answer('POST', `${path}/retry`)).toBe('404 not_found')
    receiver.behave(respond())
  })

  test('waits while the endpoint is switched off, and shows no request before its first attempt', async () => {
    const [{ id }, other] = [await create(), await create()]
    await change(id, { enabled: false })
    const { id: deliveryId } = await ping(id)
    // The ping of another endpoint proves that the workers ran.
    await settled(other.id, (await ping(other.id)).id, 'delivered', 1)
    const waiting = await settled(id, deliveryId, 'pending', 0)
    expect(waiting.request.headers).toEqual({})
    expect(JSON.parse(waiting.request.body)).toMatchObject({ id: waiting.eventId, type: 'ping' })
    await change(id, { enabled: true })
    await settled(id, deliveryId, 'delivered', 1)
    expect(marks(deliveryId)).toEqual([['1/8', undefined]])
    for (const webhookId of [id, other.id]) await remove(webhookId)
  })

  test('waits at an endpoint that was created disabled', async () => {
    const { id, enabled, createdAt } = await create({ enabled: false })
    expect(enabled).toBe(false)
    expect(await world.expect(200, 'GET', `/v1/webhooks/${id}/health`)).toMatchObject({
      state: 'off',
      since: createdAt,
    })
    const { id: deliveryId } = await ping(id)
    await settled(id, deliveryId, 'pending', 0)
    await change(id, { enabled: true })
    await settled(id, deliveryId, 'delivered', 1)
    await remove(id)
  })

  test('is never sent to a name that also resolves to a private address', async () => {
    const { connections } = receiver
    const { id } = await create({ url: `https://hooks.example.com:${receiver.port}/hook` })
    const failed = await settled(id, (await ping(id)).id, 'failed', 8)
    expect(failed).toMatchObject({ error: 'address not public', statusCode: null })
    expect(JSON.stringify(failed)).not.toContain('127.0.0.1')
    expect([lookUps, receiver.connections]).toEqual([8, connections])
    await remove(id)
  })
})

describe('the diagnosis of a signature', () => {
  const path = '/v1/webhooks/verify'
  const verify = (body: unknown) => world.expect(200, 'POST', path, { body })
  const codesOf = ({ problems }: { problems: { code: string }[] }) => problems.map(({ code }) => code)
  /** Returns the headers and the body of a new ping as they were received. */
  const received = async (id: string) => {
    const delivery = await ping(id)
    await receiver.waitFor(() => requestsOf(delivery.id).length > 0)
    const { headers, body } = requestsOf(delivery.id)[0]!
    return { headers, body }
  }

  test('a received delivery is valid with its age in seconds, and is compared with the sent body', async () => {
    const { id, secret } = await create()
    const { headers, body } = await received(id)
    const signature = headers['x-service-signature']!
    const t = Number(/t=(\d+)/.exec(signature)![1])
    expect(await verify({ secret, headers, body, at: new Date((t + 7) * 1000).toISOString() })).toEqual({
      valid: true,
      problems: [],
      timestamp: t,
      secondsOff: 7,
      matched: 1,
      expected: signature.slice(-64),
      scheme: 'service',
      checks: [
        expect.objectContaining({ scheme: 'service', valid: true, expected: signature.slice(-64) }),
        {
          scheme: 'standard',
          valid: true,
          problems: [],
          timestamp: t,
          secondsOff: 7,
          matched: 1,
          expected: headers['webhook-signature']!.slice('v1,'.length),
        },
      ],
    })
    expect(await verify({ secret, headers, body })).toMatchObject({ valid: true, matched: 1 })
    for (const [received, words] of [
      [JSON.stringify(JSON.parse(body)), 'compact JSON'],
      [body.replace('"ping"', '"pong"'), 'its content differs'],
    ]) {
      const problems = [{ code: 'body_changed', message: expect.stringContaining(words!) }]
      expect(await verify({ secret, headers, body: received })).toMatchObject({ valid: false, matched: null, problems })
    }
  })

  test('the headers of Standard Webhooks alone are checked too, and compared with the sent body', async () => {
    const { id, secret } = await create()
    const { headers, body } = await received(id)
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
    const standard = Object.fromEntries(names.map(name => [name, headers[name]!]))
    const valid = await verify({ secret, headers: standard, body })
    expect(valid).toMatchObject({ scheme: 'standard', valid: true, problems: [], checks: [{ scheme: 'standard' }] })
    const changed = await verify({ secret, headers: standard, body: body.replace('"ping"', '"pong"') })
    const problems = [{ code: 'body_changed', message: expect.stringContaining('its content differs') }]
    expect(changed).toMatchObject({ scheme: 'standard', valid: false, problems })
  })

  test('a secret of another endpoint or from before a rotation is recognised, but none of another workspace', async () => {
    const [one, other] = [await create(), await create()]
    const given = { secret: one.secret, ...(await received(other.id)) }
    const { problems } = await verify(given)
    expect(problems).toEqual([{ code: 'secret_of_other_endpoint', message: expect.stringContaining(other.id) }])
    const as = await world.otherOwner()
    expect(codesOf(await world.expect(200, 'POST', path, { body: given, as }))).toEqual(['digest_mismatch'])

    await world.expect(200, 'POST', `/v1/webhooks/${one.id}/secret`)
    await world.database.sql`update webhooks set previous_secret_until = now() where id = ${one.id}`
    expect(codesOf(await verify({ secret: one.secret, ...(await received(one.id)) }))).toEqual(['secret_rotated'])
  })

  test('every vector for receivers gets its verdict', async () => {
    for (const { name, secret, header, body, now, reason } of vectors) {
      const headers: Record<string, string> = header === null ? { Accept: '*/*' } : { 'x-service-SIGNATURE': header }
      const verdict = await verify({ secret, headers, body, at: new Date(now * 1000).toISOString() })
      expect(verdict.valid, name).toBe(reason === null)
      // The cause of a mismatch is named if it is found.
      if (reason === 'digest_mismatch') expect(codesOf(verdict)[0], name).not.toMatch(/^(header|timestamp)/)
      else expect(codesOf(verdict).slice(0, 1), name).toEqual(reason === null ? [] : [reason])
    }
    for (const { name, secret, headers, body, now, reason } of standardVectors) {
      const verdict = await verify({ secret, headers, body, at: new Date(now * 1000).toISOString() })
      expect([verdict.scheme, verdict.valid], name).toEqual(['standard', reason === null])
      if (reason === 'digest_mismatch') expect(codesOf(verdict)[0], name).not.toMatch(/^(header|timestamp)/)
      else expect(codesOf(verdict).slice(0, 1), name).toEqual(reason === null ? [] : [reason])
    }
  })

  test('all problems are returned, the clock and the digest', async () => {
    const headers = { 'X-Service-Signature': signWebhook(['whsec_a'], 1_772_357_402, '{}') }
    const verdict = await verify({ secret: 'whsec_b', headers, body: '{}', at: '2026-03-01T10:30:02Z' })
    expect(codesOf(verdict)).toEqual(['digest_mismatch', 'timestamp_too_old'])
    expect(verdict.problems[1].message).toContain('3600 seconds')
  })

  test.each([
    ['secret', { secret: '' }],
    ['headers', { headers: ['t=1'] }],
    ['headers.a', { headers: { a: 1 } }],
    ['headers', { headers: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`h${i}`, ''])) }],
    ['body', { body: { type: 'ping' } }],
    ['body', { body: 'x'.repeat(128 * 1024 + 1) }],
    ['at', { at: 'yesterday' }],
    ['at', { at: 1_772_357_402 }],
  ])('an invalid request is rejected under %s', async (field, change) => {
    const body = { secret: 'whsec_a', headers: {}, body: '', ...change }
    expect(await world.answer('POST', path, { body })).toBe(`400 invalid_request ${field}`)
  })

  test('neither the secret nor the body is logged or stored', async () => {
    const secret = 'whsec_NeverToBeSeenAgainInAnyLogOrTableWhatsoever'
    const given = { secret, headers: { 'X-Service-Signature': 't=1,v1=2' }, body: '{"mark":"NeverToBeSeenEither"}' }
    await verify(given)
    await world.expect(400, 'POST', path, { body: { ...given, at: 'never' } })
    await world.expect(400, 'POST', path, { body: { ...given, secret: secret.repeat(20) } })
    expect(logged.some(line => line.includes(path))).toBe(true)
    expect(logged.join('')).not.toContain('NeverToBeSeen')
  })
})
