import { beforeAll, describe, expect, test } from 'bun:test'
import { newId } from '../../../src/core/ids.ts'
import { randomFrom } from '../../support/random.ts'
import { respond, startReceiver } from '../../support/receiver.ts'
import { use } from '../../support/use.ts'
import { newPhone, useWorld } from '../../support/world.ts'

const receiver = use(() => startReceiver({ behaviour: respond(200) }))
const world = useWorld(() => ({ WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target }))

interface Row {
  id: string
  at: number
}

const firstMs = Date.parse('2026-03-01T00:00:00Z')
const minute = 60_000
/** Lists that take a time range: path, and the field with the time. */
const lists: Record<string, { path: string; field: string }> = {
  events: { path: '/v1/events', field: 'createdAt' },
  'events of a type': { path: '/v1/events?type=a', field: 'createdAt' },
  activity: { path: '/v1/activity/events', field: 'createdAt' },
  'activity, scanned': { path: '/v1/activity/events?sender=custom', field: 'createdAt' },
  'outbound events': { path: '/v1/outbound-events', field: 'createdAt' },
  'outbound events, scanned': { path: '/v1/outbound-events?type=message.status', field: 'createdAt' },
  messages: { path: '/v1/messages', field: 'createdAt' },
  'audit log': { path: '/v1/audit', field: 'at' },
  'audit log by action': { path: '/v1/audit?action=signIn', field: 'at' },
  'audit log, scanned': { path: '/v1/audit?action=signIn&targetId=', field: 'at' },
}

/** Reads all pages, three rows at a time. */
const read = async (path: string, query: Record<string, string>) => {
  const search = new URLSearchParams({ limit: '3', ...query })
  return (await world.pages(`${path}${path.includes('?') ? '&' : '?'}${search}`)).flat()
}

/** Expects the rows of many ranges, also some that begin or end exactly at a row. */
const compare = async (path: string, field: string): Promise<void> => {
  const all = (await read(path, {})).map((row): Row => ({ id: row.id, at: Date.parse(row[field]) }))
  expect(all.length).toBeGreaterThan(10)
  const random = randomFrom(all.length)
  const pick = () => all[Math.floor(random() * all.length)]!.at
  for (let n = 0; n < 12; n++) {
    const [since, until] = [pick(), pick()].sort((one, other) => one - other) as [number, number]
    const query = {
      ...(n % 4 !== 1 && { since: new Date(since).toISOString() }),
      ...(n % 4 !== 2 && { until: new Date(until).toISOString() }),
    }
    const wanted = all.filter(({ at }) => (!query.since || at >= since) && (!query.until || at <= until))
    expect(
      (await read(path, query)).map(({ id }) => id),
      JSON.stringify(query),
    ).toEqual(wanted.map(({ id }) => id))
  }
}

let webhookId: string
let workflowId: string
/** Writes a row of every list, `n` minutes after the first. */
let write: (n: number) => Promise<void>

/** Writes 20 rows a minute apart. The id of every second row is a few seconds older, like that of a delayed write. */
beforeAll(async () => {
  const { sql } = world.database
  const { workspaceId } = world
  const channelId = await world.sandbox()
  const url = receiver.url
  webhookId = (await world.expect(201, 'POST', '/v1/webhooks', { body: { url, events: ['message.status'] } })).id
  const step = { type: 'send_message', text: 'hi', next: null }
  workflowId = await world.workflow({ trigger: { eventType: 'a' }, start: 'say', steps: { say: step } })
  const { event } = await world.expect(201, 'POST', '/v1/events', { as: 'key', body: { type: 'b', phone: newPhone() } })
  const { customerId } = event
  const conversation = await world.expect(201, 'POST', '/v1/conversations', { body: { channelId, customerId } })
  const insert = (table: string, row: Record<string, unknown>) =>
    sql`insert into ${sql(table)} ${sql({ workspace_id: workspaceId, ...row })}`
  const codes = [200, 404, 500, 503, null]
  const startedAt = Date.now() - minute
  const problemAt = (n: number) => new Date(startedAt + n * 1000)
  write = async n => {
    const created_at = new Date(firstMs + n * minute)
    const id = newId(created_at.getTime() - (n % 2) * 5000)
    const status_code = codes[n % codes.length]!
    await insert('events', {
      id,
      type: 'a',
      source: 'api',
      sender: 'custom',
      customer_id: customerId,
      data: {},
      matched_workflows: 0,
      created_at,
    })
    await insert('workflow_runs', {
      id,
      workflow_id: workflowId,
      version: 1,
      customer_id: customerId,
      event_id: id,
      status: 'done',
      ended_at: created_at,
      created_at,
    })
    await insert('messages', {
      id,
      channel_id: channelId,
      conversation_id: conversation.id,
      customer_id: customerId,
      direction: 'outbound',
      status: 'sent',
      text: 'x',
      created_at,
    })
    await insert('outbound_events', { id, type: 'message.status', data: {}, created_at, fanned_out_at: created_at })
    await insert('deliveries', {
      ...{
        id,
        webhook_id: webhookId,
        event_id: id,
        created_at,
        attempts: n === 0 ? 0 : 1,
        status: n === 0 ? 'pending' : 'failed',
      },
      ...(n > 0 && {
        status_code,
        error: status_code === null ? 'timed out' : 'answered with a status other than 2xx',
      }),
    })
    await insert('audit_entries', {
      id,
      at: created_at,
      actor_type: 'unknown',
      action: 'signIn',
      target_type: 'webhook',
      target_id: webhookId,
    })
    await insert('customers', { id, phone: newPhone(), created_at })
    await insert('sales', {
      id,
      conversation_id: conversation.id,
      customer_id: customerId,
      amount: n,
      currency: 'EUR',
      marked_by: 'workflow',
      marked_by_id: workflowId,
      created_at,
    })
    await insert('rejected_requests', {
      id: newId(problemAt(n).getTime()),
      digest: Buffer.from(id),
      first_at: problemAt(n),
      last_at: problemAt(n),
      count: 1,
      sender: 'custom',
      method: 'POST',
      path: '/v1/events',
      status: 400,
      code: 'invalid_request',
      message: `Problem ${n}`,
      request_id: id,
    })
  }
  for (let n = 0; n < 20; n++) await write(n)
})

