/** Tests of the settings of an endpoint, and of hold, release, health and bulk replay. */
import { afterEach, describe, expect, test } from 'bun:test'
import { toReservations } from '../../../../src/app/workers/endpoint-rate-limit.ts'
import { reservePermits } from '../../../../src/webhooks/endpoints/index.ts'
import { startMailServer } from '../../../support/mail-server.ts'
import { tell } from '../../../support/outbox.ts'
import { respond, startReceiver } from '../../../support/receiver.ts'
import { use } from '../../../support/use.ts'
import { play } from '../../../support/workflows.ts'
import { eventually, newPhone, useWorld } from '../../../support/world.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads response bodies of any shape
type Body = any

const receiver = use(startReceiver)
const post = use(startMailServer)
const world = useWorld(() => ({
  WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target,
  WEBHOOK_RETRY_WAITS: Array(7).fill('5ms').join(),
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  SMTP_URL: post.url,
  MAIL_FROM: 'engage@shop.example',
  PUBLIC_URL: 'https://engage.example.com',
}))

let made: string[] = []
afterEach(async () => {
  receiver.behave(respond())
  for (const id of made) await world.expect(204, 'DELETE', `/v1/webhooks/${id}`)
  made = []
})

/** Creates an endpoint with a unique path at the receiver. It is deleted after the test. */
const create = async (more: object = {}): Promise<Body> => {
  const webhook = await world.expect(201, 'POST', '/v1/webhooks', {
    body: { url: `${receiver.url}/${crypto.randomUUID()}`, events: ['campaign.completed'], ...more },
  })
  made.push(webhook.id)
  return webhook
}

const change = (id: string, body: object): Promise<Body> => world.expect(200, 'PATCH', `/v1/webhooks/${id}`, { body })
const read = (path: string): Promise<Body> => world.expect(200, 'GET', path)
const hold = (id: string): Promise<Body> => world.expect(200, 'POST', `/v1/webhooks/${id}/hold`)
const release = (id: string): Promise<Body> => world.expect(200, 'POST', `/v1/webhooks/${id}/release`)
const health = (id: string): Promise<Body> => read(`/v1/webhooks/${id}/health`)
const deliveries = async (id: string, query = ''): Promise<Body[]> =>
  (await read(`/v1/webhooks/${id}/deliveries${query}`)).data

/** Emits events of a completed campaign. Returns the ids of the events. */
const happen = (count = 1, data = {}): Promise<string[]> =>
  tell(world.database.sql, world.workspaceId, 'campaign.completed', { count, data })

const received = ({ url }: { url: string }) => {
  const { pathname } = new URL(url)
  return receiver.requests.filter(({ path }) => path === pathname)
}

const receives = (webhook: { url: string }, count: number) =>
  eventually(`${count} requests came in`, () => received(webhook).length >= count && received(webhook), 20_000)

/** Makes more deliveries fail permanently. */
const fail = async (webhook: Body, more: number): Promise<void> => {
  const count = more + (await deliveries(webhook.id, '?status=failed')).length
  receiver.behave(respond(500))
  await happen(more)
  await eventually('all have failed', async () => {
    const { data } = await read(`/v1/webhooks/${webhook.id}/deliveries?status=failed&limit=100`)
    return data.length === count
  })
}

/** Resolves when the failures are stored, which happens once a second. */
const noted = ({ id }: Body, attempts: number) =>
  eventually(`${attempts} failures are saved`, async () => {
    const [row] = await world.database.sql<{ attempts: number }[]>`
      select failed_attempts as attempts from webhook_health where webhook_id = ${id} and failing_since is not null`
    return row?.attempts === attempts
  })

test('the settings of an endpoint are stored, changed and cleared', async () => {
  const said = {
    name: 'Orders',
    metadata: { team: 'checkout', __proto__x: 'y' },
    ratePerSecond: 1000,
    maxConcurrency: 500,
    filter: { all: [{ path: 'data.sent', op: 'gte', value: 20 }] },
  }
  const webhook = await create({ ...said, headers: { 'X-Token': 'a secret of ours' } })
  expect(webhook).toMatchObject({ ...said, headers: ['X-Token'] })
  expect(await read(`/v1/webhooks/${webhook.id}`)).toMatchObject({ ...said, headers: ['X-Token'] })
  const changed = await change(webhook.id, { name: 'Sales', metadata: {} })
  expect(changed).toMatchObject({ ...said, name: 'Sales', metadata: {}, headers: ['X-Token'] })
  const nothing = { name: null, metadata: {}, headers: {}, ratePerSecond: null, maxConcurrency: null, filter: null }
  expect(await change(webhook.id, nothing)).toMatchObject({ ...nothing, headers: [] })
})

