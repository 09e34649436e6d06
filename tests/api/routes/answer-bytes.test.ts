/** Responses have a size limit. Pages end early, and repeats in a batch leave out their `data`. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startWorld, type World } from '../../support/world.ts'

const count = 12
const maxAnswer = 6 * 1024 * 1024
/** Events of 900 KB on a page of 4 MiB. The fifth event starts within the limit. */
const onePage = 5

let world: World
/** Newest first. */
const ids: string[] = []
let customerId = ''
const large = (n: number) => ({
  type: 'large',
  phone: '+4915112345678',
  data: { n, text: 'x'.repeat(900_000) },
  idempotencyKey: `large-${n}`,
})
beforeAll(async () => {
  world = await startWorld()
  for (let n = 0; n < count; n++) {
    const { event } = await world.expect(201, 'POST', '/v1/events', { as: 'key', body: large(n) })
    ids.unshift(event.id)
    customerId = event.customerId
  }
})
afterAll(() => world.stop())

describe.each([
  ['events', () => '/v1/events?limit=100'],
  ['activity', () => '/v1/activity/events?limit=100'],
  ['a timeline', () => `/v1/customers/${customerId}/timeline?limit=100`],
])('a page of %s', (_, path) => {
  test('ends at its byte limit, and the next page continues there', async () => {
    const seen: string[] = []
    const pages: number[] = []
    for (let cursor = ''; ; ) {
      const page = await world.expect(200, 'GET', `${path()}${cursor}`)
      expect(JSON.stringify(page).length).toBeLessThan(maxAnswer)
      const events = page.data.filter(({ kind = 'event' }) => kind === 'event')
      for (const row of events) {
        expect(Object.keys(row)).not.toContainAnyValues(['bytes', 'bytesBefore', 'hasMore'])
        expect(row.data.text).toHaveLength(900_000)
      }
      seen.push(...events.map(({ id }: { id: string }) => id))
      pages.push(events.length)
      if (page.nextCursor === null) break
      cursor = `&cursor=${page.nextCursor}`
    }
    expect(seen).toEqual(ids)
    expect(pages).toEqual([onePage, onePage, count - 2 * onePage])
  })
})

describe('pages of other records', () => {
  /** Newest first. */
  const texts = Array.from({ length: count }, (_, n) => `${count - n} ${'x'.repeat(900_000)}`)

  beforeAll(async () => {
    const { sql } = world.database
    const { workspaceId } = world
    const channel = await world.expect(201, 'POST', '/v1/channels', { body: { kind: 'sandbox', name: 'large' } })
    const [conversation] = await sql<{ id: string }[]>`
      insert into conversations (workspace_id, customer_id, channel_id, handle)
      values (${workspaceId}, ${customerId}, ${channel.id}, '+4915112345678') returning id`
    for (const text of texts.toReversed()) {
      await sql`
        insert into messages (workspace_id, channel_id, conversation_id, customer_id, direction, text, status)
        values (${workspaceId}, ${channel.id}, ${conversation!.id}, ${customerId}, 'inbound', ${text}, 'received')`
      await sql`
        insert into outbound_events (workspace_id, type, data, fanned_out_at)
        values (${workspaceId}, 'sale.created', jsonb_build_object('note', ${text}::text), now())`
      await sql`
        insert into customers (workspace_id, external_id, name, attributes)
        values (${workspaceId}, ${text.slice(0, 2)}, 'Large', jsonb_build_object('text', ${text}::text))`
      await sql`
        insert into rejected_requests (workspace_id, digest, open, first_at, last_at, count, sender, method, path, status, code,
          message, details, request_id)
        values (${workspaceId}, '', false, now(), now(), 1, 'custom', 'POST', '/v1/events', 400, 'invalid_request',
          'wrong', jsonb_build_object('body', ${text}::text), uuidv7())`
    }
  })

  // biome-ignore lint/suspicious/noExplicitAny: a test reads rows of any shape
  test.each<[string, string, (row: any) => string]>([
    ['customers', '/v1/customers?limit=100', ({ attributes }) => attributes.text],
    ['a search of customers', '/v1/customers?limit=100&q=large', ({ attributes }) => attributes.text],
    ['messages', '/v1/messages?limit=100', ({ text }) => text],
    ['outbound events', '/v1/outbound-events?limit=100', ({ data }) => data.note],
    ['rejected requests', '/v1/activity/not-accepted?limit=100', ({ details }) => details.body],
    ['a timeline', `/v1/customers/{id}/timeline?limit=100`, ({ text }) => text],
  ])('a page of %s ends at its byte limit, and the next page continues there', async (_, path, textOf) => {
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const from: string = cursor && `&cursor=${cursor}`
      const page = await world.expect(200, 'GET', `${path.replace('{id}', customerId)}${from}`)
      expect(JSON.stringify(page).length).toBeLessThan(maxAnswer)
      for (const row of page.data) expect(Object.keys(row)).not.toContainAnyValues(['bytes', 'bytesBefore', 'hasMore'])
      seen.push(...page.data.map(textOf))
      cursor = page.nextCursor
    }
    expect(seen.filter(text => text?.endsWith('x'))).toEqual(texts)
  })
})

