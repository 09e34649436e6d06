import { describe, expect, test } from 'bun:test'
import { eventually, newPhone, unknownId, useWorld, type World } from '../../../support/world.ts'

const world = useWorld()

const record = (body: Record<string, unknown>, asking: Parameters<World['call']>[2] = {}) =>
  world.call('POST', '/v1/events', { as: 'key', body, ...asking })

const json = { 'Content-Type': 'application/json' }
const eventCount = async () => Number((await world.database.sql`select count(*) from events`)[0]!.count)

describe('an event', () => {
  test('is recorded with 201 and returned as it was sent', async () => {
    const phone = newPhone()
    const { status, body } = await record({
      type: 'Order.Created!',
      phone,
      name: 'Ana',
      data: { total: 12.5, nested: { deep: [1, null] } },
      idempotencyKey: 'k-1',
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      recorded: true,
      matchedWorkflows: 0,
      outcomes: [],
      didYouMean: null,
      event: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        type: 'Order.Created!',
        source: 'api',
        sender: 'custom',
        customerId: expect.any(String),
        data: { total: 12.5, nested: { deep: [1, null] } },
        idempotencyKey: 'k-1',
        occurredAt: null,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    })
    const customer = await world.expect(200, 'GET', `/v1/customers/${body.event.customerId}`, { as: 'key' })
    const nothing = { externalId: null, attributes: {}, optedInAt: null, optedOutAt: null }
    expect(customer).toMatchObject({ phone, name: 'Ana', ...nothing })
  })

  test('has the source of its caller, and the sender that the User-Agent names', async () => {
    const { body } = await record({ type: 'note', phone: newPhone() }, { as: 'owner' })
    expect(body.event.source).toBe('dashboard')
    for (const [userAgent, sender] of [
      ['WooCommerce/9.1 Hookshot (WordPress/6.8)', 'woocommerce'],
      ['Shopify-Captain-Hook', 'shopify'],
      ['Magento/2.4', 'magento'],
      ['PrestaShop/8', 'prestashop'],
      ['Shopware/6.6', 'shopware'],
      ['curl/8', 'custom'],
    ] as const) {
      const headers = { 'User-Agent': userAgent }
      const { body } = await record({ type: 'order.created', phone: newPhone() }, { headers })
      expect(body.event.sender, userAgent).toBe(sender)
    }
  })

  test('keeps __proto__ and constructor in its data like any other field', async () => {
    const data = '{"__proto__":{"polluted":1},"constructor":"x"}'
    const raw = `{"type":"odd","phone":"${newPhone()}","data":${data}}`
    const { event } = (await world.call('POST', '/v1/events', { as: 'key', raw, headers: json })).body
    expect(JSON.stringify(event.data)).toBe(data)
    expect(
      await world.database.sql`select 1 from events where id = ${event.id} and data = ${data}::text::jsonb`,
    ).toHaveLength(1)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})

describe('an idempotency key', () => {
  const header = 'idempotency-mismatch'
  const first = (key: string, more: Record<string, unknown> = {}) => ({
    type: 'order.created',
    phone: newPhone(),
    data: { orderId: 'A-1', total: 12.5, lines: [{ sku: 'x', count: 2 }] },
    idempotencyKey: key,
    ...more,
  })

  test('used again returns the first event, and lists the differences in a header and a field', async () => {
    const body = first('mismatch-1', { occurredAt: new Date(Date.now() - 60_000).toISOString() })
    const { event } = (await record(body)).body
    const before = await eventCount()
    const cases: [string[] | undefined, Record<string, unknown>][] = [
      [undefined, body],
      [undefined, { ...body, data: { lines: [{ count: 2, sku: 'x' }], total: 12.5, orderId: 'A-1' } }],
      [undefined, { ...body, phone: undefined, customerId: event.customerId }],
      [['type'], { ...body, type: 'order.paid' }],
      [['data'], { ...body, data: { ...body.data, total: 13 } }],
      [['data'], { ...body, data: { ...body.data, note: null } }],
      [['data'], { ...body, data: undefined }],
      [['customer'], { ...body, phone: newPhone() }],
      [['customer'], { ...body, phone: undefined, externalId: 'nobody has this' }],
      [['occurredAt'], { ...body, occurredAt: undefined }],
      [['type', 'customer', 'occurredAt', 'data'], { ...first('mismatch-1'), type: 'a', data: {} }],
    ]
    for (const [mismatch, repeat] of cases) {
      const { status, headers, body: told } = await record(repeat)
      expect([status, told.recorded, told.event]).toEqual([200, false, event])
      expect([headers.get(header), told.mismatch]).toEqual([mismatch ? 'true' : null, mismatch])
    }
    expect(await eventCount()).toBe(before)
  })

  test('used again with another opt-in lists it, and does not record it', async () => {
    const key = (optIn?: string) => ({ ...body, ...(optIn && { optIn: { evidence: optIn } }) })
    const body = first('mismatch-opt-in')
    const withOptIn = { ...first('mismatch-opt-in-2'), optIn: { evidence: 'Form A' } }
    const { customerId } = (await record(body)).body.event
    await record(withOptIn)
    const cases: [string[] | undefined, Record<string, unknown>][] = [
      [undefined, key()],
      [['optIn'], key('Form A')],
      [['optIn', 'data'], { ...key('Form A'), data: {} }],
      [undefined, withOptIn],
      [['optIn'], { ...withOptIn, optIn: { evidence: 'Form B' } }],
      [['optIn'], { ...withOptIn, optIn: undefined }],
      [undefined, { ...withOptIn, name: 'Ada' }],
    ]
    for (const [mismatch, repeat] of cases) {
      const { headers, body: told } = await record(repeat)
      expect([headers.get(header), told.mismatch]).toEqual([mismatch ? 'true' : null, mismatch])
    }
    expect(await world.expect(200, 'GET', `/v1/customers/${customerId}`)).toMatchObject({ optedInAt: null })
  })

  test('used again for a different event is a warning in the list and on the event, not a rejected event', async () => {
    const body = first('mismatch-2')
    const { id } = (await record(body)).body.event
    expect(await world.expect(200, 'GET', `/v1/events/${id}`)).toMatchObject({ idempotencyMismatch: null })
    // Reading the list waits until earlier warnings are written.
    await world.expect(200, 'GET', '/v1/activity/not-accepted')
    await world.database.sql`delete from rejected_requests`
    for (const type of ['order.paid', 'order.sent']) await record({ ...body, type })
    await record({ ...body, data: {} })
    const { data } = await world.expect(200, 'GET', '/v1/activity/not-accepted')
    expect(data).toMatchObject([
      {
        severity: 'warning',
        status: 200,
        code: 'conflict',
        count: 1,
        eventId: id,
        details: { data: expect.any(String) },
      },
      { severity: 'warning', count: 2, details: { type: 'The first event has the type "order.created".' } },
    ])
    const { idempotencyMismatch } = await eventually('the event records it', async () => {
      const event = await world.expect(200, 'GET', `/v1/events/${id}`)
      return event.idempotencyMismatch?.fields.length === 2 && event
    })
    expect(idempotencyMismatch).toEqual({ fields: ['data', 'type'], lastAt: expect.stringMatching(/Z$/) })
    const [counted] = await world.database.sql`
      select coalesce(sum(refused), 0)::integer as refused from hourly_stat_changes where workspace_id = ${world.workspaceId}
        and id > (select id from rejected_requests order by id limit 1)`
    expect(counted!.refused).toBe(0)
  })

  test('used again is reported for each event of a batch', async () => {
    const body = first('mismatch-3')
    await record(body)
    const send = async (...events: object[]) => {
      const reply = await world.call('POST', '/v1/events/batch', { as: 'key', body: { events } })
      return [reply.headers.get(header), ...reply.body.data.map((one: { mismatch?: string[] }) => one.mismatch)]
    }
    expect(await send(body, { ...body, type: 'order.paid' })).toEqual(['true', undefined, ['type']])
    expect(await send(body)).toEqual([null, undefined])
  })

  test('used again reports only a different type when the customer was erased', async () => {
    const body = first('mismatch-4')
    const { customerId } = (await record(body)).body.event
    await world.expect(204, 'DELETE', `/v1/customers/${customerId}`)
    expect((await record(body)).body).not.toHaveProperty('mismatch')
    expect((await record({ ...body, type: 'order.paid' })).body.mismatch).toEqual(['type'])
  })

  test('is separate per source, and can be used again after a rejected call', async () => {
    const body = { type: 'a', phone: newPhone(), idempotencyKey: 'shared' }
    expect((await record({ ...body, phone: undefined, externalId: 'missing' })).status).toBe(400)
    expect([(await record(body)).status, (await record(body, { as: 'owner' })).status]).toEqual([201, 201])
  })

  test('used by two hundred concurrent calls records one event', async () => {
    const body = { type: 'a', phone: newPhone(), idempotencyKey: 'stampede' }
    const replies = await Promise.all(Array.from({ length: 200 }, () => record(body)))
    expect(replies.map(({ status }) => status).sort()).toEqual([...Array(199).fill(200), 201])
    expect(new Set(replies.map(reply => reply.body.event.id)).size).toBe(1)
  })
})

describe('the time at which it occurred', () => {
  const ago = (ms: number) => new Date(Date.now() - ms).toISOString()
  const day = 24 * 3600_000

  test('is stored and returned, also in a batch, and createdAt stays the time of recording', async () => {
    const occurredAt = ago(29 * day)
    const { event } = (await record({ type: 'occurred', phone: newPhone(), occurredAt })).body
    expect(event).toMatchObject({ occurredAt })
    expect(Date.parse(event.createdAt)).toBeGreaterThan(Date.now() - 60_000)
    expect(await world.expect(200, 'GET', `/v1/events/${event.id}`)).toMatchObject({ occurredAt })
    const listed = await world.expect(200, 'GET', '/v1/events?type=occurred')
    expect(listed.data).toMatchObject([{ occurredAt }])
    const soon = ago(-4 * 60_000)
    const events = [
      { type: 'o', phone: newPhone(), occurredAt: soon },
      { type: 'o', phone: newPhone() },
    ]
    const { data } = await world.expect(200, 'POST', '/v1/events/batch', { as: 'key', body: { events } })
    expect(data.map((one: { event: object }) => one.event)).toMatchObject([{ occurredAt: soon }, { occurredAt: null }])
  })

  test('is a valid time, at most 30 days ago and 5 minutes ahead', async () => {
    for (const [occurredAt, reason] of [
      [ago(30 * day + 60_000), 'Must be at most 30 days ago. Leave it out to record an older occurrence.'],
      [ago(-6 * 60_000), 'Must be at most 5 minutes ahead of the current time.'],
      ['yesterday', 'Must be a time such as 2026-03-01T09:30:02Z.'],
      ['2026-02-30T00:00:00Z', 'Must be a time such as 2026-03-01T09:30:02Z.'],
    ] as const) {
      const body = { type: 'o', phone: newPhone(), occurredAt }
      const { status, body: told } = await record(body)
      expect([status, told.error.details]).toEqual([400, { occurredAt: reason }])
      const batch = await world.expect(200, 'POST', '/v1/events/batch', { as: 'key', body: { events: [body] } })
      expect(batch.data).toMatchObject([{ status: 400, error: { details: { occurredAt: reason } } }])
      const checked = await world.expect(200, 'POST', '/v1/events/check', { as: 'key', body })
      expect(checked).toMatchObject({ valid: false, error: { details: { occurredAt: reason } } })
    }
  })
})

describe('the customer', () => {
  test('is enrolled once by a phone for concurrent events, found by any identifier, and gets missing ones', async () => {
    const phone = newPhone()
    const replies = await Promise.all(Array.from({ length: 50 }, () => record({ type: 'a', phone, name: 'Ben' })))
    const ids = new Set(replies.map(({ status, body }) => `${status} ${body.event.customerId}`))
    expect(ids.size).toBe(1)
    const { customerId } = replies[0]!.body.event
    for (const body of [
      { customerId, externalId: 'crm-1' },
      { externalId: 'crm-1', name: 'Somebody else' },
      { externalId: 'crm-1', phone },
    ])
      expect((await record({ type: 'a', ...body })).body).toMatchObject({ recorded: true, event: { customerId } })
    const customer = await world.expect(200, 'GET', `/v1/customers/${customerId}`, { as: 'key' })
    expect(customer).toMatchObject({ phone, externalId: 'crm-1', name: 'Ben' })
  })

  test('must be found and match all identifiers; otherwise 400 names the field and nothing is recorded', async () => {
    const [one, two] = [newPhone(), newPhone()]
    const first = (await record({ type: 'a', phone: one })).body.event.customerId
    const second = (await record({ type: 'a', phone: two })).body.event.customerId
    await record({ type: 'a', customerId: first, externalId: 'crm-first' })
    const before = await eventCount()
    for (const [body, field] of [
      [{}, 'phone'],
      [{ customerId: unknownId }, 'customerId'],
      [{ externalId: 'nobody', phone: '+4915199999999' }, 'externalId'],
      [{ customerId: first, phone: two }, 'phone'],
      [{ customerId: first, externalId: 'other' }, 'externalId'],
      [{ customerId: second, externalId: 'crm-first' }, 'externalId'],
      [{ externalId: 'crm-first', phone: two }, 'phone'],
    ] as const) {
      const reply = await record({ type: 'a', ...body })
      expect(reply.status, JSON.stringify(body)).toBe(400)
      expect(Object.keys(reply.body.error.details)).toEqual([field])
    }
    expect(await eventCount()).toBe(before)
  })

  test('missing from an order of a store plugin is rejected, and the error names its phone number', async () => {
    const order = { type: 'order.created', data: { id: 1 } }
    const phone = async (userAgent: string) =>
      (await record(order, { headers: { 'User-Agent': userAgent } })).body.error.details.phone
    expect(await phone('WooCommerce/9')).toContain('order has no phone number')
    expect(await phone('curl/8')).not.toContain('order has no phone number')
  })

  test('opts in with evidence, which does not lift an opt-out', async () => {
    const body = { type: 'a', phone: newPhone(), optIn: { evidence: 'ticked the box at checkout' } }
    const path = `/v1/customers/${(await record(body)).body.event.customerId}`
    expect((await world.expect(200, 'GET', path)).optedInAt).toMatch(/Z$/)
    await world.expect(200, 'POST', `${path}/opt-out`, { as: 'key', body: { reason: 'STOP' } })
    await record(body)
    expect((await world.expect(200, 'GET', path)).optedOutAt).toMatch(/Z$/)
  })
})

describe('an invalid body', () => {
  const phone = '+4915112345678'
  const long = (length: number, character = 'x') => character.repeat(length)
  const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, i]))

  test.each<[field: string, words: string, ...changes: object[]]>([
    ['type', 'required', { type: undefined }],
    ['type', '1 to 200', { type: '' }, { type: long(201) }, { type: 7 }, { type: null }],
    ['phone', 'E.164', { phone: '015112345678' }, { phone: '+0151123456' }, { phone: '+123456' }],
    ['phone', 'E.164', { phone: '+1234567890123456' }, { phone: '+4915112345678\n' }, { phone: '+４９１５１１２３' }],
    ['customerId', 'UUID', { customerId: 'nope' }],
    ['externalId', '1 to 200', { externalId: '' }, { externalId: long(201) }],
    ['name', '1 to 200', { name: '' }, { name: long(201) }],
    ['data', 'object', { data: [] }, { data: 'text' }, { data: null }],
    ['data', '50', { data: fields(51) }],
    ['idempotencyKey', '1 to 255', { idempotencyKey: '' }, { idempotencyKey: long(256) }, { idempotencyKey: 5 }],
    ['optIn', 'object', { optIn: true }],
    ['optIn.evidence', 'required', { optIn: {} }],
    ['optIn.evidence', '1 to 2000', { optIn: { evidence: '' } }, { optIn: { evidence: long(2001) } }],
    ['optIn.by', 'not a known field', { optIn: { evidence: 'x', by: 'me' } }],
    ['idempotency_key', 'Did you mean idempotencyKey?', { idempotency_key: 'k' }],
    ['Data', 'Did you mean data?', { Data: {} }],
    ['zebra', 'not a known field', { zebra: 1 }],
    ['constructor', 'not a known field', { constructor: 1 }],
    ['__proto__', 'not a known field', JSON.parse('{"__proto__":1}')],
  ])('is rejected under %s with the words "%s", and records nothing', async (field, words, ...changes) => {
    const before = await eventCount()
    for (const change of changes) {
      const { status, body } = await record({ type: 'a', phone, ...change })
      expect([status, body.error.code], JSON.stringify(change)).toEqual([400, 'invalid_request'])
      expect(body.error.details[field]).toContain(words)
    }
    expect(await eventCount()).toBe(before)
  })

  test('is one over a limit, which counts characters, not UTF-16 code units', async () => {
    const emoji = (count: number) => long(count, '😀')
    const fits = {
      type: emoji(200),
      phone: '+123456789012345',
      name: emoji(200),
      data: fields(50),
      idempotencyKey: emoji(255),
      optIn: { evidence: emoji(2000) },
    }
    const recorded = await record(fits)
    expect(recorded.status, JSON.stringify(recorded.body)).toBe(201)
    expect(recorded.body.event.type).toBe(emoji(200))
    expect((await record({ type: 'a', phone: '+1234567' })).status).toBe(201)
    const tooLong = await record({ ...fits, type: emoji(201), idempotencyKey: emoji(256) })
    expect(Object.keys(tooLong.body.error.details).sort()).toEqual(['idempotencyKey', 'type'])
  })
})