test('custom headers are sent with every attempt, are in no response, and are stored encrypted', async () => {
  const webhook = await create({ headers: { Authorization: 'Bearer 0d1f7c', 'user-agent': 'shop/1' } })
  await happen()
  const [request] = await receives(webhook, 1)
  expect(request!.headers).toMatchObject({ authorization: 'Bearer 0d1f7c', 'user-agent': 'shop/1' })
  expect(request!.headers['x-service-event']).toBe('campaign.completed')
  const [{ id }] = (await deliveries(webhook.id)) as [Body]
  const delivery = await eventually('it is saved', async () => {
    const found = await read(`/v1/webhooks/${webhook.id}/deliveries/${id}`)
    return found.attempts === 1 && found
  })
  // An owner's User-Agent replaced the default one.
  expect(Object.keys(delivery.request.headers)).not.toContain('User-Agent')
  const rows = await world.database.sql`select w::text as row from webhooks w`
  for (const answer of [webhook, delivery, rows, await read('/v1/webhooks'), await read(`/v1/webhooks/${webhook.id}`)])
    expect(JSON.stringify(answer)).not.toContain('0d1f7c')

  await change(webhook.id, { headers: { 'X-Token': 'other' } })
  await happen()
  const [, second] = await receives(webhook, 2)
  expect(second!.headers).toMatchObject({ 'x-token': 'other', 'user-agent': 'customer-engagement-service' })
  expect(second!.headers.authorization).toBeUndefined()

  // Nothing is sent without headers that cannot be decrypted.
  await world.database.sql`update webhooks set headers = '\\x0102' where id = ${webhook.id}`
  await happen()
  const failed = await eventually('it has failed', async () => (await deliveries(webhook.id, '?status=failed'))[0])
  expect(failed).toMatchObject({ statusCode: null, error: 'own headers cannot be read' })
  expect(received(webhook)).toHaveLength(2)
})

test('a filter selects events, also in the emitting process, and is the reason of a skipped one', async () => {
  const choosy = await create({ filter: { path: 'data.sent', op: 'gte', value: 20 } })
  const [all, elsewhere] = [await create(), await create({ events: ['sale.created'] })]
  const [few] = await happen(1, { sent: 19 })
  const [many] = await happen(1, { sent: 20 })
  await receives(choosy, 1)
  await receives(all, 2)
  expect(received(choosy).map(({ headers }) => headers['x-service-event-id'])).toEqual([many!])
  const told = await read(`/v1/outbound-events/${few}`)
  const reasonFor = ({ id }: Body) => told.destinations.find(({ webhookId }: Body) => webhookId === id).reason
  expect([choosy, all, elsewhere].map(reasonFor)).toEqual(['filter', null, 'not_subscribed'])
  expect(told).toMatchObject({ sentTo: 1, passedOver: 2 })

  // The process that opts a customer out fans the event out itself.
  const filter = { path: 'data.reason', op: 'contains', value: 'moved' }
  const moved = await create({ events: ['customer.opted_out'], filter })
  for (const reason of ['Asked us to', 'Has moved away']) {
    const { id } = await world.expect(201, 'POST', '/v1/customers', { body: { phone: newPhone() } })
    await world.expect(200, 'POST', `/v1/customers/${id}/opt-out`, { body: { reason } })
  }
  await receives(moved, 1)
  expect(received(moved).map(({ body }) => JSON.parse(body).data.reason)).toEqual(['Has moved away'])
  const { data } = await read('/v1/outbound-events?type=customer.opted_out')
  expect(data.map(({ sentTo }: Body) => sentTo)).toEqual([1, 0])
})

