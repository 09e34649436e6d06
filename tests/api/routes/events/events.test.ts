import { describe, expect, test } from 'bun:test'
import { eventually, newPhone, useWorld, type World } from '../../../support/world.ts'

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
    expect(customer).toMatchObject({
      phone,
      name: 'Ana',
      externalId: null,
      attributes: {},
      optedInAt: null,
      optedOutAt: null,
    })
  })

  test('recorded by a signed-in person has the source dashboard', async () => {
    const { body } = await record({ type: 'note', phone: newPhone() }, { as: 'owner' })
    expect(body.event.source).toBe('dashboard')
  })

  test.each([
    ['WooCommerce/9.1 Hookshot (WordPress/6.8)', 'woocommerce'],
    ['Shopify-Captain-Hook', 'shopify'],
    ['Magento/2.4', 'magento'],
    ['PrestaShop/8', 'prestashop'],
    ['Shopware/6.6', 'shopware'],
    ['curl/8', 'custom'],
  ])('sent by %s has the sender %s', async (userAgent, sender) => {
    const { body } = await record(
      { type: 'order.created', phone: newPhone() },
      { headers: { 'User-Agent': userAgent } },
    )
    expect(body.event.sender).toBe(sender)
  })

  test('keeps __proto__ and constructor in its data like any other field', async () => {
    const raw = `{"type":"odd","phone":"${newPhone()}","data":{"__proto__":{"polluted":1},"constructor":"x"}}`
    const reply = await world.call('POST', '/v1/events', { as: 'key', raw, headers: json })
    expect(reply.status).toBe(201)
    expect(JSON.stringify(reply.body.event.data)).toBe('{"__proto__":{"polluted":1},"constructor":"x"}')
    const [row] = await world.database.sql`select data::text as data from events where id = ${reply.body.event.id}`
    expect(JSON.parse(row!.data)).toEqual(JSON.parse('{"__proto__":{"polluted":1},"constructor":"x"}'))
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})