test('events are read, and listed newest first, by type, by customer and in pages', async () => {
  const as = await world.otherOwner()
  const [ana, ben] = [newPhone(), newPhone()]
  const events: { id: string; customerId: string }[] = []
  for (const [type, phone] of [
    ['cart', ana],
    ['order', ana],
    ['order', ben],
    ['cart', ben],
    ['order', ana],
  ] as const)
    events.unshift((await record({ type, phone, data: { n: events.length } }, { as })).body.event)
  const [newest, , third, fourth, oldest] = events.map(({ id }) => id)
  const list = (query = '') => world.expect(200, 'GET', `/v1/events${query}`, { as })
  expect(await list()).toEqual({ data: events, nextCursor: null })
  const { customerId } = events[0]!
  for (const [query, ids] of [
    ['type=order', [newest, third, fourth]],
    [`customerId=${customerId}`, [newest, fourth, oldest]],
    [`customerId=${customerId}&type=cart`, [oldest]],
    ['type=Order', []],
  ] as const)
    expect((await list(`?${query}`)).data.map(({ id }: { id: string }) => id)).toEqual([...ids])
  const pages = await world.pages('/v1/events?type=order&limit=2', { as })
  expect(pages.map(page => page.map(({ id }) => id))).toEqual([[newest!, third!], [fourth!]])

  const outcome = { matchedWorkflows: 0, outcomes: [], didYouMean: null, messages: [], idempotencyMismatch: null }
  for (const id of [newest!, newest!.toUpperCase()])
    expect(await world.expect(200, 'GET', `/v1/events/${id}`, { as })).toEqual({ ...events[0], ...outcome })
})