test('a rate leaves slightly more than a second between an attempt and the one that exceeds the limit', async () => {
  const { sql } = world.database
  const { id: webhookId } = await create()
  const of = { workspaceId: world.workspaceId, webhookId, ratePerSecond: 10, wanted: 10 }
  const before = performance.now()
  expect((await reservePermits(sql, of)).given).toBe(10)
  const next = await reservePermits(sql, of)
  expect(next.inMs + performance.now() - before).toBeGreaterThanOrEqual(1029)
  const reservations = toReservations({ given: 10, inMs: 0 }, 10)
  expect((reservations[9]!.at - reservations[0]!.at) / 9).toBeCloseTo(103)
})

test('the owners get a mail when an endpoint has failed for minutes, once for each failure and once an hour', async () => {
  const { sql } = world.database
  const { as, email } = await world.person('owner')
  const { email: muted, as: asMuted } = await world.person('owner')
  await world.expect(200, 'PATCH', '/v1/auth/user', { as: asMuted, body: { mutedEmails: ['endpoint_failing'] } })
  const webhook = await create({ name: 'Orders' })
  const failFor = async (minutes: number, attempts: number) => {
    await sql`update webhook_health set failing_since = now() - ${minutes} * interval '1 minute' where webhook_id = ${webhook.id}`
    await happen()
    await noted(webhook, attempts)
    const [row] = await sql<{ at: Date | null }[]>`
      select mailed_at as at from webhook_health where webhook_id = ${webhook.id}`
    return row!.at?.getTime() ?? null
  }
  const recover = async () => {
    receiver.behave(respond())
    await happen()
    await eventually('it is healthy', async () => (await health(webhook.id)).state === 'healthy')
    await fail(webhook, 1)
    await noted(webhook, 8)
  }
  await fail(webhook, 1)
  await noted(webhook, 8)
  expect(await failFor(4, 16)).toBeNull()
  const first = await failFor(6, 24)
  for (const to of [world.owner.email, email]) {
    const { subject, text } = await post.mailTo(to)
    expect(subject).toBe('A webhook endpoint is failing')
    expect(text).toContain('The last response had the status 500.')
    expect(text).toContain(`\r\nhttps://engage.example.com/webhooks/${webhook.id}\r\n`)
    expect(text).not.toContain(new URL(webhook.url).pathname)
  }
  // Another attempt of the same failure, and another failure within the hour.
  expect(await failFor(6, 32)).toBe(first)
  await recover()
  expect(await failFor(6, 16)).toBe(first)
  await sql`update webhook_health set mailed_at = now() - interval '61 minutes' where webhook_id = ${webhook.id}`
  expect(await failFor(6, 24)).toBeGreaterThan(first!)
  for (const to of [world.owner.email, email]) await post.mailTo(to)
  expect(post.taken.filter(({ to }) => to.includes(muted))).toEqual([])
  const mutedEmails = ['endpoint_failing', 'endpoint_paused']
  for (const person of [as, asMuted])
    await world.expect(200, 'PATCH', '/v1/auth/user', { as: person, body: { mutedEmails } })
})

