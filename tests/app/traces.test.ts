/** Tests of traces, from a request to the headers that a receiver gets. */
import { describe, expect, test } from 'bun:test'
import { respond, startReceiver } from '../support/receiver.ts'
import { use } from '../support/use.ts'
import { eventually, newPhone, startWorld, type World } from '../support/world.ts'
import { type Collector, startCollector } from './otlp-receiver.ts'

const receiver = use(startReceiver)
const traceId = '0af7651916cd43dd8448eb211c80319c'
const traceparent = `00-${traceId}-b7ad6b7169203331-01`

const start = (settings: Record<string, string> = {}) =>
  startWorld({ WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target, ...settings })

/** Creates a workflow that sends a message, with or without a wait, and an endpoint. */
const prepare = async (world: World) => {
  await world.sandbox()
  const say = { type: 'send_message', text: 'Hello', next: null }
  await world.workflow({ trigger: { eventType: 'asked' }, start: 'say', steps: { say } })
  const wait = { type: 'delay', for: '1s', next: 'say' }
  await world.workflow({ trigger: { eventType: 'later' }, start: 'wait', steps: { wait, say } })
  await world.expect(201, 'POST', '/v1/webhooks', { body: { url: receiver.url, events: ['message.status'] } })
}

const record = (world: World, type: string, headers: Record<string, string> = {}) =>
  world.expect(201, 'POST', '/v1/events', { as: 'key', headers, body: { type, phone: newPhone() } })

/** Returns the delivery for an event. */
const deliveryFor = async (eventId: string) => {
  await receiver.waitFor(({ requests }) => requests.some(({ body }) => JSON.parse(body).data.eventId === eventId))
  return receiver.requests.find(({ body }) => JSON.parse(body).data.eventId === eventId)!
}

const partsOf = (header: string) => /^00-([0-9a-f]{32})-([0-9a-f]{16})-0[01]$/.exec(header)!.slice(1)

describe('with an exporter', () => {
  const collector = use(startCollector)
  const traced = use(async () => {
    const world = await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc',
      OTEL_SERVICE_NAME: 'shop',
    })
    await prepare(world)
    return world
  })

  test.each(['asked', 'later'])('the request, run, message and delivery of the event %s form one trace', async type => {
    const { event } = await record(traced, type, { traceparent })
    const delivery = await deliveryFor(event.id)
    const [trace, parent] = partsOf(delivery.headers.traceparent!)
    expect(trace).toBe(traceId)
    const named = (name: string) => collector.spans.filter(span => span.name === name && span.traceId === traceId)
    const attempt = await eventually('the attempt is exported', () =>
      named('delivery attempt').find(({ spanId }) => spanId === parent),
    )
    expect(attempt.attributes).toMatchObject({ 'delivery.status': 'delivered', 'http.response.status_code': 200 })
    const request = named('POST /v1/events').at(-1)!
    expect(request).toMatchObject({ parentId: 'b7ad6b7169203331', attributes: { 'http.route': '/v1/events' } })
    const outbound = named('outbound event').find(({ spanId }) => spanId === attempt.parentId)!
    const { messageId } = JSON.parse(delivery.body).data
    const message = named('message').find(({ attributes }) => attributes['message.id'] === messageId)!
    expect(message).toMatchObject({ parentId: request.spanId, attributes: { 'message.status': 'delivered' } })
    expect(outbound.parentId).toBe(request.spanId)
    const steps = named('run step').filter(({ parentId }) => parentId === request.spanId)
    expect(steps.map(({ attributes }) => attributes['step.id'])).toContain('say')
    const batch = collector.spans.find(span => span.name === 'ingest batch' && span.links.includes(traceId))!
    expect(batch.traceId).not.toBe(traceId)
    expect(collector.resource).toMatchObject({ 'service.name': 'shop' })
    expect(collector.headers[0]!.get('authorization')).toBe('Bearer abc')
    expect([request, message, attempt].some(({ hasFailed }) => hasFailed)).toBe(false)
  })

  test('a request without a context starts a trace, and an unsampled one exports nothing', async () => {
    const { event } = await record(traced, 'asked')
    const [trace] = partsOf((await deliveryFor(event.id)).headers.traceparent!)
    expect(trace).not.toBe(traceId)
    const other = 'c'.repeat(32)
    const { event: unsampled } = await record(traced, 'asked', { traceparent: `00-${other}-b7ad6b7169203331-00` })
    expect((await deliveryFor(unsampled.id)).headers.traceparent).toMatch(new RegExp(`^00-${other}-[0-9a-f]{16}-00$`))
    await eventually('the trace is exported', () => collector.spans.some(span => span.traceId === trace))
    expect(collector.spans.filter(span => span.traceId === other)).toEqual([])
  })
})

