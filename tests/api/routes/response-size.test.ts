/** Responses have a size limit. Pages end early, and repeats in a batch leave out their `data`. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
const count = 12
const maxAnswer = 6 * 1024 * 1024
/** Events of 900 KB on a page of 4 MiB. The fifth event starts within the limit. */
const onePage = 5

/** Newest first. */
const ids: string[] = []
let customerId = ''
const textOf = (n: number) => `${n} ${'x'.repeat(900_000)}`
/** Texts of the other records, newest first. */
const texts = Array.from({ length: count }, (_, n) => textOf(count - n))
const phone = '+4915112345678'
const large = (n: number) => ({ type: 'large', phone, data: { n, text: textOf(n) }, idempotencyKey: `large-${n}` })

beforeAll(async () => {
  for (let n = 0; n < count; n++) {
    const { event } = await world.expect(201, 'POST', '/v1/events', { as: 'key', body: large(n) })
    ids.unshift(event.id)
    customerId = event.customerId
  }
  const { sql } = world.database
  const { workspaceId } = world
  const channelId = await world.sandbox()
  const [conversation] = await sql<{ id: string }[]>`
    insert into conversations (workspace_id, customer_id, channel_id, handle)
    values (${workspaceId}, ${customerId}, ${channelId}, ${phone}) returning id`
  for (const text of texts.toReversed()) {
    await sql`
      insert into messages (workspace_id, channel_id, conversation_id, customer_id, direction, text, status)
      values (${workspaceId}, ${channelId}, ${conversation!.id}, ${customerId}, 'inbound', ${text}, 'received')`
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

/** Reads all pages. Fails if one exceeds the limit of bytes or shows internal columns. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads rows of any shape
const pagesOf = async (path: string): Promise<any[][]> => {
  const pages = await world.pages(path.replace('{id}', customerId))
  for (const page of pages) {
    expect(JSON.stringify(page).length).toBeLessThan(maxAnswer)
    for (const row of page) expect(Object.keys(row)).not.toContainAnyValues(['bytes', 'bytesBefore', 'hasMore'])
  }
  return pages
}

test.each(['/v1/events?limit=100', '/v1/activity/events?limit=100', '/v1/customers/{id}/timeline?limit=100'])(
  'a page of %s ends at its byte limit, and the next page continues there',
  async path => {
    const pages = await pagesOf(path)
    const events = pages.map(page => page.filter(({ kind = 'event' }) => kind === 'event'))
    expect(events.flat().map(({ id }) => id)).toEqual(ids)
    for (const { data } of events.flat()) expect(data.text).toHaveLength(textOf(data.n).length)
    if (!path.includes('timeline'))
      expect(pages.map(({ length }) => length)).toEqual([onePage, onePage, count - 2 * onePage])
  },
)

// biome-ignore lint/suspicious/noExplicitAny: as above
test.each<[string, (row: any) => string]>([
  ['/v1/customers?limit=100', ({ attributes }) => attributes.text],
  ['/v1/customers?limit=100&q=large', ({ attributes }) => attributes.text],
  ['/v1/messages?limit=100', ({ text }) => text],
  ['/v1/outbound-events?limit=100', ({ data }) => data.note],
  ['/v1/activity/not-accepted?limit=100', ({ details }) => details.body],
  ['/v1/customers/{id}/timeline?limit=100', ({ text }) => text],
])('a page of %s ends at its byte limit, and the next page continues there, too', async (path, textOf) => {
  const found = (await pagesOf(path)).flat().map(textOf)
  expect(found.filter(text => text?.endsWith('x'))).toEqual(texts)
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
  const names = Array.from({ length: 12 }, (_, n) => `large ${n}`)
  for (const name of names) await world.expect(201, 'POST', '/v1/workflows', { body: { name, definition } })
  const pages = await pagesOf('/v1/workflows?limit=100')
  expect(pages.length).toBeGreaterThan(1)
  expect(pages.flat().map(({ name }) => name)).toEqual(names.toReversed())
})

describe('repeats of recorded events', () => {
  const repeat = (n: number) => ({ type: 'large', phone, idempotencyKey: `large-${n}` })

  test('in a batch leave out the data over the byte limit, and set dataLeftOut', async () => {
    const keys = Array.from({ length: 120 }, (_, position) => position % count)
    const events = [{ ...repeat(99), data: { fresh: true } }, { type: 'wrong' }, ...keys.map(repeat)]
    const reply = await world.expect(200, 'POST', '/v1/events/batch', { as: 'key', body: { events } })
    expect(JSON.stringify(reply).length).toBeLessThan(maxAnswer)
    const [fresh, wrong, ...seen] = reply.data
    expect(fresh.event.data).toEqual({ fresh: true })
    expect(wrong.status).toBe(400)
    for (const [position, { status, recorded, event, dataLeftOut }] of seen.entries()) {
      const n = keys[position]!
      expect({ status, recorded, id: event.id }).toEqual({ status: 200, recorded: false, id: ids[count - 1 - n] })
      expect([event.data?.n, dataLeftOut]).toEqual(position < onePage ? [n, undefined] : [undefined, true])
    }
    expect(seen).toHaveLength(120)
  })

  test('are complete in a response to a single event', async () => {
    const { recorded, event } = await world.expect(200, 'POST', '/v1/events', { as: 'key', body: repeat(3) })
    expect([recorded, event.data]).toEqual([false, large(3).data])
  })
})

test('a batch leaves out the outcomes over its byte limit, and sets outcomesLeftOut', async () => {
  const name = 'ß'.repeat(100)
  const type = 'ß'.repeat(200)
  const definition = { trigger: { eventType: type }, start: 's', steps: { s: { type: 'exit', reason: 'x' } } }
  const workflows = 40
  for (let n = 0; n < workflows; n++) await world.expect(201, 'POST', '/v1/workflows', { body: { name, definition } })
  const events = Array.from({ length: 500 }, (_, n) => ({ type, phone, idempotencyKey: `outcomes-${n}` }))
  const send = () => world.expect(200, 'POST', '/v1/events/batch', { as: 'key', body: { events } })
  const fresh = await send()
  for (const [status, { data }] of [
    [201, fresh],
    [200, await send()],
  ] as const) {
    expect(JSON.stringify(data).length).toBeLessThan(maxAnswer)
    const complete = data.filter(({ outcomes }: { outcomes?: unknown[] }) => outcomes?.length === workflows).length
    expect(complete).toBeWithin(51, 400)
    for (const [position, one] of data.entries()) {
      expect(one).toMatchObject({ status, matchedWorkflows: 0, event: { type } })
      const isComplete = position < complete
      expect([one.outcomes === undefined, one.outcomesLeftOut]).toEqual(isComplete ? [false, undefined] : [true, true])
    }
  }
  const { outcomes } = await world.expect(200, 'GET', `/v1/events/${fresh.data.at(-1).event.id}`, { as: 'key' })
  expect(outcomes).toHaveLength(workflows)
})