describe('an endpoint on hold', () => {
  test('receives nothing, and after the release its deliveries oldest first within the rate, across restarts', async () => {
    const webhook = await create({ ratePerSecond: 10 })
    const { heldAt, ...held } = await hold(webhook.id)
    expect(held).toMatchObject({ enabled: true, heldBy: 'owner' })
    await happen(15)
    await eventually('all are made', async () => (await deliveries(webhook.id)).length === 15)
    await world.expect(202, 'POST', `/v1/webhooks/${webhook.id}/test`)
    await world.restart()
    const now = await health(webhook.id)
    expect(now).toMatchObject({ state: 'held', since: heldAt, waiting: 16, nextAttemptAt: null })
    expect(received(webhook)).toEqual([])

    const released = Date.now()
    expect(await release(webhook.id)).toMatchObject({ heldAt: null, heldBy: null })
    await receives(webhook, 5)
    await world.restart()
    await eventually('all are delivered', async () => (await deliveries(webhook.id, '?status=delivered')).length === 16)
    // The first attempt can be immediate. Each later one follows at least a tenth of a second after the previous one.
    for (const [place, { receivedAt }] of received(webhook).entries())
      expect(receivedAt.getTime() - released).toBeGreaterThanOrEqual(place * 100 - 20)
    const times = (await deliveries(webhook.id)).map(({ lastAttemptAt }) => lastAttemptAt)
    expect(times).toEqual(times.toSorted().reverse())
  })

  test('is put on hold by the service after five days of failures and at least twenty failed attempts', async () => {
    const { sql } = world.database
    const { as } = await world.person('owner')
    await world.expect(200, 'PATCH', '/v1/auth/user', {
      as,
      body: { mutedEmails: ['endpoint_paused', 'endpoint_failing'] },
    })
    await world.expect(200, 'PATCH', '/v1/auth/user', { body: { mutedEmails: ['endpoint_failing'] } })
    const webhook = await create()
    await fail(webhook, 1)
    await noted(webhook, 8)
    expect(await health(webhook.id)).toMatchObject({ state: 'failing', lastSuccessAt: null })
    // Five days are over, but there are too few failures.
    await sql`update webhook_health set failing_since = now() - interval '5 days 1 second' where webhook_id = ${webhook.id}`
    await happen()
    await noted(webhook, 16)
    expect((await health(webhook.id)).state).toBe('failing')
    await happen()
    await eventually('it is held', async () => (await health(webhook.id)).state === 'held')
    expect(await read(`/v1/webhooks/${webhook.id}`)).toMatchObject({ enabled: true, heldBy: 'service' })
    const mail = await post.mailTo(world.owner.email)
    expect(mail.subject).toBe('A webhook endpoint was paused')
    const { heldAt } = await read(`/v1/webhooks/${webhook.id}`)
    expect(mail.text).toContain(`The endpoint was paused at ${heldAt.slice(0, 16).replace('T', ' ')} UTC.`)
    expect(mail.text).toContain(`\r\nhttps://engage.example.com/webhooks/${webhook.id}\r\n`)
    expect(mail.text).toContain(`POST https://engage.example.com/v1/webhooks/${webhook.id}/release`)
    expect(mail.text).not.toContain(new URL(webhook.url).pathname)

    const count = received(webhook).length
    await happen()
    await eventually('it waits', async () => (await health(webhook.id)).waiting > 0)
    expect(received(webhook).length).toBe(count)
    receiver.behave(respond())
    await release(webhook.id)
    await eventually('it is healthy', async () => (await health(webhook.id)).state === 'healthy')
    expect(post.taken).toEqual([])
    await world.expect(200, 'PATCH', '/v1/auth/user', { body: { mutedEmails: [] } })
  })

  test('is not put on hold when one attempt succeeded', async () => {
    const webhook = await create()
    await fail(webhook, 3)
    await noted(webhook, 24)
    await world.database.sql`
      update webhook_health set failing_since = now() - interval '6 days' where webhook_id = ${webhook.id}`
    receiver.behave(respond())
    await happen()
    await eventually('it is healthy', async () => (await health(webhook.id)).state === 'healthy')
    await fail(webhook, 4)
    await eventually('it is failing again', async () => (await health(webhook.id)).state === 'failing')
    expect(Date.now() - Date.parse((await health(webhook.id)).since)).toBeLessThan(60_000)
  })
})

test('repeated hold, release, switch-on and address changes have no effect and no audit entry', async () => {
  const webhook = await create()
  const told = async (): Promise<string[]> =>
    (await read(`/v1/audit?targetId=${webhook.id}`)).data.map(({ action }: Body) => action)
  await fail(webhook, 1)
  await noted(webhook, 8)
  const failing = await health(webhook.id)
  expect(failing.state).toBe('failing')
  expect((await release(webhook.id)).updatedAt).toBe(webhook.updatedAt)
  expect(await health(webhook.id)).toMatchObject({ state: 'failing', since: failing.since })
  await change(webhook.id, { enabled: true, url: webhook.url })
  expect(await health(webhook.id)).toMatchObject({ state: 'failing', since: failing.since })
  expect(await told()).toEqual(['createWebhook'])

  const held = await hold(webhook.id)
  expect(await hold(webhook.id)).toEqual(held)
  await release(webhook.id)
  await release(webhook.id)
  expect(await told()).toEqual(['releaseWebhook', 'holdWebhook', 'createWebhook'])
  const released = await health(webhook.id)
  expect(released.state).toBe('failing')
  expect(Date.parse(released.since)).toBeGreaterThan(Date.parse(failing.since))
  expect(Date.parse(released.lastFailure.at)).toBeLessThan(Date.parse(released.since))
  const { data } = await read('/v1/attention')
  expect(data.find(({ subject }: Body) => subject.id === webhook.id)).toMatchObject({
    kind: 'endpoint_failing',
    detail: 'It was resumed, with no attempts since then. No deliveries are retrying.',
  })
  await change(webhook.id, { url: `${webhook.url}/other` })
  expect((await health(webhook.id)).state).toBe('healthy')
})

