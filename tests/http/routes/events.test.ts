import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startWorld, type World } from '../../support/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

let phones = 0
const newPhone = () => `+4915${String(510_000_000 + phones++)}`

const record = (body: Record<string, unknown>, asking: Parameters<World['call']>[2] = {}) =>
  world.call('POST', '/v1/events', { as: 'key', body, ...asking })

const eventCount = async () => Number((await world.database.sql`select count(*) from events`)[0]!.count)

describe('an event', () => {
  test('is recorded with 201 and comes back as it was sent', async () => {
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

  test('of a signed-in person has the source dashboard', async () => {
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
  ])('sent by %s comes from %s', async (userAgent, sender) => {
    const { body } = await record(
      { type: 'order.created', phone: newPhone() },
      { headers: { 'User-Agent': userAgent } },
    )
    expect(body.event.sender).toBe(sender)
  })

  test('keeps __proto__ and constructor in its data like any other field', async () => {
    const raw = `{"type":"odd","phone":"${newPhone()}","data":{"__proto__":{"polluted":1},"constructor":"x"}}`
    const reply = await world.call('POST', '/v1/events', {
      as: 'key',
      raw,
      headers: { 'Content-Type': 'application/json' },
    })
    expect(reply.status).toBe(201)
    expect(JSON.stringify(reply.body.event.data)).toBe('{"__proto__":{"polluted":1},"constructor":"x"}')
    const [row] = await world.database.sql`select data::text as data from events where id = ${reply.body.event.id}`
    expect(JSON.parse(row!.data)).toEqual(JSON.parse('{"__proto__":{"polluted":1},"constructor":"x"}'))
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})

describe('an idempotency key', () => {
  test('seen before returns the first event with 200, whatever the second body says', async () => {
    const first = await record({ type: 'a', phone: newPhone(), data: { n: 1 }, idempotencyKey: 'same' })
    const before = await eventCount()
    const again = await record({ type: 'b', externalId: 'nobody has this', data: { n: 2 }, idempotencyKey: 'same' })
    expect(again.status).toBe(200)
    expect(again.body).toEqual({ ...first.body, recorded: false })
    expect(await eventCount()).toBe(before)
  })

  test('belongs to its source: a person and a key do not collide', async () => {
    const phone = newPhone()
    const byKey = await record({ type: 'a', phone, idempotencyKey: 'shared' })
    const byPerson = await record({ type: 'a', phone, idempotencyKey: 'shared' }, { as: 'owner' })
    expect([byKey.status, byPerson.status]).toEqual([201, 201])
  })

  test('two hundred at once record one event', async () => {
    const body = { type: 'a', phone: newPhone(), idempotencyKey: 'stampede' }
    const replies = await Promise.all(Array.from({ length: 200 }, () => record(body)))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(199)
    expect(new Set(replies.map(reply => reply.body.event.id)).size).toBe(1)
  })

  test('of a refused call is not used up', async () => {
    expect((await record({ type: 'a', externalId: 'missing', idempotencyKey: 'later' })).status).toBe(400)
    expect((await record({ type: 'a', phone: newPhone(), idempotencyKey: 'later' })).status).toBe(201)
  })
})

describe('the customer', () => {
  test('is enrolled once by a phone, however many events arrive at once', async () => {
    const phone = newPhone()
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, i) => record({ type: 'a', phone, name: `name ${i}` })),
    )
    expect(replies.map(({ status }) => status)).toEqual(Array(50).fill(201))
    expect(new Set(replies.map(reply => reply.body.event.customerId)).size).toBe(1)
  })

  test('is found by id, external id or phone; what it lacks is filled in', async () => {
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
    ['an unknown externalId, which enrols nobody', { externalId: 'nobody', phone: '+4915199999999' }, 'externalId'],
    ['nothing to know the customer by', {}, 'phone'],
  ])('cannot be told from %s: 400 naming the field', async (_, identifiers, field) => {
    const before = await eventCount()
    const reply = await record({ type: 'a', ...identifiers })
    expect(reply.status).toBe(400)
    expect(reply.body.error).toMatchObject({ code: 'invalid_request', details: { [field]: expect.any(String) } })
    expect(await eventCount()).toBe(before)
  })

  test('must not be contradicted by the other identifiers', async () => {
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

  test('missing from an order of a store plugin is refused in words that name the phone number of the order', async () => {
    const reply = await record(
      { type: 'order.created', data: { id: 1 } },
      { headers: { 'User-Agent': 'WooCommerce/9' } },
    )
    expect(reply.status).toBe(400)
    expect(reply.body.error.details.phone).toContain('order has no phone number')
    const other = await record({ type: 'order.created', data: { id: 1 } })
    expect(other.body.error.details.phone).not.toContain('order has no phone number')
  })

  test('opts in with evidence; an opt-in never lifts an opt-out', async () => {
    const phone = newPhone()
    const { customerId } = (await record({ type: 'a', phone, optIn: { evidence: 'ticked the box at checkout' } })).body
      .event
    const read = () => world.expect(200, 'GET', `/v1/customers/${customerId}`, { as: 'key' })
    expect((await read()).optedInAt).toMatch(/Z$/)
    await world.expect(200, 'POST', `/v1/customers/${customerId}/opt-out`, { as: 'key', body: { reason: 'STOP' } })
    await record({ type: 'a', phone, optIn: { evidence: 'again' } })
    expect((await read()).optedOutAt).toMatch(/Z$/)
  })

  test('of another workspace is not found', async () => {
    const { customerId } = (await record({ type: 'a', phone: newPhone() })).body.event
    const as = await world.otherOwner()
    expect((await record({ type: 'a', customerId }, { as })).status).toBe(400)
    expect((await world.call('GET', `/v1/customers/${customerId}`, { as })).status).toBe(404)
  })
})

describe('a body that does not fit is refused, names the field, and leaves nothing behind', () => {
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
    [{ type: 'a', phone, idempotency_key: 'k' }, 'idempotency_key', 'did you mean idempotencyKey?'],
    [{ type: 'a', phone, Data: {} }, 'Data', 'did you mean data?'],
    [{ type: 'a', phnoe: phone }, 'phnoe', 'did you mean phone?'],
    [{ type: 'a', phone, date: {} }, 'date', 'did you mean data?'],
    [{ type: 'a', phone, zebra: 1 }, 'zebra', 'not a known field'],
  ])('%j', async (body, field, words) => {
    const before = await eventCount()
    const reply = await record(body as Record<string, unknown>)
    expect(reply.status).toBe(400)
    expect(reply.body.error.code).toBe('invalid_request')
    expect(reply.body.error.details[field]).toContain(words)
    expect(await eventCount()).toBe(before)
  })

  test('a field with an endless name is named by its beginning', async () => {
    const reply = await record({ type: 'a', phone, ['x'.repeat(500_000)]: 1 })
    expect(Object.keys(reply.body.error.details)).toEqual([`${'x'.repeat(200)}…`])
  })

  test('at each limit it still fits', async () => {
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

describe('a refusal', () => {
  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'names an unknown field called %s',
    async field => {
      const raw = `{"type":"a","phone":"+4915112345678","${field}":1}`
      const reply = await world.call('POST', '/v1/events', {
        as: 'key',
        raw,
        headers: { 'Content-Type': 'application/json' },
      })
      expect(reply.status).toBe(400)
      expect(Object.keys(reply.body.error.details)).toEqual([field])
    },
  )

  test('counts characters, not halves of them', async () => {
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