test('an event without a trace has one trace, which its ID gives, for all endpoints and attempts', async () => {
  const collector = await startCollector()
  const receivers = await Promise.all([1, 2].map(() => startReceiver()))
  for (const { behave } of receivers) behave(respond(503), respond())
  const settings = {
    WEBHOOK_ALLOWED_PRIVATE_TARGETS: receivers.map(({ target }) => target).join(),
    WEBHOOK_RETRY_WAITS: Array(7).fill('20ms').join(),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  }
  await using world = await start(settings)
  try {
    for (const { url } of receivers)
      await world.expect(201, 'POST', '/v1/webhooks', { body: { url, events: ['sale.created'] } })
    const channelId = await world.sandbox()
    await record(world, 'asked')
    const [customer] = (await world.expect(200, 'GET', '/v1/customers')).data
    const body = { customerId: customer.id, channelId }
    const { id } = await world.expect(201, 'POST', '/v1/conversations', { body })
    const sale = { amount: 5, currency: 'EUR' }
    await world.expect(201, 'POST', `/v1/conversations/${id}/sale`, { body: sale })
    for (const { waitFor } of receivers) await waitFor(2)
    const attempts = receivers.flatMap(({ requests }) => requests)
    const ids = new Set(attempts.map(({ headers }) => headers['x-service-event-id']!))
    expect(ids.size).toBe(1)
    const trace = [...ids][0]!.replaceAll('-', '')
    const parts = attempts.map(({ headers }) => partsOf(headers.traceparent!))
    expect(parts.map(([id]) => id)).toEqual(Array(4).fill(trace))
    expect(new Set(parts.map(([, parent]) => parent)).size).toBe(4)
    await eventually('every attempt is exported in the trace', () =>
      parts.every(([, parent]) =>
        collector.spans.some(({ spanId, traceId }) => spanId === parent && traceId === trace),
      ),
    )
  } finally {
    for (const { stop } of [...receivers, collector]) await stop()
  }
})

test('without an exporter, the context that the sender gave is passed on', async () => {
  await using world = await start()
  await prepare(world)
  const { event } = await record(world, 'asked', { traceparent })
  expect((await deliveryFor(event.id)).headers.traceparent).toBe(traceparent)
  const { event: other } = await record(world, 'asked', { traceparent: 'nonsense' })
  expect((await deliveryFor(other.id)).headers.traceparent).toBeUndefined()
})

test('deliveries about a sale, a failed run and a failed delivery carry the trace of the event', async () => {
  const failing = await startReceiver({ behaviour: respond(500) })
  const settings = {
    WEBHOOK_ALLOWED_PRIVATE_TARGETS: `${receiver.target},${failing.target}`,
    WEBHOOK_RETRY_WAITS: Array(7).fill('20ms').join(),
  }
  await using world = await start(settings)
  try {
    await prepare(world)
    await world.expect(201, 'POST', '/v1/webhooks', { body: { url: failing.url, events: ['message.status'] } })
    const types = ['sale.created', 'run.failed', 'delivery.failed']
    await world.expect(201, 'POST', '/v1/webhooks', { body: { url: receiver.url, events: types } })
    const say = { type: 'send_message', text: 'Hello', next: 'sell' }
    const sell = { type: 'mark_sale', amount: '5.00', currency: 'EUR', next: null }
    await world.workflow({ trigger: { eventType: 'bought' }, start: 'say', steps: { say, sell } })
    const wait = { type: 'delay', for: '1h', next: 'wait' }
    await world.workflow({ trigger: { eventType: 'loops' }, start: 'wait', steps: { wait } })
    for (const type of ['bought', 'loops']) await record(world, type, { traceparent })
    await eventually('the run with too many steps is due', async () => {
      const { count } = await world.database.sql`
        update workflow_runs set steps_taken = 1000, wake_at = now() where step_id = 'wait' and status = 'active'`
      return count === 1
    })
    const find = (type: string) => receiver.requests.find(({ headers }) => headers['x-service-event'] === type)
    await receiver.waitFor(() => types.every(find))
    expect(types.map(type => find(type)!.headers.traceparent)).toEqual(types.map(() => traceparent))
  } finally {
    await failing.stop()
  }
})

test('a collector that hangs delays no request and no delivery, and the end only by a limited time', async () => {
  const hanging = Promise.withResolvers<Response>()
  const collector: Collector = await startCollector(() => hanging.promise)
  const world = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
  try {
    await prepare(world)
    const events = Array.from({ length: 500 }, () => ({ type: 'unheard', phone: newPhone() }))
    for (let n = 0; n < 12; n++) await world.expect(200, 'POST', '/v1/events/batch', { as: 'key', body: { events } })
    await eventually('the collector has a request', () => collector.headers.length > 0)
    const { event } = await record(world, 'asked', { traceparent })
    await deliveryFor(event.id)
    expect(collector.headers.length).toBe(1)
  } finally {
    const stopping = performance.now()
    await world.stop()
    expect(performance.now() - stopping).toBeLessThan(8000)
    hanging.resolve(new Response())
    await collector.stop()
  }
})
