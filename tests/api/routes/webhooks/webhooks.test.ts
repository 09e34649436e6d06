import { describe, expect, test } from 'bun:test'
import { respond, startReceiver, verifySignature } from '../../../support/receiver.ts'
import { use } from '../../../support/use.ts'
import { eventually, newPhone, useWorld } from '../../../support/world.ts'

const receiver = use(startReceiver)
const world = useWorld(() => ({
  WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target,
  WEBHOOK_RETRY_WAITS: '20ms,20ms,20ms,20ms,20ms,20ms,20ms',
}))

const create = (more: Record<string, unknown> = {}) =>
  world.expect(201, 'POST', '/v1/webhooks', { body: { url: receiver.url, events: ['customer.opted_out'], ...more } })

/** Opts a new customer out, which emits an outbound event. Returns the customer. */
const optSomebodyOut = async () => {
  const body = { type: 'a', phone: newPhone() }
  const { event } = await world.expect(201, 'POST', '/v1/events', { as: 'key', body })
  return world.expect(200, 'POST', `/v1/customers/${event.customerId}/opt-out`, {
    as: 'key',
    body: { reason: 'Asked us to' },
  })
}

const deliveryOf = (webhookId: string, done: (delivery: Record<string, unknown>) => boolean) =>
  eventually('the delivery is settled', async () => {
    const { data } = await world.expect(200, 'GET', `/v1/webhooks/${webhookId}/deliveries`)
    return data.find(done)
  })

describe('an endpoint', () => {
  test('shows its secret once and is read, listed, changed and deleted', async () => {
    const created = await create({ description: 'orders' })
    const { secret, ...record } = created
    expect(secret).toMatch(/^whsec_[A-Za-z0-9_-]{43}$/)
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
    const changed = await world.expect(200, 'PATCH', `/v1/webhooks/${created.id}`, {
      body: { description: null, events: ['message.status', 'sale.created'], enabled: false },
    })
    expect(changed).toMatchObject({
      description: null,
      events: ['message.status', 'sale.created'],
      enabled: false,
      url: receiver.url,
    })
    await world.expect(204, 'DELETE', `/v1/webhooks/${created.id}`)
    expect(await world.answer('GET', `/v1/webhooks/${created.id}`)).toBe('404 not_found')
  })

  test.each([
    [{ url: 'http://hooks.example.com/x' }, 'url'],
    [{ url: 'https://192.0.2.1/x' }, 'url'],
    [{ url: 'https://localhost/x' }, 'url'],
    [{ url: '' }, 'url'],
    [{ url: 7 }, 'url'],
    [{ url: undefined }, 'url'],
    [{ events: [] }, 'events'],
    [{ events: undefined }, 'events'],
    [{ events: ['message.status', 'message.status'] }, 'events'],
    [{ events: ['message.status', 'ping'] }, 'events.1'],
    [{ events: ['order.created'] }, 'events.0'],
    [{ description: 'x'.repeat(501) }, 'description'],
    [{ name: '' }, 'name'],
    [{ name: ' \t' }, 'name'],
    [{ secret: 'mine' }, 'secret'],
  ])('with %j is rejected and the field is named', async (change, field) => {
    const body = { url: 'https://hooks.example.com/x', events: ['message.status'], ...change }
    const reply = await world.call('POST', '/v1/webhooks', { body })
    expect(reply.status).toBe(400)
    expect(Object.keys(reply.body.error.details)).toContain(field)
  })

  test('rejects custom headers without an encryption key', async () => {
    const body = {
      url: 'https://hooks.example.com/x',
      events: ['message.status'],
      headers: { Authorization: 'secret' },
    }
    const { id } = await create({ headers: {} })
    for (const refused of [
      await world.expect(422, 'POST', '/v1/webhooks', { body }),
      await world.expect(422, 'PATCH', `/v1/webhooks/${id}`, { body: { headers: body.headers } }),
    ])
      expect(refused.error.message).toContain('SECRETS_KEY')
    await world.expect(204, 'DELETE', `/v1/webhooks/${id}`)
  })

  test('is limited to ten per workspace, also with twenty concurrent calls', async () => {
    const as = await world.otherOwner()
    const body = { url: 'https://hooks.example.com/x', events: ['message.status'] }
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => world.call('POST', '/v1/webhooks', { as, body })),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([...Array(10).fill(201), ...Array(10).fill(422)])
    const { data } = await world.expect(200, 'GET', '/v1/webhooks', { as })
    expect(data).toHaveLength(10)
    await world.expect(204, 'DELETE', `/v1/webhooks/${data[0].id}`, { as })
    await world.expect(201, 'POST', '/v1/webhooks', { as, body })
  })
})