describe('lists with a time range', () => {
  for (const [name, { path, field }] of Object.entries(lists))
    test(`${name}: returns the records from since to until`, () =>
      compare(path.endsWith('targetId=') ? `${path}${webhookId}` : path, field))

  test('deliveries and runs: return the records from since to until', async () => {
    const path = `/v1/webhooks/${webhookId}/deliveries`
    for (const query of ['', '?status=failed', '?status=failed&eventType=message.status'])
      await compare(`${path}${query}`, 'createdAt')
    for (const query of ['', '?status=done&version=1'])
      await compare(`/v1/workflows/${workflowId}/runs${query}`, 'createdAt')
  })

  test('rejected events: returns entries with a request from since to until', async () => {
    for (const type of [7, true, ''])
      await world.call('POST', '/v1/events', { as: 'key', body: { type, phone: newPhone() } })
    const { data } = await world.expect(200, 'GET', '/v1/activity/not-accepted')
    await world.database.sql`update rejected_requests set last_at = last_at + interval '5 minutes'`
    for (const { id, firstAt, lastAt } of data) {
      const found = async (since: number, until: number) => {
        const query = { since: new Date(since).toISOString(), until: new Date(until).toISOString() }
        return (await read('/v1/activity/not-accepted', query)).some(row => row.id === id)
      }
      const [first, last] = [Date.parse(firstAt), Date.parse(lastAt) + 5 * minute]
      expect(await found(last, last + 1000)).toBe(true)
      expect(await found(first + minute, first + 2 * minute)).toBe(true)
      expect(await found(first - minute, first)).toBe(true)
      expect(await found(last + 1, last + 1000)).toBe(false)
      expect(await found(first - minute, first - 1)).toBe(false)
    }
  })

  test('rejects a range that ends before it begins, and accepts any year', async () => {
    const paths = [
      '/v1/activity/not-accepted',
      `/v1/webhooks/${webhookId}/deliveries`,
      `/v1/workflows/${workflowId}/runs`,
    ]
    for (const path of [...paths, ...Object.values(lists).map(({ path }) => path.split('?')[0]!)]) {
      const answer = (query: string) => world.answer('GET', `${path}?${query}`)
      expect(await answer('since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z'), path).toBe(
        '400 invalid_request since',
      )
      expect(await answer('until=tomorrow'), path).toBe('400 invalid_request until')
      for (const query of [
        'since=0001-01-01T00:00:00Z&until=0001-01-02T00:00:00Z',
        'until=1960-01-01T00:00:00Z',
        'since=9999-12-31T23:59:59.999Z',
        'since=0001-01-01T00:00:00Z&until=9999-12-31T23:59:59.999Z',
      ])
        expect(await answer(query), `${path} ${query}`).toBe('200')
    }
  })

  test('deliveries: filters by status code and error', async () => {
    const path = `/v1/webhooks/${webhookId}/deliveries`
    const all = await read(path, {})
    const check = async (
      query: Record<string, string>,
      matches: (row: { statusCode: number | null; error: string | null; attempts: number }) => boolean,
    ) => {
      const wanted = all.filter(matches).map(({ id }) => id)
      expect(wanted).not.toBeEmpty()
      expect(
        (await read(path, query)).map(({ id }) => id),
        JSON.stringify(query),
      ).toEqual(wanted)
    }
    await check({ statusCode: '500' }, row => row.statusCode === 500)
    await check({ statusCode: '5xx' }, row => row.statusCode === 500 || row.statusCode === 503)
    await check({ statusCode: '4xx', status: 'failed' }, row => row.statusCode === 404)
    await check({ statusCode: 'none' }, row => row.statusCode === null && row.attempts > 0)
    await check({ error: 'TIMED' }, row => row.error === 'timed out')
    await check({ error: '2xx', statusCode: '503' }, row => row.statusCode === 503)
    expect(await read(path, { error: '%' })).toEqual([])
    for (const query of ['statusCode=600', 'statusCode=5x', 'statusCode=', 'error=', `error=${'x'.repeat(201)}`])
      expect(await world.answer('GET', `${path}?${query}`), query).toBe(`400 invalid_request ${query.split('=')[0]}`)
  })
})