test('a page with limit 1 holds its row at any size', async () => {
  const page = await world.expect(200, 'GET', '/v1/events?limit=1')
  expect(page.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 1))
  expect(page.nextCursor).not.toBeNull()
})

test('a page of workflows with large drafts ends at its byte limit', async () => {
  const steps = Object.fromEntries(
    Array.from({ length: 120 }, (_, n) => [
      `s${n}`,
      { type: 'send_message', text: 'x'.repeat(4000), next: n < 119 ? `s${n + 1}` : null },
    ]),
  )
  const definition = { trigger: { eventType: 'large' }, start: 's0', steps }
  for (let n = 0; n < 12; n++)
    await world.expect(201, 'POST', '/v1/workflows', { body: { name: `large ${n}`, definition } })
  const first = await world.expect(200, 'GET', '/v1/workflows?limit=100')
  expect(first.data.length).toBeLessThan(12)
  expect(Object.keys(first.data[0])).not.toContain('bytes')
  const second = await world.expect(200, 'GET', `/v1/workflows?limit=100&cursor=${first.nextCursor}`)
  expect([...first.data, ...second.data].map(({ name }) => name)).toEqual(
    Array.from({ length: 12 }, (_, n) => `large ${11 - n}`),
  )
})

describe('repeats of recorded events', () => {
  const again = (n: number) => ({ type: 'large', phone: '+4915112345678', idempotencyKey: `large-${n}` })

  test('in a batch leave out the data over the byte limit, and set dataLeftOut', async () => {
    const keys = Array.from({ length: 120 }, (_, position) => position % count)
    const reply = await world.expect(200, 'POST', '/v1/events/batch', {
      as: 'key',
      body: { events: [{ ...again(99), data: { fresh: true } }, { type: 'wrong' }, ...keys.map(again)] },
    })
    expect(JSON.stringify(reply).length).toBeLessThan(maxAnswer)
    const [fresh, wrong, ...seen] = reply.data
    expect(fresh.event.data).toEqual({ fresh: true })
    expect(wrong.status).toBe(400)
    expect(seen.map(({ event }: { event: { id: string } }) => event.id)).toEqual(keys.map(n => ids[count - 1 - n]!))
    seen.forEach((one: Record<string, unknown> & { event: { data?: { n: number } } }, position: number) => {
      expect(one).toMatchObject({ status: 200, recorded: false })
      expect(one.event.data?.n).toBe(position < onePage ? keys[position] : undefined)
      expect(one.dataLeftOut).toBe(position < onePage ? undefined : true)
    })
  })

  test('are complete in a response to a single event', async () => {
    const reply = await world.expect(200, 'POST', '/v1/events', { as: 'key', body: again(3) })
    expect(reply.recorded).toBe(false)
    expect(reply.event.data).toEqual(large(3).data)
  })
})

test('a batch leaves out the outcomes over its byte limit, and sets outcomesLeftOut', async () => {
  const name = 'ß'.repeat(100)
  const type = 'ß'.repeat(200)
  const steps = { s: { type: 'send_message', text: 'Hello', next: null } }
  const definition = { trigger: { eventType: type }, start: 's', steps }
  const workflows = 40
  for (let n = 0; n < workflows; n++) await world.expect(201, 'POST', '/v1/workflows', { body: { name, definition } })
  const events = Array.from({ length: 500 }, (_, n) => ({
    type,
    phone: '+4915112345678',
    idempotencyKey: `outcomes-${n}`,
  }))
  const fresh = await world.expect(200, 'POST', '/v1/events/batch', { as: 'key', body: { events } })
  const again = await world.expect(200, 'POST', '/v1/events/batch', { as: 'key', body: { events } })
  for (const [status, { data }] of [
    [201, fresh],
    [200, again],
  ] as const) {
    expect(JSON.stringify(data).length).toBeLessThan(maxAnswer)
    const told = data.filter(({ outcomes }: { outcomes?: unknown[] }) => outcomes?.length === workflows).length
    expect(told).toBeGreaterThan(50)
    expect(told).toBeLessThan(400)
    data.forEach((one: Record<string, unknown>, position: number) => {
      expect(one).toMatchObject({ status, matchedWorkflows: 0, event: { type } })
      expect([one.outcomes === undefined, one.outcomesLeftOut]).toEqual(
        position < told ? [false, undefined] : [true, true],
      )
    })
  }
  const { outcomes } = await world.expect(200, 'GET', `/v1/events/${fresh.data.at(-1).event.id}`, { as: 'key' })
  expect(outcomes).toHaveLength(workflows)
})