describe('an idempotency key', () => {
  test('used before returns the first event with 200, for any second body', async () => {
    const first = await record({ type: 'a', phone: newPhone(), data: { n: 1 }, idempotencyKey: 'same' })
    const before = await eventCount()
    const again = await record({ type: 'b', externalId: 'nobody has this', data: { n: 2 }, idempotencyKey: 'same' })
    expect(again.status).toBe(200)
    const mismatch = ['type', 'customer', 'data']
    expect(again.body).toEqual({ ...first.body, recorded: false, mismatch })
    expect(await eventCount()).toBe(before)
  })

  describe('used again for a different event', () => {
    const header = 'idempotency-mismatch'
    const first = (key: string, more: Record<string, unknown> = {}) => ({
      type: 'order.created',
      phone: newPhone(),
      data: { orderId: 'A-1', total: 12.5, lines: [{ sku: 'x', count: 2 }] },
      idempotencyKey: key,
      ...more,
    })

    test('returns the first event, and lists the differences in a header and a field', async () => {
      const body = first('mismatch-1', { occurredAt: new Date(Date.now() - 60_000).toISOString() })
      const { event } = (await record(body)).body
      const cases: [string[] | undefined, Record<string, unknown>][] = [
        [undefined, body],
        [undefined, { ...body, data: { lines: [{ count: 2, sku: 'x' }], total: 12.5, orderId: 'A-1' } }],
        [undefined, { ...body, phone: undefined, customerId: event.customerId }],
        [['type'], { ...body, type: 'order.paid' }],
        [['data'], { ...body, data: { ...body.data, total: 13 } }],
        [['data'], { ...body, data: { ...body.data, note: null } }],
        [['data'], { ...body, data: undefined }],
        [['customer'], { ...body, phone: newPhone() }],
        [['occurredAt'], { ...body, occurredAt: undefined }],
        [['type', 'customer', 'occurredAt', 'data'], { ...first('mismatch-1'), type: 'a', data: {} }],
      ]
      for (const [mismatch, repeat] of cases) {
        const { status, headers, body: told } = await record(repeat)
        expect([status, told.recorded, told.event]).toEqual([200, false, event])
        expect([headers.get(header), told.mismatch]).toEqual([mismatch ? 'true' : null, mismatch])
      }
    })

    test('is a warning in the list of rejected events and on the event, and is not counted as rejected', async () => {
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

    test('is returned for each event of a batch', async () => {
      const body = first('mismatch-3')
      await record(body)
      const asking = { as: 'key', body: { events: [body, { ...body, type: 'order.paid' }] } } as const
      const { headers, body: answer } = await world.call('POST', '/v1/events/batch', asking)
      expect(headers.get(header)).toBe('true')
      expect(answer.data.map((one: Record<string, unknown>) => [one.status, one.mismatch])).toEqual([
        [200, undefined],
        [200, ['type']],
      ])
      const same = await world.call('POST', '/v1/events/batch', { as: 'key', body: { events: [body] } })
      expect(same.headers.get(header)).toBeNull()
    })

    test('reports only a different type when the customer was erased', async () => {
      const body = first('mismatch-4')
      const { customerId } = (await record(body)).body.event
      await world.expect(204, 'DELETE', `/v1/customers/${customerId}`)
      expect((await record(body)).body).not.toHaveProperty('mismatch')
      expect((await record({ ...body, type: 'order.paid' })).body.mismatch).toEqual(['type'])
    })
  })

  test('is separate per source: a person and an API key do not collide', async () => {
    const phone = newPhone()
    const byKey = await record({ type: 'a', phone, idempotencyKey: 'shared' })
    const byPerson = await record({ type: 'a', phone, idempotencyKey: 'shared' }, { as: 'owner' })
    expect([byKey.status, byPerson.status]).toEqual([201, 201])
  })

  test('used by two hundred concurrent calls records one event', async () => {
    const body = { type: 'a', phone: newPhone(), idempotencyKey: 'stampede' }
    const replies = await Promise.all(Array.from({ length: 200 }, () => record(body)))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(199)
    expect(new Set(replies.map(reply => reply.body.event.id)).size).toBe(1)
  })

  test('can be used again after a rejected call', async () => {
    expect((await record({ type: 'a', externalId: 'missing', idempotencyKey: 'later' })).status).toBe(400)
    expect((await record({ type: 'a', phone: newPhone(), idempotencyKey: 'later' })).status).toBe(201)
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
  test('is enrolled once by a phone, for any number of concurrent events', async () => {
    const phone = newPhone()
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, i) => record({ type: 'a', phone, name: `name ${i}` })),
    )
    expect(replies.map(({ status }) => status)).toEqual(Array(50).fill(201))
    expect(new Set(replies.map(reply => reply.body.event.customerId)).size).toBe(1)
  })

  test('is found by id, external id or phone, and missing identifiers are filled in', async () => {
    const phone = newPhone()
    const { customerId } = (await record({ type: 'a', phone, name: 'Ben' })).body.event
    const filled = await record({ type: 'a', customerId, externalId: 'crm-1' })
    expect(filled.body.event.customerId).toBe(customerId)
    expect((await record({ type: 'a', externalId: 'crm-1', name: 'Somebody else' })).body.event.customerId).toBe(
      customerId,
    )
    expect((await record({ type: 'a', externalId: 'crm-1', phone })).body.event.customerId).toBe(customerId)
    const customer = await world.expect(200, 'GET', `/v1/customers/${customerId}`, { as: 'key' })
    expect(customer).toMatchObject({ phone, externalId: 'crm-1', name: 'Ben' })
  })

  test.each([
    ['an unknown customerId', { customerId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e99' }, 'customerId'],
    ['an unknown externalId, which does not enrol', { externalId: 'nobody', phone: '+4915199999999' }, 'externalId'],
    ['no identifier of the customer', {}, 'phone'],
  ])('cannot be found by %s: 400 naming the field', async (_, identifiers, field) => {
    const before = await eventCount()
    const reply = await record({ type: 'a', ...identifiers })
    expect(reply.status).toBe(400)
    expect(reply.body.error).toMatchObject({ code: 'invalid_request', details: { [field]: expect.any(String) } })
    expect(await eventCount()).toBe(before)
  })

  test('must match all given identifiers', async () => {
    const [one, two] = [newPhone(), newPhone()]
    const first = (await record({ type: 'a', phone: one })).body.event.customerId
    const second = (await record({ type: 'a', phone: two })).body.event.customerId
    await record({ type: 'a', customerId: first, externalId: 'crm-first' })
    for (const [body, field] of [
      [{ customerId: first, phone: two }, 'phone'],
      [{ customerId: first, externalId: 'other' }, 'externalId'],
      [{ customerId: second, externalId: 'crm-first' }, 'externalId'],
      [{ externalId: 'crm-first', phone: two }, 'phone'],
    ] as const) {
      const reply = await record({ type: 'a', ...body })
      expect(reply.status, JSON.stringify(body)).toBe(400)
      expect(Object.keys(reply.body.error.details)).toEqual([field])
    }
  })

  test('missing from an order of a store plugin is rejected, and the error names its phone number', async () => {
    const reply = await record(
      { type: 'order.created', data: { id: 1 } },
      { headers: { 'User-Agent': 'WooCommerce/9' } },
    )
    expect(reply.status).toBe(400)
    expect(reply.body.error.details.phone).toContain('order has no phone number')
    const other = await record({ type: 'order.created', data: { id: 1 } })
    expect(other.body.error.details.phone).not.toContain('order has no phone number')
  })

  test('opts in with evidence, which does not lift an opt-out', async () => {
    const phone = newPhone()
    const { customerId } = (await record({ type: 'a', phone, optIn: { evidence: 'ticked the box at checkout' } })).body
      .event
    const read = () => world.expect(200, 'GET', `/v1/customers/${customerId}`, { as: 'key' })
    expect((await read()).optedInAt).toMatch(/Z$/)
    await world.expect(200, 'POST', `/v1/customers/${customerId}/opt-out`, { as: 'key', body: { reason: 'STOP' } })
    await record({ type: 'a', phone, optIn: { evidence: 'again' } })
    expect((await read()).optedOutAt).toMatch(/Z$/)
  })
})

describe('an invalid body is rejected, names the field, and records nothing', () => {
  const phone = '+4915112345678'
  const long = (length: number) => 'x'.repeat(length)
  const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, i]))

  test.each([
    [{ phone }, 'type', 'required'],
    [{ type: '', phone }, 'type', '1 to 200'],
    [{ type: long(201), phone }, 'type', '1 to 200'],
    [{ type: 7, phone }, 'type', '1 to 200'],
    [{ type: null, phone }, 'type', '1 to 200'],
    [{ type: 'a', phone: '015112345678' }, 'phone', 'E.164'],
    [{ type: 'a', phone: '+0151123456' }, 'phone', 'E.164'],
    [{ type: 'a', phone: '+123456' }, 'phone', 'E.164'],
    [{ type: 'a', phone: '+1234567890123456' }, 'phone', 'E.164'],
    [{ type: 'a', phone: '+49 151 1234567' }, 'phone', 'E.164'],
    [{ type: 'a', phone: '+4915112345678\n' }, 'phone', 'E.164'],
    [{ type: 'a', phone: '+４９１５１１２３４５６' }, 'phone', 'E.164'],
    [{ type: 'a', customerId: 'nope' }, 'customerId', 'UUID'],
    [{ type: 'a', externalId: '' }, 'externalId', '1 to 200'],
    [{ type: 'a', externalId: long(201) }, 'externalId', '1 to 200'],
    [{ type: 'a', phone, name: '' }, 'name', '1 to 200'],
    [{ type: 'a', phone, name: long(201) }, 'name', '1 to 200'],
    [{ type: 'a', phone, data: [] }, 'data', 'object'],
    [{ type: 'a', phone, data: 'text' }, 'data', 'object'],
    [{ type: 'a', phone, data: null }, 'data', 'object'],
    [{ type: 'a', phone, data: fields(51) }, 'data', '50'],
    [{ type: 'a', phone, idempotencyKey: '' }, 'idempotencyKey', '1 to 255'],
    [{ type: 'a', phone, idempotencyKey: long(256) }, 'idempotencyKey', '1 to 255'],
    [{ type: 'a', phone, idempotencyKey: 5 }, 'idempotencyKey', '1 to 255'],
    [{ type: 'a', phone, optIn: {} }, 'optIn.evidence', 'required'],
    [{ type: 'a', phone, optIn: true }, 'optIn', 'object'],
    [{ type: 'a', phone, optIn: { evidence: '' } }, 'optIn.evidence', '1 to 2000'],
    [{ type: 'a', phone, optIn: { evidence: long(2001) } }, 'optIn.evidence', '1 to 2000'],
    [{ type: 'a', phone, optIn: { evidence: 'x', by: 'me' } }, 'optIn.by', 'not a known field'],
    [{ type: 'a', phone, idempotency_key: 'k' }, 'idempotency_key', 'Did you mean idempotencyKey?'],
    [{ type: 'a', phone, Data: {} }, 'Data', 'Did you mean data?'],
    [{ type: 'a', phnoe: phone }, 'phnoe', 'Did you mean phone?'],
    [{ type: 'a', phone, date: {} }, 'date', 'Did you mean data?'],
    [{ type: 'a', phone, zebra: 1 }, 'zebra', 'not a known field'],
  ])('%j', async (body, field, words) => {
    const before = await eventCount()
    const reply = await record(body as Record<string, unknown>)
    expect(reply.status).toBe(400)
    expect(reply.body.error.code).toBe('invalid_request')
    expect(reply.body.error.details[field]).toContain(words)
    expect(await eventCount()).toBe(before)
  })

  test('shortens a very long field name', async () => {
    const reply = await record({ type: 'a', phone, ['x'.repeat(500_000)]: 1 })
    expect(Object.keys(reply.body.error.details)).toEqual([`${'x'.repeat(200)}…`])
  })

  test('accepts values at each limit', async () => {
    const reply = await record({
      type: long(200),
      phone: '+123456789012345',
      name: long(200),
      data: fields(50),
      idempotencyKey: long(255),
      optIn: { evidence: long(2000) },
    })
    expect(reply.status).toBe(201)
    expect((await record({ type: 'a', phone: '+1234567' })).status).toBe(201)
  })
})

describe('an error', () => {
  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'names an unknown field called %s',
    async field => {
      const raw = `{"type":"a","phone":"+4915112345678","${field}":1}`
      expect(await world.answer('POST', '/v1/events', { as: 'key', raw, headers: json })).toBe(
        `400 invalid_request ${field}`,
      )
    },
  )

  test('counts characters, not UTF-16 code units', async () => {
    const emoji = (count: number) => '😀'.repeat(count)
    const fits = {
      type: emoji(200),
      phone: newPhone(),
      name: emoji(200),
      idempotencyKey: emoji(255),
      optIn: { evidence: emoji(2000) },
    }
    const recorded = await record(fits)
    expect(recorded.status, JSON.stringify(recorded.body)).toBe(201)
    expect(recorded.body.event.type).toBe(emoji(200))
    const tooLong = await record({ ...fits, type: emoji(201), idempotencyKey: emoji(256) })
    expect(Object.keys(tooLong.body.error.details).sort()).toEqual(['idempotencyKey', 'type'])
  })
})