describe('lists by time', () => {
  const sorted: Record<string, () => string> = {
    ...Object.fromEntries(
      Object.entries(lists).map(([name, { path }]) => [
        name,
        () => (path.endsWith('targetId=') ? `${path}${webhookId}` : path),
      ]),
    ),
    'audit log of a record': () => `/v1/audit?targetId=${webhookId}`,
    deliveries: () => `/v1/webhooks/${webhookId}/deliveries`,
    'deliveries by status': () => `/v1/webhooks/${webhookId}/deliveries?status=failed`,
    'deliveries, scanned': () => `/v1/webhooks/${webhookId}/deliveries?eventType=message.status`,
    runs: () => `/v1/workflows/${workflowId}/runs`,
    'runs, scanned': () => `/v1/workflows/${workflowId}/runs?status=done`,
    'rejected events': () => '/v1/activity/not-accepted',
    customers: () => '/v1/customers',
    'customers by text': () => '/v1/customers?q=49',
    'customers by consent': () => '/v1/customers?consent=none',
    sales: () => '/v1/sales',
    'sales until a time': () => '/v1/sales?to=2026-03-01T00:17:00Z',
  }
  /** Minutes from the first row to one that is newer than every other row. */
  let next = Math.ceil((Date.now() - firstMs) / minute) + 60
  const idsOf = (rows: Row[]) => rows.map(({ id }) => id)

  test.each(Object.entries(sorted))('%s: oldest first is the reverse of newest first', async (_, path) => {
    const newest = idsOf(await read(path(), {}))
    expect(newest.length).toBeGreaterThan(10)
    expect(newest).toEqual([...newest].sort().reverse())
    expect(idsOf(await read(path(), { sort: 'newest' }))).toEqual(newest)
    expect(idsOf(await read(path(), { sort: 'oldest' }))).toEqual(newest.toReversed())
  })

  test.each(Object.entries(sorted))(
    '%s: a row written between pages repeats and hides no older row',
    async (_, path) => {
      for (const sort of ['newest', 'oldest']) {
        const before = idsOf(await read(path(), { sort }))
        const url = (cursor?: string) =>
          `${path()}${path().includes('?') ? '&' : '?'}${new URLSearchParams({ limit: '7', sort, ...(cursor && { cursor }) })}`
        const first = await world.expect(200, 'GET', url())
        await write(next++)
        const seen = idsOf(first.data)
        for (let cursor = first.nextCursor; cursor !== null; ) {
          const page = await world.expect(200, 'GET', url(cursor))
          seen.push(...idsOf(page.data))
          cursor = page.nextCursor
        }
        expect(seen.slice(0, before.length)).toEqual(before)
        const added = sort === 'newest' || path().includes('to=') ? 0 : 1
        expect(new Set(seen).size).toBe(before.length + added)
        expect(seen.length).toBe(before.length + added)
      }
    },
  )

  test.each(Object.entries(sorted))(
    '%s: rejects a cursor of the other order, and an unknown order',
    async (_, path) => {
      const url = (query: string) => `${path()}${path().includes('?') ? '&' : '?'}${query}`
      const newest = (await world.expect(200, 'GET', url('limit=3'))).nextCursor
      const oldest = (await world.expect(200, 'GET', url('limit=3&sort=oldest'))).nextCursor
      expect(await world.answer('GET', url(`sort=oldest&cursor=${newest}`))).toBe('400 invalid_request cursor')
      expect(await world.answer('GET', url(`cursor=${oldest}`))).toBe('400 invalid_request cursor')
      expect(await world.answer('GET', url(`sort=newest&cursor=${newest}`))).toBe('200')
      expect(await world.answer('GET', url('sort=longest'))).toBe('400 invalid_request sort')
    },
  )

  test('a range of times and oldest first', () => {
    const all = ['/v1/events', '/v1/customers', '/v1/audit', `/v1/webhooks/${webhookId}/deliveries`]
    return Promise.all(
      all.map(async path => {
        const range = { since: '2026-03-01T00:04:00Z', until: '2026-03-01T00:13:00Z' }
        const newest = idsOf(await read(path, range))
        expect(newest.length).toBe(10)
        expect(idsOf(await read(path, { ...range, sort: 'oldest' }))).toEqual(newest.toReversed())
      }),
    )
  })
})