describe('a delivery', () => {
  test('has the headers, the body and a signature that the receiver can verify', async () => {
    const { id, secret } = await create()
    const customer = await optSomebodyOut()
    const requests = await receiver.waitFor(({ requests }) =>
      requests.some(({ body }) => body.includes(customer.phone)),
    )
    const request = requests.find(({ body }) => body.includes(customer.phone))!
    const body = JSON.parse(request.body)
    expect(body).toEqual({
      id: request.headers['x-service-event-id'],
      type: 'customer.opted_out',
      createdAt: expect.stringMatching(/Z$/),
      workspaceId: world.workspaceId,
      data: { channel: null, handle: customer.phone, scope: 'all', reason: 'Asked us to' },
    })
    expect(request).toMatchObject({ method: 'POST', path: '/hook' })
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'x-service-event': 'customer.opted_out',
    })
    expect(verifySignature(request.headers['x-service-signature']!, request.body, secret, Date.now() / 1000)).toBe(true)
    const delivery = await deliveryOf(id, ({ status }) => status === 'delivered')
    expect(delivery).toEqual({
      id: request.headers['x-service-delivery'],
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
    const detail = await world.expect(200, 'GET', `/v1/webhooks/${id}/deliveries/${(delivery as { id: string }).id}`)
    expect(detail.request.body).toBe(request.body)
    expect(detail.request.headers['X-Service-Signature']).toBe(request.headers['x-service-signature'])
    expect(detail.attemptLog).toEqual([
      { at: expect.any(String), statusCode: 200, error: null, durationMs: expect.any(Number), responseBody: 'ok' },
    ])
    await world.expect(204, 'DELETE', `/v1/webhooks/${id}`)
  })

  test('is made once per opt-out, and not again when the customer opts out again', async () => {
    const { id } = await create()
    const customer = await optSomebodyOut()
    await world.expect(200, 'POST', `/v1/customers/${customer.id}/opt-out`, { as: 'key', body: { reason: 'again' } })
    const [{ count }] = (await world.database.sql`
      select count(*)::integer as count from outbound_events where data ->> 'handle' = ${customer.phone}`) as unknown as [
      { count: number },
    ]
    expect(count).toBe(1)
    await world.expect(204, 'DELETE', `/v1/webhooks/${id}`)
  })

  test('that never succeeds fails after eight attempts, and each manual retry makes one more', async () => {
    receiver.behave(respond(500, 'broken'))
    const { id } = await create()
    await optSomebodyOut()
    const failed = await deliveryOf(id, ({ status }) => status === 'failed')
    expect(failed).toMatchObject({ attempts: 8, statusCode: 500, nextAttemptAt: null })
    const path = `/v1/webhooks/${id}/deliveries/${failed.id}`
    const { attemptLog } = await world.expect(200, 'GET', path)
    expect(
      attemptLog.map(({ statusCode, responseBody }: Record<string, unknown>) => `${statusCode} ${responseBody}`),
    ).toEqual(Array(8).fill('500 broken'))

    expect(await world.expect(202, 'POST', `${path}/retry`)).toMatchObject({
      id: failed.id,
      status: 'retrying',
      attempts: 8,
    })
    const ninth = await deliveryOf(id, ({ status, attempts }) => status === 'failed' && attempts === 9)
    expect(ninth.nextAttemptAt).toBeNull()

    receiver.behave(respond(204, ''))
    await world.expect(202, 'POST', `${path}/retry`)
    await deliveryOf(id, ({ status, attempts }) => status === 'delivered' && attempts === 10)
    expect(await world.answer('POST', `${path}/retry`)).toBe('422 unprocessable')
    receiver.behave(respond())
    await world.expect(204, 'DELETE', `/v1/webhooks/${id}`)
  })

  test('for a ping goes to one endpoint, regardless of its subscriptions', async () => {
    const [one, other] = [await create({ events: ['sale.created'] }), await create({ events: ['sale.created'] })]
    const pinged = await world.expect(202, 'POST', `/v1/webhooks/${one.id}/test`)
    expect(pinged).toMatchObject({ eventType: 'ping', status: 'pending', attempts: 0 })
    await deliveryOf(one.id, ({ id, status }) => id === pinged.id && status === 'delivered')
    const request = receiver.requests.find(({ headers }) => headers['x-service-delivery'] === pinged.id)!
    expect(JSON.parse(request.body)).toMatchObject({ type: 'ping', data: { webhookId: one.id } })
    expect((await world.expect(200, 'GET', `/v1/webhooks/${other.id}/deliveries`)).data).toEqual([])
    for (const { id } of [one, other]) await world.expect(204, 'DELETE', `/v1/webhooks/${id}`)
  })

  test('waits while the endpoint is switched off, and is sent when it is switched on', async () => {
    const { id } = await create()
    await world.expect(200, 'PATCH', `/v1/webhooks/${id}`, { body: { enabled: false } })
    const held = await world.expect(202, 'POST', `/v1/webhooks/${id}/test`)
    await optSomebodyOut()
    const other = await create()
    await world.expect(202, 'POST', `/v1/webhooks/${other.id}/test`)
    await deliveryOf(other.id, ({ status }) => status === 'delivered')
    const { data } = await world.expect(200, 'GET', `/v1/webhooks/${id}/deliveries`)
    expect(data.map((delivery: Record<string, unknown>) => [delivery.id, delivery.status, delivery.attempts])).toEqual([
      [held.id, 'pending', 0],
    ])
    await world.expect(200, 'PATCH', `/v1/webhooks/${id}`, { body: { enabled: true } })
    await deliveryOf(id, delivery => delivery.id === held.id && delivery.status === 'delivered')
    for (const webhook of [id, other.id]) await world.expect(204, 'DELETE', `/v1/webhooks/${webhook}`)
  })

  test('has signatures of both secrets for 24 hours after a rotation, and then only of the new one', async () => {
    const { id, secret: old } = await create()
    const { secret } = await world.expect(200, 'POST', `/v1/webhooks/${id}/secret`)
    expect(secret).toMatch(/^whsec_[A-Za-z0-9_-]{43}$/)
    expect(secret).not.toBe(old)
    /** Returns for each signature of a new delivery, in order, the secret it verifies with. */
    const signers = async () => {
      const pinged = await world.expect(202, 'POST', `/v1/webhooks/${id}/test`)
      await deliveryOf(id, delivery => delivery.id === pinged.id && delivery.status === 'delivered')
      const { headers, body } = receiver.requests.find(request => request.headers['x-service-delivery'] === pinged.id)!
      const [t, ...signatures] = headers['x-service-signature']!.split(',')
      return signatures.map(signature => {
        const holds = (key: string) => verifySignature(`${t},${signature}`, body, key, Date.now() / 1000)
        return [holds(secret) && 'new', holds(old) && 'old'].filter(Boolean).join()
      })
    }
    const letPass = (time: string) => world.database.sql`
      update webhooks set previous_secret_until = previous_secret_until - ${time}::interval where id = ${id}`
    expect(await signers()).toEqual(['new', 'old'])
    await letPass('23 hours 59 minutes')
    expect(await signers()).toEqual(['new', 'old'])
    await letPass('1 minute')
    expect(await signers()).toEqual(['new'])
    await world.expect(204, 'DELETE', `/v1/webhooks/${id}`)
  })

  test('is listed newest first, and the first page has fifty', async () => {
    const { id } = await create()
    for (let i = 0; i < 52; i++) await world.expect(202, 'POST', `/v1/webhooks/${id}/test`)
    const { data } = await world.expect(200, 'GET', `/v1/webhooks/${id}/deliveries`)
    expect(data).toHaveLength(50)
    const created = data.map((delivery: { createdAt: string }) => delivery.createdAt)
    expect(created).toEqual([...created].sort().reverse())
  })
})
