import { describe, expect, test } from 'bun:test'
import { answerOf, eventually, newPhone, startWorld, useWorld } from '../../../support/world.ts'

const world = useWorld()

interface Item {
  status: number
  recorded?: boolean
  event?: { id: string; customerId: string; data: Record<string, unknown> }
  error?: { code: string; message: string; details?: Record<string, string> }
}

const batch = async (events: unknown[], as: 'key' | 'owner' = 'key'): Promise<Item[]> =>
  (await world.expect(200, 'POST', '/v1/events/batch', { as, body: { events } })).data

const eventCount = async () => Number((await world.database.sql`select count(*) from events`)[0]!.count)

describe('POST /v1/events/batch', () => {
  test('returns by position the same results as single calls', async () => {
    const phone = newPhone()
    const answers = await batch([
      { type: 'a', phone, data: { n: 1 }, idempotencyKey: 'k' },
      { type: 'a' },
      { type: 'a', phone: 'no phone', idempotency_key: 'x' },
      { type: 'b', phone, data: { n: 2 }, idempotencyKey: 'k' },
      'no object',
      null,
      [{ type: 'a', phone }],
      { type: 'a', externalId: 'nobody' },
      { type: 'a', phone, data: { n: 3 } },
    ])
    expect(answers.map(({ status }) => status)).toEqual([201, 400, 400, 200, 400, 400, 400, 400, 201])

    const alone = await world.expect(200, 'POST', '/v1/events', {
      as: 'key',
      body: { type: 'c', phone, idempotencyKey: 'k' },
    })
    expect(alone.mismatch).toEqual(['type', 'data'])
    expect(answers[3]).toEqual({ status: 200, ...alone })
    const { mismatch: _, ...first } = alone
    expect(answers[0]).toEqual({ status: 201, ...first, recorded: true })
    const refused = await world.call('POST', '/v1/events', {
      as: 'key',
      body: { type: 'a', phone: 'no phone', idempotency_key: 'x' },
    })
    expect(answers[2]).toEqual({ status: 400, error: refused.body.error })
    expect(Object.keys(answers[2]!.error!.details!).sort()).toEqual(['idempotency_key', 'phone'])
    for (const position of [4, 5, 6])
      expect(answers[position]!.error).toMatchObject({ code: 'invalid_request', details: { body: expect.any(String) } })
    expect(Object.keys(answers[7]!.error!.details!)).toEqual(['externalId'])
  })

  test('records in order: the first event of a key is new, and events of one customer keep their order', async () => {
    const phone = newPhone()
    const events = Array.from({ length: 60 }, (_, n) => ({
      ...{ type: 'in.order', phone, data: { n }, idempotencyKey: `in-order-${n % 50}` },
      ...(n % 7 === 3 && { optIn: { evidence: `box ${n}` } }),
    }))
    const others = () => batch(Array.from({ length: 500 }, () => ({ type: 'beside', phone: newPhone() })))
    const [answers] = (await Promise.all([batch(events), others(), others()])) as [Item[], ...Item[][]]
    expect(answers.map(({ status }) => status)).toEqual([...Array(50).fill(201), ...Array(10).fill(200)])
    expect(answers.slice(50).map(({ event }) => event!.id)).toEqual(answers.slice(0, 10).map(({ event }) => event!.id))
    const { data } = await world.expect(200, 'GET', '/v1/events?type=in.order&limit=100', { as: 'key' })
    expect(data.map((event: { data: { n: number } }) => event.data.n).reverse()).toEqual([...Array(50).keys()])
  })

  test('with 500 events of one new customer, sent twice concurrently, records each event once', async () => {
    const phone = newPhone()
    const before = await eventCount()
    const events = Array.from({ length: 500 }, (_, n) => ({ type: 'bulk', phone, idempotencyKey: `bulk-${n}` }))
    const [one, two] = await Promise.all([batch(events), batch(events)])
    expect(await eventCount()).toBe(before + 500)
    for (let n = 0; n < 500; n++) {
      expect([one[n]!.status, two[n]!.status].sort()).toEqual([200, 201])
      expect(one[n]!.event!.id).toBe(two[n]!.event!.id)
    }
    expect(new Set([...one, ...two].map(({ event }) => event!.customerId)).size).toBe(1)
  })

  const good = { type: 'a', phone: '+4917000000000' }
  const withData = (data: unknown) => [good, { ...good, data }, good]
  const nested = (levels: number): unknown => (levels === 0 ? 1 : { x: nested(levels - 1) })
  test.each<[what: string, field: string, body: object, place?: string]>([
    ['no events', 'events', {}],
    ['events that are not a list', 'events', { events: good }],
    ['an empty list', 'events', { events: [] }],
    ['more than 500', 'events', { events: Array(501).fill(good) }],
    ['another field', 'extra', { events: [good], extra: 1 }],
    ['over 1 MiB', 'body', { events: Array(3).fill({ ...good, data: { x: 'x'.repeat(400_000) } }) }],
    ['U+0000', 'body', { events: withData({ note: 'a\0b' }) }, ' at events.1.data.note.'],
    ['U+0000 in a name', 'body', { events: withData({ 'a\0b': 1 }) }, ' at events.1.data.'],
    ['an unpaired surrogate', 'body', { events: withData({ note: 'a\ud800b' }) }, ' at events.1.data.note.'],
    ['more than 64 levels', 'body', { events: withData(nested(62)) }, 'Is nested deeper than 64 levels.'],
  ])('with %s is rejected as a whole', async (_, field, body, words = '') => {
    const before = await eventCount()
    const reply = await world.call('POST', '/v1/events/batch', { as: 'key', body })
    expect(answerOf(reply)).toBe(`400 invalid_request ${field}`)
    expect(reply.body.error.details[field]).toContain(words)
    expect(await eventCount()).toBe(before)
  })

  test('can use 64 levels, of which the body, its list and the event are three', async () => {
    expect((await batch(withData(nested(61)))).map(({ status }) => status)).toEqual([201, 201, 201])
  })

  test('starts workflows and returns the outcomes like a single event', async () => {
    const steps = { say: { type: 'send_message', text: 'hello', next: null } }
    const id = await world.workflow({ trigger: { eventType: 'batched' }, start: 'say', steps })
    const answers = (await batch([
      { type: 'batched', phone: newPhone() },
      { type: 'Batched', phone: newPhone() },
    ])) as (Item & { outcomes: object[]; didYouMean: object | null })[]
    expect(answers[0]!.outcomes).toMatchObject([{ workflowId: id, verdict: 'started', runId: expect.any(String) }])
    expect(answers[1]).toMatchObject({ outcomes: [], didYouMean: { type: 'batched', workflows: 1 } })
  })

  test('lists rejected elements with the same message as the response', async () => {
    const [, refused] = await batch([
      { type: 'fine', phone: newPhone() },
      { type: 'x', externalId: 'known to nobody' },
    ])
    const { data } = await world.expect(200, 'GET', '/v1/activity/not-accepted')
    expect(data.find((entry: { path: string }) => entry.path === '/v1/events/batch')).toBeDefined()
    expect(data.find(({ message }: { message: string }) => message === refused!.error!.message)).toMatchObject({
      method: 'POST',
      path: '/v1/events/batch',
      status: 400,
      details: refused!.error!.details,
    })
  })
})

test('a batch counts one call per event: only one of several exceeds the limit, and later calls wait', async () => {
  await using limited = await startWorld({ RATE_LIMIT_KEY: '200/400' })
  const events = Array.from({ length: 500 }, (_, n) => ({ type: 'a', externalId: `nobody ${n}` }))
  const send = () => limited.call('POST', '/v1/events/batch', { as: 'key', body: { events } })
  const replies = await Promise.all([send(), send(), send()])
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 429, 429])
  const single = await limited.call('POST', '/v1/events', { as: 'key', body: events[0] })
  for (const { status, headers, body } of [...replies, single])
    if (status !== 200) {
      expect([status, headers.get('retry-after')]).toEqual([429, '1'])
      expect(body.error.message).toContain('A batch of events counts as one call per event.')
    }
  await eventually('it is available again', async () => (await send()).status === 200)
})