test('health shows the current state and recent attempts of an endpoint', async () => {
  const webhook = await create()
  expect(await health(webhook.id)).toEqual({
    ...{ state: 'healthy', since: webhook.created, lastSuccessAt: null, lastFailure: null },
    ...{ waiting: 0, waitingSince: null, nextAttemptAt: null, last50: [], p50Ms: null, p95Ms: null },
  })
  await happen(3)
  await eventually('three were delivered', async () => (await deliveries(webhook.id, '?status=delivered')).length === 3)
  const well = await health(webhook.id)
  expect(well).toMatchObject({ state: 'healthy', lastFailure: null, waiting: 0 })
  expect(well.last50).toHaveLength(3)
  expect(well.last50[0]).toEqual({
    ...{ deliveryId: expect.any(String), eventType: 'campaign.completed', at: well.lastSuccessAt },
    ...{ status: 'delivered', statusCode: 200, error: null, durationMs: expect.any(Number) },
  })
  expect(well.p95Ms).toBeGreaterThanOrEqual(well.p50Ms)

  await fail(webhook, 1)
  await eventually('it is failing', async () => (await health(webhook.id)).state === 'failing')
  const { lastFailure, lastSuccessAt } = await health(webhook.id)
  expect(lastFailure).toMatchObject({ statusCode: 500, error: 'answered with a status other than 2xx' })
  expect(lastSuccessAt).toBe(well.lastSuccessAt)
  await change(webhook.id, { enabled: false })
  expect((await health(webhook.id)).state).toBe('off')
})

describe('a bulk replay', () => {
  const start = (id: string, body: object, status = 202): Promise<Body> =>
    world.expect(status, 'POST', `/v1/webhooks/${id}/recoveries`, { body })

  test('attempts each failed delivery of its period, about a second of them at a time, also after a restart', async () => {
    const webhook = await create()
    await fail(webhook, 8)
    receiver.behave(respond())
    await change(webhook.id, { ratePerSecond: 2 })
    const past = { since: '2020-01-01T00:00:00Z', until: '2020-01-02T00:00:00Z' }
    expect(await start(webhook.id, past)).toMatchObject({ status: 'completed', total: 0, done: 0 })
    const reversed = { since: past.until, until: past.since }
    expect((await start(webhook.id, reversed, 400)).error.details).toHaveProperty('since')

    const recovery = await start(webhook.id, { since: webhook.created })
    expect(recovery).toMatchObject({ webhookId: webhook.id, status: 'running', total: 8, finishedAt: null })
    await world.restart()
    const path = `/v1/webhooks/${webhook.id}/recoveries/${recovery.id}`
    const waiting = new Set<number>()
    const ended = await eventually('it is completed', async () => {
      waiting.add((await health(webhook.id)).waiting)
      const now = await read(path)
      return now.status === 'completed' && now
    })
    expect(ended).toMatchObject({ total: 8, done: 8, finishedAt: expect.any(String) })
    // New deliveries would not be delayed by more.
    expect(Math.max(...waiting)).toBeLessThanOrEqual(2)
    expect(await deliveries(webhook.id, '?status=failed')).toEqual([])
    await world.expect(204, 'DELETE', path)
    expect((await read(path)).status).toBe('completed')
  })

  test('runs alone, pauses while its endpoint is on hold, and leaves the rest failed when cancelled', async () => {
    const webhook = await create()
    await fail(webhook, 3)
    await hold(webhook.id)
    const recovery = await start(webhook.id, { since: webhook.created })
    await start(webhook.id, { since: webhook.created }, 409)
    receiver.behave(respond())
    const path = `/v1/webhooks/${webhook.id}/recoveries/${recovery.id}`
    for (let time = 0; time < 2; time++) await world.expect(204, 'DELETE', path)
    expect(await read(path)).toMatchObject({ status: 'cancelled', total: 3, done: 0 })
    await release(webhook.id)
    expect(await deliveries(webhook.id, '?status=failed')).toHaveLength(3)
  })
})

