/** Tests of `GET /v1/stream` over open connections, like those of browsers. */
import { afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { connect as connectTcp } from 'node:net'
import { minIdAt } from '../../../../src/core/ids.ts'
import { feedKinds } from '../../../../src/insights/live-feed/index.ts'
import { outboundEvents } from '../../../../src/webhooks/outbound-events/index.ts'
import { makeCustomers, makeTemplate } from '../../../support/campaigns.ts'
import { endProcesses, startProcess } from '../../../support/process.ts'
import { startReceiver } from '../../../support/receiver.ts'
import { readStream, type StreamReader } from '../../../support/stream.ts'
import { use } from '../../../support/use.ts'
import { bearer, eventually, newPhone, useWorld, type World } from '../../../support/world.ts'

const receiver = use(startReceiver)
const world = useWorld(
  () => ({ WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target, SECRETS_KEY: Buffer.alloc(32, 1).toString('base64') }),
  { liveFeedLimits: { minPollMs: 40, maxPollMs: 100, accessCheckMs: 100, maxPerUser: 250 } },
)
const readers: StreamReader[] = []
afterEach(() => {
  for (const reader of readers.splice(0)) {
    for (const { event } of reader.heard()) if (event !== 'reset') heardKinds.add(event)
    reader.close()
  }
})
const heardKinds = new Set<string>()

const ownerHeaders = () => bearer(world.owner.token)
const listen = async (headers: Record<string, string> = ownerHeaders(), url = world.url) => {
  const reader = await readStream(url, headers)
  readers.push(reader)
  return reader
}

const record = async (type = 'order.created', where = world) =>
  (await where.expect(201, 'POST', '/v1/events', { as: 'key', body: { type, phone: newPhone() } })).event

describe('GET /v1/stream', () => {
  test('reports a recorded event with the fields of a list row', async () => {
    const reader = await listen()
    expect(reader.status).toBe(200)
    expect(reader.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(reader.headers.get('cache-control')).toBe('no-store')
    const event = await record()

    const { data } = await reader.hears('event', ({ id }) => id === event.id)
    expect(data).toEqual({
      id: event.id,
      at: event.createdAt,
      type: 'order.created',
      source: 'api',
      customerId: event.customerId,
      matchedWorkflows: 0,
      reason: 'no_listener',
    })
  })

  test('reports a rejected event, and each increase of its count, but nothing to another workspace', async () => {
    const [reader, stranger] = [await listen(), await listen(await world.otherOwner())]
    const wrong = () => world.expect(400, 'POST', '/v1/events', { as: 'key', body: { type: 'order.created' } })
    await wrong()
    const { data } = await reader.hears('not_accepted')
    expect(data).toMatchObject({ code: 'invalid_request', status: 400, path: '/v1/events', count: 1 })
    await wrong()
    await reader.hears('not_accepted', ({ id, count }) => id === data.id && count === 2)
    expect(stranger.heard()).toEqual([])
  })

  test('reports a run, its message, the conversation, the outbound event and its delivery', async () => {
    const reader = await listen()
    const channelId = await world.sandbox()
    const webhook = await world.expect(201, 'POST', '/v1/webhooks', {
      body: { url: receiver.url, events: ['message.status', 'message.received'] },
    })
    const steps = { say: { type: 'send_message', text: 'hello', next: null } }
    const workflow = await world.workflow({ trigger: { eventType: 'thank.you' }, start: 'say', steps })
    const event = await record('thank.you')
    const ofCustomer = ({ customerId }: { customerId: string }) => customerId === event.customerId

    const run = await reader.hears('run', ofCustomer)
    expect(run.data).toMatchObject({ workflowId: workflow, eventId: event.id })
    const message = await reader.hears('message', one => ofCustomer(one) && one.status === 'delivered')
    expect(message.data).toMatchObject({ direction: 'outbound', channelId, runId: run.data.id })
    const conversation = await reader.hears('conversation', ofCustomer)
    expect(conversation.data).toMatchObject({ id: message.data.conversationId, status: 'open', waitingSince: null })
    const told = await reader.hears('outbound_event', ({ type }) => type === 'message.status')
    const delivery = await reader.hears(
      'delivery',
      ({ eventId, status }) => eventId === told.data.id && status === 'delivered',
    )
    expect(delivery.data).toMatchObject({ webhookId: webhook.id, attempts: 1, statusCode: 200 })

    await world.expect(201, 'POST', `/v1/channels/${channelId}/sandbox/messages`, {
      body: { from: newPhone(), text: 'Where is it?' },
    })
    const { data } = await reader.hears('message', ({ direction }) => direction === 'inbound')
    const waiting = await reader.hears('conversation', ({ id, unread }) => id === data.conversationId && unread === 1)
    expect(Date.parse(waiting.data.waitingSince)).toBeGreaterThan(0)
  })

  test('reports changes to old records', async () => {
    const { sql } = world.database
    const id = await oldConversation()
    const webhook = await world.expect(201, 'POST', '/v1/webhooks', {
      body: { url: `${receiver.url}/old`, events: ['campaign.completed'] },
    })
    const deliveryId = minIdAt(new Date(Date.now() - 86_400_000))
    const data = JSON.stringify(outboundEvents['campaign.completed'].example)
    await sql`insert into outbound_events (workspace_id, id, type, data, fanned_out_at)
      values (${world.workspaceId}, ${deliveryId}, 'campaign.completed', ${data}::text::jsonb, now())`
    await sql`insert into deliveries (workspace_id, id, webhook_id, event_id, status, attempts)
      values (${world.workspaceId}, ${deliveryId}, ${webhook.id}, ${deliveryId}, 'failed', 8)`

    const reader = await listen()
    await world.expect(204, 'POST', `/v1/conversations/${id}/read`)
    await reader.hears('conversation', one => one.id === id && one.unread === 0)
    await world.expect(202, 'POST', `/v1/webhooks/${webhook.id}/deliveries/${deliveryId}/retry`)
    await reader.hears('delivery', one => one.id === deliveryId && one.status === 'delivered')
  })

  test('reports a campaign when it is created, running and completed', async () => {
    const reader = await listen()
    const channelId = await world.sandbox()
    const templateId = await makeTemplate(world.database.sql, world.workspaceId)
    const customerIds = await makeCustomers(world.database.sql, world.workspaceId, 1)
    const body = { name: 'Spring', channelId, templateId, variables: { name: 'Ada' }, audience: { customerIds } }
    const { id } = await world.expect(201, 'POST', '/v1/campaigns', { body })
    await reader.hears('campaign', one => one.id === id && one.status === 'draft')
    await world.expect(202, 'POST', `/v1/campaigns/${id}/start`)
    const { data } = await reader.hears('campaign', one => one.id === id && one.status === 'completed')
    expect(data).toMatchObject({ recipients: 1, sent: 1, queued: 0 })
  })

  test('every documented kind except alerts was reported in one of these tests', () => {
    expect([...heardKinds, 'attention'].sort()).toEqual(Object.keys(feedKinds).sort())
  })

  test('HEAD opens no stream', async () => {
    const head = await world.call('HEAD', '/v1/stream')
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
    await eventually('no stream is open', async () => (await openStreams(world)) === 0)
  })
})

describe('reconnecting', () => {
  test.each([true, false])(
    'with Last-Event-ID reports what was missed, and continues (other stream: %p)',
    async isRead => {
      const first = await listen()
      const before = await record()
      await first.hears('event', ({ id }) => id === before.id)
      const last = first.lastId()
      const other = isRead ? await listen() : null
      first.close()
      await eventually('it is closed', async () => (await openStreams(world)) === Number(isRead))
      const missed = await record()
      await other?.hears('event', ({ id }) => id === missed.id)

      const again = await listen({ ...ownerHeaders(), 'Last-Event-ID': last })
      await again.hears('event', ({ id }) => id === missed.id)
      const next = await record()
      await again.hears('event', ({ id }) => id === next.id)
      expect(again.text()).not.toStartWith('event: reset')
      const ids = again.heard().flatMap(({ event, data }) => (event === 'event' ? data.id : []))
      // Entries can repeat if no stream was open.
      expect(isRead ? ids : ids.slice(-2)).toEqual([missed.id, next.id])
    },
  )

  test.each([
    ['after more than five minutes', `s${(Date.now() - 301_000).toString(36)}`],
    ['with unknown values', 'yesterday'],
    ['with a time in the future', `s${(Date.now() + 3_600_000).toString(36)}`],
  ])('%s sends reset on the first line, and continues', async (_, last) => {
    const reader = await listen({ ...ownerHeaders(), 'Last-Event-ID': last })
    const { id } = await record()
    await reader.hears('event', one => one.id === id)
    expect(reader.text()).toStartWith('event: reset\n')
  })
})

describe('a stream ends', () => {
  test('when its session ends or its reader leaves the workspace, and others continue', async () => {
    const [signedOut, removed] = [await world.person(), await world.person()]
    const [one, two, other] = [await listen(signedOut.as), await listen(removed.as), await listen()]
    await world.expect(204, 'POST', '/v1/auth/sign-out', { as: signedOut.as })
    await world.expect(204, 'DELETE', `/v1/members/${removed.memberId}`)
    await eventually('both have ended', () => one.ended() && two.ended())
    expect(other.ended()).toBe(false)
  })

  test('immediately when the service stops, and the next one continues after it', async () => {
    const reader = await listen()
    const before = await record()
    await reader.hears('event', ({ id }) => id === before.id)
    const begunAt = performance.now()
    await world.restart()
    expect(performance.now() - begunAt).toBeLessThan(10_000)
    await eventually('it has ended', reader.ended)
    const missed = await record()
    const again = await listen({ ...ownerHeaders(), 'Last-Event-ID': reader.lastId() })
    await again.hears('event', ({ id }) => id === missed.id)
  })
})

describe('with low limits', () => {
  const limits = { minPollMs: 40, maxPollMs: 100, heartbeatMs: 50, maxPerUser: 3, maxPerWorkspace: 4, maxPerProcess: 5 }
  const impatient = useWorld(
    {},
    { liveFeedLimits: { ...limits, maxRows: 3000, maxMissed: 3, maxBufferedBytes: 512 * 1024 } },
  )
  let headers: Record<string, string>
  beforeAll(() => {
    headers = bearer(impatient.owner.token)
  })

  const recordMany = (count: number, type = 'many') => impatient.database.sql`
    with known as (
      insert into customers (workspace_id, external_id) values (${impatient.workspaceId}, gen_random_uuid()::text) returning id
    )
    insert into events (workspace_id, id, type, source, sender, customer_id, data, matched_workflows, reason)
    select ${impatient.workspaceId}, uuidv7(), ${type}, 'api', 'custom', known.id, '{}', 0, 'no_listener'
    from known, generate_series(1, ${count}::integer)`

  test('an idle stream sends comments at intervals, with an id to resume from', async () => {
    const reader = await listen(headers, impatient.url)
    await eventually('two heartbeats', () => reader.text().split(': still here\nid: ').length > 2)
    const ids = [...reader.text().matchAll(/^id: (.+)$/gm)].map(([, id]) => id!)
    expect(ids.toSorted()).toEqual(ids)
    expect(ids.at(-1)).not.toBe(ids[0])
  })

  test('a stream with too many missed events starts with reset', async () => {
    const first = await listen(headers, impatient.url)
    await eventually('it has started', () => first.lastId() !== '')
    const last = first.lastId()
    await recordMany(4, 'missed')
    await first.hears('event', ({ type }) => type === 'missed')
    const again = await listen({ ...headers, 'Last-Event-ID': last }, impatient.url)
    await eventually('it has started', () => again.text() !== '')
    expect(again.text()).toStartWith('event: reset\n')
  })

  test('a person, a workspace and a process have a limited number of streams', async () => {
    const three = await Promise.all([1, 2, 3].map(() => listen(headers, impatient.url)))
    const refused = await impatient.call('GET', '/v1/stream')
    expect([refused.status, refused.headers.get('retry-after'), refused.body.error.code]).toEqual([
      429,
      '5',
      'rate_limited',
    ])
    expect(refused.body.error.message).toContain('You have 3 open streams')
    const agents = await impatient.person()
    await listen(agents.as, impatient.url)
    expect((await impatient.call('GET', '/v1/stream', { as: agents.as })).status).toBe(429)
    const as = await impatient.otherOwner()
    await listen(as, impatient.url)
    const overloaded = await impatient.call('GET', '/v1/stream', { as })
    expect([overloaded.status, overloaded.headers.get('retry-after')]).toEqual([503, expect.any(String)])
    three[0]!.close()
    await eventually('there is capacity', async () => (await openStreams(impatient)) === 4)
    expect((await listen(headers, impatient.url)).status).toBe(200)
  })

  test('a reader that does not read is dropped, others continue, and memory stays bounded', async () => {
    const reader = await listen(headers, impatient.url)
    const idle = connectTcp({ port: impatient.service.port, host: '127.0.0.1' })
    let isOver = false
    idle.on('close', () => void (isOver = true)).on('error', () => {})
    idle.write(`GET /v1/stream HTTP/1.1\r\nHost: x\r\nAuthorization: ${headers.Authorization}\r\n\r\n`)
    idle.pause()
    await eventually('both are open', async () => (await openStreams(impatient)) === 2)
    const type = 'x'.repeat(190)
    const before = process.memoryUsage().rss
    let told = 0
    await eventually(
      'one remains',
      async () => {
        await recordMany(2000, type)
        told += 1
        return (await openStreams(impatient)) === 1
      },
      30_000,
    )
    expect(told).toBeLessThan(40)
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024)
    await recordMany(1, 'and on')
    await reader.hears('event', ({ type }) => type === 'and on')
    idle.resume()
    await eventually('its connection is closed', () => isOver)
  })
})

test('records and changes of another process are reported here', async () => {
  const other = await startProcess({ DATABASE_URL: world.database.url, LOG_LEVEL: 'info' })
  const callOther = async (method: string, path: string, body: unknown, headers: Record<string, string>) => {
    const all = { 'Content-Type': 'application/json', ...headers }
    return (await fetch(other.url + path, { method, headers: all, body: JSON.stringify(body) })).status
  }
  try {
    const conversationId = await oldConversation()
    const reader = await listen()
    const event = { type: 'theirs', phone: newPhone() }
    expect(await callOther('POST', '/v1/events', event, { 'X-API-Key': world.key.value })).toBe(201)
    await reader.hears('event', ({ type }) => type === 'theirs')
    const path = `/v1/conversations/${conversationId}`
    expect(await callOther('PATCH', path, { status: 'closed' }, ownerHeaders())).toBe(200)
    await reader.hears('conversation', ({ id, status }) => id === conversationId && status === 'closed')
  } finally {
    await endProcesses()
  }
})

/** Creates a conversation that was active a day ago, and returns its id. */
const oldConversation = async (): Promise<string> => {
  const body = { from: newPhone(), text: 'Hello' }
  const path = `/v1/channels/${await world.sandbox()}/sandbox/messages`
  const { conversationId } = await world.expect(201, 'POST', path, { body })
  await world.database.sql`
    update conversations set active_at = now() - interval '1 day' where workspace_id = ${world.workspaceId} and id = ${conversationId}`
  return conversationId
}

const openStreams = async ({ url }: World): Promise<number> =>
  Number(/^\w*streams_open (\d+)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1])