test('an outbound event is sent again to its endpoint, and to an endpoint created later', async () => {
  const send = (eventId: string, webhookId: string, status = 202): Promise<Body> =>
    world.expect(status, 'POST', `/v1/outbound-events/${eventId}/send`, { body: { webhookId } })
  const webhook = await create()
  const [eventId] = (await happen()) as [string]
  const [first] = await receives(webhook, 1)
  const later = await create({ events: ['sale.created'] })
  const again = await send(eventId, webhook.id)
  expect(again).toMatchObject({ eventId, eventType: 'campaign.completed', status: 'pending', attempts: 0 })
  await send(eventId, later.id)
  await send(eventId, crypto.randomUUID(), 400)
  const [, second] = await receives(webhook, 2)
  const [third] = await receives(later, 1)
  expect([second!.body, third!.body]).toEqual([first!.body, first!.body])
  expect(second!.headers['x-service-delivery']).toBe(again.id)
  expect(first!.headers['x-service-delivery']).not.toBe(again.id)
  const found: Body[] = await eventually('both are delivered', async () => {
    const { destinations } = await read(`/v1/outbound-events/${eventId}`)
    const two = destinations.filter(({ webhookId }: Body) => [webhook.id, later.id].includes(webhookId))
    return two.every(({ status }: Body) => status === 'delivered') && two
  })
  expect(found.map(({ reason }) => reason)).toEqual([null, null])
  expect(found.map(({ deliveryId }) => deliveryId)).toContain(again.id)
})

test('deliveries are listed by status and event type, in pages', async () => {
  const webhook = await create()
  await fail(webhook, 5)
  receiver.behave(respond())
  await happen(3)
  await world.expect(202, 'POST', `/v1/webhooks/${webhook.id}/test`)
  await eventually('they are delivered', async () => (await deliveries(webhook.id, '?status=delivered')).length === 4)
  const all = await deliveries(webhook.id)
  expect(all).toHaveLength(9)

  for (const query of ['limit=4', 'limit=2&status=failed', 'limit=3&status=delivered&eventType=campaign.completed']) {
    const pages = (await world.pages(`/v1/webhooks/${webhook.id}/deliveries?${query}`)).flat()
    const wanted = new URLSearchParams(query)
    const matches = ({ status, eventType }: Body) =>
      [status, null].includes(wanted.get('status')) && [eventType, null].includes(wanted.get('eventType'))
    expect(pages).toEqual(all.filter(matches))
  }
  // Without a query, the list has the newest fifty and a cursor for the older ones.
  const path = `/v1/webhooks/${webhook.id}/deliveries`
  expect(await read(path)).toEqual({ data: all, nextCursor: null })
  const newer = await happen(45)
  const newest = await eventually('they are listed', async () => {
    const page = await read(path)
    return page.nextCursor !== null && page
  })
  expect(newest.data.slice(0, 45).map(({ eventId }: Body) => eventId)).toEqual(newer.toReversed())
  expect(await read(`${path}?cursor=${newest.nextCursor}`)).toEqual({ data: all.slice(5), nextCursor: null })
  expect(await deliveries(webhook.id, '?eventType=ping')).toHaveLength(1)
  expect(await deliveries(webhook.id, '?eventType=message.status')).toEqual([])
})

test('an event has its messages for the key that recorded it', async () => {
  await world.sandbox()
  const { workflow, event, phone } = play(() => world)
  const say = (text: string, next: string | null) => ({ type: 'send_message', text, next })
  const steps = { thank: say('Thank you', 'more'), more: say('Come again', null) }
  await workflow({ trigger: { eventType: 'order.paid' }, start: 'thank', steps })
  const { event: recorded, outcomes } = await event('order.paid', phone())
  const found = await eventually('both are delivered', async () => {
    const now = await world.expect(200, 'GET', `/v1/events/${recorded.id}`, { as: 'key' })
    return now.messages.length === 2 && now.messages.every(({ status }: Body) => status === 'delivered') && now
  })
  const { data } = await read(`/v1/messages?customerId=${recorded.customerId}`)
  const { runId } = outcomes[0]
  expect(found.messages).toEqual(
    data.toReversed().map(({ id, providerMessageId, status }: Body) => ({ id, runId, providerMessageId, status })),
  )
})
