import { describe, expect, test } from 'bun:test'
import { type Sql, transaction } from '../../../../src/platform/postgres/client.ts'
import { outboundEvents } from '../../../../src/webhooks/outbound-events/index.ts'
import { tell } from '../../../support/outbox.ts'
import { startReceiver } from '../../../support/receiver.ts'
import { use } from '../../../support/use.ts'
import { type Asking, answerOf, eventually, newPhone, unknownId, useWorld } from '../../../support/world.ts'

const receiver = use(startReceiver)
const world = useWorld(() => ({ WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target }))

let names = 0
const newName = (prefix: string) => `${prefix}-${names++}`

interface Customer {
  id: string
  phone: string | null
  externalId: string | null
  name: string | null
  email: string | null
  attributes: Record<string, unknown>
  optedInAt: string | null
  optedOutAt: string | null
  createdAt: string
  updatedAt: string
}

const create = (body: Record<string, unknown> = { phone: newPhone() }): Promise<Customer> =>
  world.expect(201, 'POST', '/v1/customers', { as: 'key', body })
const read = (id: string): Promise<Customer> => world.expect(200, 'GET', `/v1/customers/${id}`, { as: 'key' })
const change = (id: string, body: unknown) => world.call('PATCH', `/v1/customers/${id}`, { as: 'key', body })
const erase = (id: string) => world.expect(204, 'DELETE', `/v1/customers/${id}`, { as: 'key' })
const record = (body: Record<string, unknown>) => world.call('POST', '/v1/events', { as: 'key', body })
const timeline = async (id: string, query = '') =>
  (await world.expect(200, 'GET', `/v1/customers/${id}/timeline${query}`, { as: 'key' })) as {
    data: ({ id: string; kind: string; at: string } & Record<string, unknown>)[]
    nextCursor: string | null
  }

const refused = async (body: unknown) => answerOf(await world.call('POST', '/v1/customers', { as: 'key', body }))
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe('creating a customer', () => {
  test('returns 201 with the record', async () => {
    const body = {
      phone: newPhone(),
      externalId: newName('C'),
      name: 'Ana',
      email: 'a@b.example',
      attributes: { tier: 'gold', since: 2020 },
    }
    const customer = await create(body)
    expect(customer).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      ...body,
      optedInAt: null,
      optedOutAt: null,
      createdAt: expect.stringMatching(time),
      updatedAt: expect.stringMatching(time),
    })
    expect(await read(customer.id)).toEqual(customer)
  })

  test('accepts either identifier alone, and null for the other', async () => {
    expect(await create({ externalId: newName('C'), phone: null })).toMatchObject({
      phone: null,
      name: null,
      attributes: {},
    })
    expect(await create({ phone: newPhone(), externalId: null, name: null })).toMatchObject({ externalId: null })
  })

  test('drops an attribute given as null', async () => {
    const { attributes } = await create({ phone: newPhone(), attributes: { a: 1, b: null } })
    expect(attributes).toEqual({ a: 1 })
  })

  test('needs a phone or an externalId, and rejects unknown fields', async () => {
    expect(await refused({})).toBe('400 invalid_request phone')
    expect(await refused({ name: 'Ana' })).toBe('400 invalid_request phone')
    expect(await refused({ phone: null, externalId: null })).toBe('400 invalid_request phone')
    expect(await refused({ phone: newPhone(), external_id: 'x' })).toBe('400 invalid_request external_id')
    expect(await refused({ phone: newPhone(), optIn: { evidence: 'x' } })).toBe('400 invalid_request optIn')
  })

  test('accepts texts up to their limits', async () => {
    for (const phone of ['4915112345678', '+0151123456', '+123456', '+1234567890123456', '+49 151 1234567', 'x', 7])
      expect(await refused({ phone }), String(phone)).toBe('400 invalid_request phone')
    await create({ phone: '+1234567' })
    await create({ phone: '+123456789012345' })
    expect(await refused({ externalId: '' })).toBe('400 invalid_request externalId')
    expect(await refused({ externalId: 'x'.repeat(201) })).toBe('400 invalid_request externalId')
    await create({ externalId: 'x'.repeat(200) })
    expect(await refused({ phone: newPhone(), name: '' })).toBe('400 invalid_request name')
    expect(await refused({ phone: newPhone(), name: 'x'.repeat(201) })).toBe('400 invalid_request name')
    await create({ phone: newPhone(), name: 'x'.repeat(200) })
  })

  test('describes the expected value of a wrong field', async () => {
    const { body } = await world.call('POST', '/v1/customers', { as: 'key', body: { phone: '123', name: '' } })
    expect(body.error.details).toEqual({
      phone: expect.stringMatching(/^Must be an E\.164 number.*; or null\.$/),
      name: 'Must be a text of 1 to 200 characters; or null.',
    })
  })

  test('returns 409 and names the customer that has the phone, the external id, or both', async () => {
    const phone = newPhone()
    const externalId = newName('C')
    const one = await create({ phone })
    const two = await create({ externalId })
    const conflict = (body: unknown) => world.call('POST', '/v1/customers', { as: 'key', body })
    const reply = await conflict({ phone, externalId: newName('C') })
    expect(answerOf(reply)).toBe('409 conflict phone')
    expect(reply.body.error.details.phone).toBe(`Belongs to customer ${one.id}.`)
    expect(answerOf(await conflict({ phone: newPhone(), externalId }))).toBe('409 conflict externalId')
    const both = await conflict({ phone, externalId })
    expect(answerOf(both)).toBe('409 conflict phone externalId')
    expect(both.body.error.details.externalId).toBe(`Belongs to customer ${two.id}.`)
  })

  test('fifty times concurrently with the same phone makes one customer and 49 conflicts', async () => {
    const phone = newPhone()
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        world.call('POST', '/v1/customers', { as: 'key', body: { phone, externalId: newName(`many-${i}`) } }),
      ),
    )
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
    const refused = replies.filter(({ status }) => status !== 201).map(answerOf)
    expect(refused).toEqual(Array(49).fill('409 conflict phone'))
  })

  test('concurrently with an event makes one customer', async () => {
    for (let i = 0; i < 10; i++) {
      const phone = newPhone()
      const [created, ...recorded] = await Promise.all([
        world.call('POST', '/v1/customers', { as: 'key', body: { phone } }),
        ...Array.from({ length: 5 }, () => record({ type: 'race', phone })),
      ])
      const ids = new Set(recorded.map(({ body }) => body.event.customerId))
      expect(recorded.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
      expect(ids.size).toBe(1)
      if (created!.status === 201) expect(ids).toContain(created!.body.id)
      else expect(answerOf(created!)).toBe('409 conflict phone')
    }
  })

  test('lets an event find the customer by either identifier and fill in the missing one', async () => {
    const customer = await create({ externalId: newName('C') })
    const phone = newPhone()
    const { body } = await record({ type: 'a', externalId: customer.externalId, phone })
    expect(body.event.customerId).toBe(customer.id)
    expect((await read(customer.id)).phone).toBe(phone)
  })
})

describe('creating or changing a customer', () => {
  const put = (body: unknown) => world.call('PUT', '/v1/customers', { as: 'key', body })

  test('creates one with 201, and changes it with 200 by its external id, or else by its phone', async () => {
    const [phone, externalId] = [newPhone(), newName('put')]
    const made = await put({ externalId, name: 'Ana', email: 'ana@example.com', attributes: { a: 1, b: 2 } })
    expect([made.status, made.headers.get('location')]).toEqual([201, `/v1/customers/${made.body.id}`])
    expect(made.body).toMatchObject({ externalId, phone: null, name: 'Ana', email: 'ana@example.com' })
    const changed = await put({ externalId, phone, email: null, attributes: { a: null, c: 3 } })
    expect([changed.status, changed.body]).toEqual([
      200,
      { ...made.body, phone, email: null, attributes: { b: 2, c: 3 }, updatedAt: changed.body.updatedAt },
    ])
    const byPhone = await put({ phone, name: 'Ana B.' })
    expect(byPhone).toMatchObject({ status: 200, body: { id: made.body.id, externalId, name: 'Ana B.' } })
    expect(await read(made.body.id)).toEqual(byPhone.body)
  })

  test('fills in the external id of a customer found by phone', async () => {
    const { id, phone } = await create()
    const externalId = newName('filled')
    expect(await put({ phone, externalId })).toMatchObject({ status: 200, body: { id, externalId } })
  })

  test('is 409 when the identifiers belong to two customers, and names them', async () => {
    const one = await create({ phone: newPhone(), externalId: newName('one') })
    const other = await create({ phone: newPhone(), externalId: newName('other') })
    for (const externalId of [other.externalId, newName('new')]) {
      const refused = await put({ phone: one.phone, externalId })
      expect(answerOf(refused)).toBe('409 conflict phone')
      expect(refused.body.error.details.phone).toBe(`Belongs to customer ${one.id}.`)
    }
    expect(await read(one.id)).toEqual(one)
    expect(await read(other.id)).toEqual(other)
  })

  test('fifty times concurrently creates one customer, and every call succeeds', async () => {
    const [phone, externalId] = [newPhone(), newName('race')]
    const replies = await Promise.all(Array.from({ length: 50 }, (_, n) => put({ phone, externalId, name: `n${n}` })))
    expect(replies.map(({ status }) => status).sort()).toEqual([...Array(49).fill(200), 201])
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1)
  })

  test('needs an identifier and rejects unknown fields', async () => {
    expect(answerOf(await put({ name: 'Nobody' }))).toBe('400 invalid_request phone')
    expect(answerOf(await put({ phone: null, externalId: null }))).toBe('400 invalid_request phone')
    expect(answerOf(await put({ externalId: 'x', e_mail: 'a@b' }))).toBe('400 invalid_request e_mail')
    for (const email of ['', 'nobody', 'a b@c', 'a@b c', `${'a'.repeat(250)}@b.cc`, 7])
      expect(answerOf(await put({ externalId: 'x', email }))).toBe('400 invalid_request email')
    const tooMany = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`a${n}`, n]))
    expect(answerOf(await put({ externalId: newName('many'), attributes: tooMany }))).toBe(
      '400 invalid_request attributes',
    )
  })

  test('is limited to the workspace of the caller', async () => {
    const { id, externalId, phone } = await create({ externalId: newName('mine'), phone: newPhone() })
    const as = await world.otherOwner()
    const made = await world.expect(201, 'PUT', '/v1/customers', { as, body: { externalId } })
    expect(made.id).not.toBe(id)
    expect((await world.expect(201, 'POST', '/v1/customers', { as, body: { phone } })).id).not.toBe(id)
  })
})

describe('the e-mail address of a customer', () => {
  test('is set at creation, changed and cleared, and can belong to several customers', async () => {
    const email = 'Ana.Beispiel+shop@example.com'
    const one = await create({ phone: newPhone(), email })
    const other = await create({ phone: newPhone() })
    expect([one.email, other.email]).toEqual([email, null])
    expect((await change(other.id, { email })).body).toMatchObject({ email })
    expect((await change(other.id, { email: null })).body).toMatchObject({ email: null })
    expect((await read(one.id)).email).toBe(email)
  })
})

describe('attributes', () => {
  const fields = (count: number, value: unknown = 1) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, value]))

  test('are at most 50, at creation and after a merge', async () => {
    const { id } = await create({ phone: newPhone(), attributes: fields(50) })
    expect(await refused({ phone: newPhone(), attributes: fields(51) })).toBe('400 invalid_request attributes')
    expect(answerOf(await change(id, { attributes: { one: 'more' } }))).toBe('400 invalid_request attributes')
    expect(Object.keys((await read(id)).attributes)).toHaveLength(50)
    const swapped = await change(id, { attributes: { one: 'more', f0: null } })
    expect(swapped.status).toBe(200)
    expect(Object.keys(swapped.body.attributes)).toHaveLength(50)
    expect((await change(id, { attributes: fields(50, null) })).body.attributes).toEqual({ one: 'more' })
  })

  test('have names of 1 to 100 characters and together at most 16 KiB', async () => {
    for (const attributes of [{ '': 1 }, { ['x'.repeat(101)]: 1 }, [1], { a: 'x'.repeat(16 * 1024 - 7) }])
      expect(await refused({ phone: newPhone(), attributes })).toBe('400 invalid_request attributes')
    const largest = { a: 'x'.repeat(16 * 1024 - 8) }
    const { id } = await create({ phone: newPhone(), attributes: largest })
    await create({ phone: newPhone(), attributes: { ['x'.repeat(100)]: 1 } })
    expect(answerOf(await change(id, { attributes: { b: 1 } }))).toBe('400 invalid_request attributes')
    expect((await read(id)).attributes).toEqual(largest)
  })

  test('are merged at the top level: given ones replace, null removes, others stay', async () => {
    const { id } = await create({ phone: newPhone(), attributes: { a: 1, b: { c: 1, d: 2 }, e: [1] } })
    const { body } = await change(id, { attributes: { a: null, b: { c: null }, f: 'new', nothing: null } })
    expect(body.attributes).toEqual({ b: { c: null }, e: [1], f: 'new' })
  })

  test('are all kept when merged concurrently', async () => {
    const { id } = await create()
    const replies = await Promise.all(fiftyTimes(i => change(id, { attributes: { [`f${i}`]: i } })))
    expect(replies.map(({ status }) => status)).toEqual(Array(50).fill(200))
    expect((await read(id)).attributes).toEqual(Object.fromEntries(fiftyTimes(i => [`f${i}`, i])))
  })

  test('can be named __proto__ and constructor', async () => {
    const raw = `{"phone":"${newPhone()}","attributes":{"__proto__":{"polluted":1},"constructor":"x"}}`
    const json = { 'Content-Type': 'application/json' }
    const { body } = await world.call('POST', '/v1/customers', { as: 'key', raw, headers: json })
    expect(JSON.stringify(body.attributes)).toBe('{"__proto__":{"polluted":1},"constructor":"x"}')
    const removed = await world.call('PATCH', `/v1/customers/${body.id}`, {
      as: 'key',
      raw: '{"attributes":{"__proto__":null}}',
      headers: json,
    })
    expect(JSON.stringify(removed.body.attributes)).toBe('{"constructor":"x"}')
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})

const fiftyTimes = <T>(make: (i: number) => T): T[] => Array.from({ length: 50 }, (_, i) => make(i))

describe('changing a customer', () => {
  test('changes only the given fields', async () => {
    const customer = await create({ phone: newPhone(), externalId: newName('C'), name: 'Ana', attributes: { a: 1 } })
    const { status, body } = await change(customer.id, { name: 'Bea' })
    expect(status).toBe(200)
    expect(body).toEqual({ ...customer, name: 'Bea', updatedAt: expect.any(String) })
    expect(Date.parse(body.updatedAt)).toBeGreaterThanOrEqual(Date.parse(customer.updatedAt))
    const phone = newPhone()
    const externalId = newName('C')
    expect((await change(customer.id, { phone, externalId })).body).toMatchObject({ phone, externalId, name: 'Bea' })
    expect((await change(customer.id, { name: null, externalId: null })).body).toMatchObject({
      phone,
      externalId: null,
      name: null,
    })
    expect(await read(customer.id)).toMatchObject({ phone, externalId: null, name: null, attributes: { a: 1 } })
  })

  test('to an identifier of another customer is 409, to its own is not', async () => {
    const one = await create({ phone: newPhone(), externalId: newName('C') })
    const two = await create({ phone: newPhone(), externalId: newName('C') })
    const both = await change(two.id, { phone: one.phone, externalId: one.externalId })
    expect(answerOf(both)).toBe('409 conflict phone externalId')
    expect(both.body.error.details.phone).toBe(`Belongs to customer ${one.id}.`)
    expect(answerOf(await change(two.id, { externalId: one.externalId, phone: two.phone, name: 'x' }))).toBe(
      '409 conflict externalId',
    )
    expect(await read(two.id)).toEqual(two)
    expect((await change(two.id, { phone: two.phone, externalId: two.externalId })).status).toBe(200)
  })

  test('never leaves a customer without phone and external id, also with concurrent calls', async () => {
    const one = await create({ phone: newPhone() })
    expect(answerOf(await change(one.id, { phone: null }))).toBe('422 unprocessable phone')
    expect(answerOf(await change(one.id, { phone: null, externalId: null }))).toBe('400 invalid_request phone')
    expect((await change(one.id, { phone: null, externalId: newName('C') })).status).toBe(200)
    for (let i = 0; i < 10; i++) {
      const { id } = await create({ phone: newPhone(), externalId: newName('C') })
      const replies = await Promise.all([change(id, { phone: null }), change(id, { externalId: null })])
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 422])
    }
  })

  test('to the same phone, for many customers concurrently, succeeds for one', async () => {
    const phone = newPhone()
    const customers = await Promise.all(Array.from({ length: 20 }, () => create()))
    const replies = await Promise.all(customers.map(({ id }) => change(id, { phone })))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(19)
  })

  test('rejects an empty change and unknown fields', async () => {
    const { id } = await create()
    expect(answerOf(await change(id, {}))).toBe('400 invalid_request body')
    expect(answerOf(await change(id, { optedOutAt: null }))).toBe('400 invalid_request optedOutAt')
    expect(answerOf(await change(id, { Name: 'x' }))).toBe('400 invalid_request Name')
    expect(answerOf(await change(id, { attributes: null }))).toBe('400 invalid_request attributes')
    expect(answerOf(await change(id, { name: '' }))).toBe('400 invalid_request name')
  })
})

describe('the list of customers', () => {
  test('is filtered by phone, also with the + as a space, and by external id', async () => {
    const customer = await create({ phone: newPhone(), externalId: newName('C & Ü') })
    const list = (query: string, as: Asking['as'] = 'key') => world.expect(200, 'GET', `/v1/customers?${query}`, { as })
    const digits = customer.phone!.slice(1)
    const found = { data: [customer], nextCursor: null }
    expect(await list(`phone=%2B${digits}`)).toEqual(found)
    expect(await list(`phone=+${digits}`, 'owner')).toEqual(found)
    expect(await list(`externalId=${encodeURIComponent(customer.externalId!)}`)).toEqual(found)
    expect(await list(`externalId=${encodeURIComponent(customer.externalId!)}&phone=%2B4915100000000`)).toEqual({
      data: [],
      nextCursor: null,
    })
  })

  test('is searched by a part of name, phone or external id, ignoring case', async () => {
    const mark = newName('Mark')
    const byName = await create({ phone: newPhone(), name: `Frau ÄNNE ${mark} 100%_\\` })
    const byId = await create({ externalId: `ext-${mark.toUpperCase()}` })
    const search = async (q: string) =>
      (await world.expect(200, 'GET', `/v1/customers?q=${encodeURIComponent(q)}`, { as: 'key' })).data.map(
        ({ id }: Customer) => id,
      )
    expect(await search(mark.toLowerCase())).toEqual([byId.id, byName.id])
    expect(await search(`änne ${mark}`)).toEqual([byName.id])
    expect(await search(`${mark} 100%_\\`)).toEqual([byName.id])
    expect(await search(`${mark}_100`)).toEqual([])
    expect(await search(byName.phone!.slice(3))).toEqual([byName.id])
    expect(await search(` ${byName.phone} `)).toEqual([byName.id])
    expect((await search(' ')).length).toBeGreaterThan(2)
  })

  test('is returned in pages, newest first', async () => {
    const mark = newName('paged')
    const customers = await Array.fromAsync({ length: 5 }, (_, i) => create({ externalId: `${mark}-${i}` }))
    const pages = await world.pages(`/v1/customers?q=${mark}&limit=2`)
    expect(pages.map(page => page.length)).toEqual([2, 2, 1])
    expect(pages.flat()).toEqual(customers.toReversed())
  })
})

describe('consent', () => {
  const optIn = (id: string, evidence: unknown, as: Asking['as'] = 'key') =>
    world.call('POST', `/v1/customers/${id}/opt-in`, { as, body: { evidence } })
  const optOut = (id: string, reason: unknown) =>
    world.call('POST', `/v1/customers/${id}/opt-out`, { as: 'key', body: { reason } })
  const ledger = async (id: string) =>
    (await timeline(id)).data
      .filter(({ kind }) => kind.startsWith('opt_'))
      .map(({ kind, source, words }) => ({ kind, source, words }))
      .reverse()

  test('is shown on the record, and each time in the ledger', async () => {
    const { id } = await create()
    const first = await optIn(id, 'box ticked')
    expect(first.status).toBe(200)
    expect(first.body.optedInAt).toMatch(time)
    await optIn(id, 'said so on the phone', 'owner')
    expect(await ledger(id)).toEqual([
      { kind: 'opt_in', source: 'api', words: 'box ticked' },
      { kind: 'opt_in', source: 'dashboard', words: 'said so on the phone' },
    ])
  })

  test('from an event is in the ledger, before the event and with its id', async () => {
    const phone = newPhone()
    const enrolled = await record({ type: 'a', phone, optIn: { evidence: 'first' } })
    const { customerId } = enrolled.body.event
    await record({ type: 'b', phone })
    const known = await record({ type: 'c', customerId, optIn: { evidence: 'second' }, idempotencyKey: phone })
    await record({ type: 'c', customerId, optIn: { evidence: 'third' }, idempotencyKey: phone })
    const { data } = await timeline(customerId)
    expect(data.map(({ kind, words, eventId, type }) => words ?? type ?? [kind, eventId])).toEqual([
      'c',
      'second',
      'b',
      'a',
      'first',
    ])
    expect(data[1]).toMatchObject({ kind: 'opt_in', source: 'api', eventId: known.body.event.id })
    expect(data[4]).toMatchObject({ kind: 'opt_in', source: 'api', eventId: enrolled.body.event.id })
    expect((await read(customerId)).optedInAt).toMatch(time)
  })

  test('from fifty concurrent events is in the ledger fifty times', async () => {
    const phone = newPhone()
    const replies = await Promise.all(fiftyTimes(i => record({ type: 'a', phone, optIn: { evidence: `number ${i}` } })))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]))
    const rows = await world.database
      .sql`select words from consents where customer_id = ${replies[0]!.body.event.customerId}`
    expect(rows.map(({ words }) => words).sort()).toEqual(fiftyTimes(i => `number ${i}`).sort())
  })

  test('keeps the first and the newest 1,000 entries of the ledger', async () => {
    const { id } = await create()
    const optIn = (evidence: string) =>
      world.expect(200, 'POST', `/v1/customers/${id}/opt-in`, { as: 'key', body: { evidence } })
    await optIn('the first')
    await world.database.sql`
      insert into consents (workspace_id, customer_id, kind, source, words)
      select ${world.workspaceId}, ${id}, 'opt_in', 'api', 'entry ' || n from generate_series(1, 1000) n`
    const ledger = async () =>
      (
        await world.database.sql<{ words: string }[]>`select words from consents where customer_id = ${id} order by id`
      ).map(({ words }) => words)
    expect(await ledger()).toHaveLength(1001)
    await optIn('by the operation')
    const afterOne = await ledger()
    expect(afterOne).toHaveLength(1001)
    expect([afterOne[0], afterOne[1], afterOne.at(-1)]).toEqual(['the first', 'entry 2', 'by the operation'])
    const event = { type: 'order.created', customerId: id, optIn: { evidence: 'by an event' } }
    expect((await record(event)).status).toBe(201)
    const afterTwo = await ledger()
    expect(afterTwo).toHaveLength(1001)
    expect([afterTwo[0], afterTwo[1], afterTwo.at(-1)]).toEqual(['the first', 'entry 3', 'by an event'])
    await world.expect(200, 'POST', `/v1/customers/${id}/opt-out`, { as: 'key', body: { reason: 'enough' } })
    await world.expect(200, 'POST', `/v1/customers/${id}/opt-out/lift`, { body: { reason: 'asked again' } })
    expect((await ledger()).length).toBeLessThanOrEqual(1001)
  })

  test('withdrawn is emitted once, and no opt-in lifts it', async () => {
    const { id, phone } = await create()
    const { body } = await optOut(id, 'asked on the phone')
    expect(body.optedOutAt).toMatch(time)
    const again = await Promise.all(fiftyTimes(() => optOut(id, 'asked again')))
    expect(again.map(reply => reply.body)).toEqual(Array(50).fill(body))
    expect((await optIn(id, 'box ticked')).body.optedOutAt).toBe(body.optedOutAt)
    await record({ type: 'a', customerId: id, optIn: { evidence: 'by event' } })
    expect((await read(id)).optedOutAt).toBe(body.optedOutAt)
    const told = await world.database.sql`
      select data from outbound_events where type = 'customer.opted_out' and data ->> 'handle' = ${phone}`
    expect(told.map(({ data }) => data)).toEqual([
      { channel: null, handle: phone, scope: 'all', reason: 'asked on the phone' },
    ])
    expect(await ledger(id)).toEqual([
      { kind: 'opt_out', source: 'api', words: 'asked on the phone' },
      { kind: 'opt_in', source: 'api', words: 'box ticked' },
      { kind: 'opt_in', source: 'api', words: 'by event' },
    ])
  })

  test('withdrawn fifty times concurrently is emitted once', async () => {
    const { id, phone } = await create()
    await Promise.all(fiftyTimes(i => optOut(id, `reason ${i}`)))
    const [told] = await world.database.sql`
      select count(*)::integer as count from outbound_events where data ->> 'handle' = ${phone}`
    expect(told!.count).toBe(1)
    expect(await ledger(id)).toHaveLength(1)
  })

  test('needs a text within its limits', async () => {
    const { id } = await create()
    for (const evidence of [undefined, '', '  ', 7, 'x'.repeat(2001)])
      expect(answerOf(await optIn(id, evidence)), String(evidence)).toBe('400 invalid_request evidence')
    for (const reason of [undefined, '', '  ', 7, 'x'.repeat(501)])
      expect(answerOf(await optOut(id, reason)), String(reason)).toBe('400 invalid_request reason')
    expect((await optIn(id, 'x'.repeat(2000))).status).toBe(200)
    expect((await optOut(id, 'x'.repeat(500))).status).toBe(200)
  })
})

/** Publishes a workflow with a unique event type. */
const publish = async (steps: Record<string, unknown>): Promise<string> => {
  const eventType = newName('type')
  await world.workflow({ trigger: { eventType }, start: 'one', steps }, eventType)
  return eventType
}

const send = (text: string) => ({ type: 'send_message', text, next: null })

let channel: Promise<string> | undefined
const withChannel = () => (channel ??= world.sandbox())

/** Creates a customer with rows in every table that refers to one, including a message and a waiting run. */
const wellKnown = async (phone = newPhone(), name = 'Ana Geheim') => {
  await withChannel()
  const writing = await publish({ one: send('Dear {{customer.name}}: {{data.secret}}') })
  const waiting = await publish({
    one: { type: 'delay', for: 'P1D', next: 'two' },
    two: send('Later, {{customer.name}}'),
  })
  const customer = await create({
    phone,
    externalId: newName('known'),
    name,
    email: `a${phone}@b.example`,
    attributes: { vip: true },
  })
  const { id } = customer
  const key = newName(`key of ${phone}`)
  const event = { customerId: id, data: { secret: name } }
  const first = await record({
    ...event,
    type: writing,
    idempotencyKey: key,
    optIn: { evidence: `${name} said yes` },
  })
  await record({ ...event, type: waiting })
  await eventually('the message is delivered', async () =>
    (await timeline(id)).data.some(({ kind, status }) => kind === 'message' && status !== 'queued'),
  )
  await world.expect(200, 'POST', `/v1/customers/${id}/opt-out`, { as: 'key', body: { reason: `${name} said no` } })
  return { customer, id, phone, key, writing, waiting, first: first.body }
}

describe('the timeline', () => {
  test('contains events, messages, runs and consents, newest first', async () => {
    const { id, writing, waiting, first } = await wellKnown()
    const { data, nextCursor } = await eventually('the second run waits', async () => {
      const page = await timeline(id)
      return page.data.some(({ kind, status }) => kind === 'run' && status === 'waiting') && page
    })
    expect(nextCursor).toBeNull()
    expect(data.map(item => item.id)).toEqual(
      data
        .map(item => item.id)
        .sort()
        .reverse(),
    )
    expect(data.map(({ kind }) => kind).sort()).toEqual(
      ['opt_in', 'event', 'run', 'message', 'event', 'run', 'opt_out'].sort(),
    )
    for (const { at } of data) expect(at).toMatch(time)
    const only = (kind: string) => data.filter(item => item.kind === kind)
    expect(only('event').map(({ type }) => type)).toEqual([waiting, writing])
    expect(only('event')[1]).toMatchObject({
      id: first.event.id,
      source: 'api',
      sender: 'custom',
      data: { secret: 'Ana Geheim' },
      matchedWorkflows: 1,
    })
    expect(only('run')[1]).toMatchObject({
      workflowName: writing,
      version: 1,
      eventId: first.event.id,
      status: 'done',
      endReason: 'completed',
      endedAt: expect.stringMatching(time),
    })
    expect(only('run')[0]).toMatchObject({ workflowName: waiting, status: 'waiting', endReason: null, endedAt: null })
    expect(only('message')).toMatchObject([
      { direction: 'outbound', text: 'Dear Ana Geheim: Ana Geheim', status: 'delivered', detail: null },
    ])
    expect(only('opt_out')).toMatchObject([{ source: 'api', words: 'Ana Geheim said no', eventId: null }])
  })

  test('is returned in pages without repeats or gaps', async () => {
    const { id } = await wellKnown()
    const { data: all } = await timeline(id)
    const pages = await world.pages(`/v1/customers/${id}/timeline?limit=2`)
    expect(pages.map(page => page.length)).toEqual([2, 2, 2, 1])
    expect(pages.flat()).toEqual(all)
  })
})

const isGone = async (id: string) => (await world.call('GET', `/v1/customers/${id}`)).status === 404

/** Runs `work` in a transaction that commits only when `commit` is called. */
const heldTransaction = async (work: (tx: Sql) => PromiseLike<unknown>) => {
  const worked = Promise.withResolvers<void>()
  const told = Promise.withResolvers<void>()
  const ended = transaction(world.database.sql, async tx => {
    await work(tx)
    worked.resolve()
    await told.promise
  })
  await worked.promise
  return {
    commit: () => {
      told.resolve()
      return ended
    },
  }
}

describe('erasing a customer', () => {
  test('leaves no personal data, and keeps every row that is counted', async () => {
    const webhook = await world.expect(201, 'POST', '/v1/webhooks', {
      body: { url: receiver.url, events: ['customer.opted_out', 'message.status'] },
    })
    const { sql } = world.database
    const phone = `+49165${String(Date.now()).slice(-6)}0000`
    const name = 'Ada Unverwechselbar'
    const { id } = await wellKnown(phone, name)
    await eventually('the endpoint received the event', async () => {
      const { data } = await world.expect(200, 'GET', `/v1/webhooks/${webhook.id}/deliveries`)
      return data.length === 2 && data.every(({ status }: { status: string }) => status === 'delivered')
    })
    await world.expect(204, 'DELETE', `/v1/webhooks/${webhook.id}`)
    const [conversation] = await sql`select id from conversations where customer_id = ${id}`
    const conversationId = conversation!.id
    await sql`
      insert into messages (workspace_id, channel_id, conversation_id, customer_id, direction, text, status)
      select workspace_id, channel_id, id, customer_id, 'inbound', ${name}, 'received' from conversations where id = ${conversationId}`
    const about = { conversationId, customerId: id }
    const [received] = await tell(sql, world.workspaceId, 'message.received', {
      customerId: id,
      data: { ...about, from: phone, text: name },
    })
    await tell(sql, world.workspaceId, 'sale.created', { customerId: id, data: { ...about, note: name } })
    const tables = (await sql`select tablename from pg_tables where schemaname = 'public'`).map(
      row => row.tablename as string,
    )
    const everything = async () => {
      const texts = await Promise.all(
        tables.map(async table =>
          (await sql`select t::text as row from ${sql(table)} t`).map(({ row }) => row as string),
        ),
      )
      return texts.flat()
    }
    const telling = (rows: string[]) => rows.filter(row => row.includes(name) || row.includes(phone))
    const countOf = async () =>
      (
        await sql`
        select (select count(*)::integer from events where customer_id = ${id}) as events,
          (select count(*)::integer from messages where customer_id = ${id}) as messages,
          (select count(*)::integer from workflow_runs where customer_id = ${id}) as runs,
          (select count(*)::integer from consents where customer_id = ${id}) as consents,
          (select count(*)::integer from customers where id = ${id}) as customers`
      )[0]!
    const before = await countOf()
    expect(telling(await everything()).length).toBeGreaterThan(10)
    expect(before).toEqual({ events: 2, messages: 2, runs: 2, consents: 2, customers: 1 })

    await erase(id)

    expect(telling(await everything()).map(row => row.slice(0, 300))).toEqual([])
    expect(await countOf()).toEqual(before)
    const [told] = await sql`select data from outbound_events where id = ${received!}`
    const { example } = outboundEvents['message.received']
    expect(told!.data).toEqual({ ...example, ...about, from: null, text: null })
  })

  test('makes the customer unknown to every operation, including a second erasure', async () => {
    const { id, phone, customer } = await wellKnown()
    await erase(id)
    const operations: [method: string, path: string, body?: object][] = [
      ['GET', ''],
      ['PATCH', '', { name: 'x' }],
      ['DELETE', ''],
      ['POST', '/opt-in', { evidence: 'x' }],
      ['POST', '/opt-out', { reason: 'x' }],
      ['GET', '/timeline'],
    ]
    for (const [method, path, body] of operations) {
      const gone = await world.call(method, `/v1/customers/${id}${path}`, { as: 'key', body })
      const unknown = await world.call(method, `/v1/customers/${unknownId}${path}`, { as: 'key', body })
      expect(gone.status, `${method} ${path}`).toBe(404)
      expect({ ...gone.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' })
    }
    for (const query of [`phone=%2B${phone.slice(1)}`, `externalId=${customer.externalId}`, 'q=geheim'])
      expect(
        (await world.expect(200, 'GET', `/v1/customers?${query}`)).data.map((one: Customer) => one.id),
      ).not.toContain(id)
  })

  test('rejects an event with its id like one with an unknown id', async () => {
    const { id, customer } = await wellKnown()
    await erase(id)
    const gone = await record({ type: 'a', customerId: id, data: { secret: 1 } })
    expect(answerOf(gone)).toBe('400 invalid_request customerId')
    const unknown = await record({ type: 'a', customerId: unknownId, data: { secret: 1 } })
    expect({ ...gone.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' })
    expect(answerOf(await record({ type: 'a', externalId: customer.externalId }))).toBe(
      '400 invalid_request externalId',
    )
  })

  test('frees the phone and the external id, and a new customer has no data of the erased one', async () => {
    const { id, phone, customer } = await wellKnown()
    await erase(id)
    const { externalId } = customer
    const next = await create({ phone, externalId })
    expect(next).toMatchObject({ name: null, attributes: {}, optedInAt: null, optedOutAt: null })
    expect(next.id).not.toBe(id)
    expect((await timeline(next.id)).data).toEqual([])
    const another = await wellKnown()
    await erase(another.id)
    const { body } = await record({ type: 'a', phone: another.phone })
    expect(body.event.customerId).not.toBe(another.id)
  })

  test('returns the first result for a repeated event, without its data', async () => {
    const { id, key, first } = await wellKnown()
    await erase(id)
    const replay = await record({ type: 'other', phone: newPhone(), data: { n: 1 }, idempotencyKey: key })
    expect(replay.status).toBe(200)
    expect(replay.body).toMatchObject({
      recorded: false,
      matchedWorkflows: 1,
      event: { ...first.event, data: {} },
    })
  })

  test('removes the idempotency keys of its events, which still prevent duplicates in every kind of call', async () => {
    const { id, key, first } = await wellKnown()
    const byPerson = await world.expect(201, 'POST', '/v1/events', {
      body: { type: 'a', customerId: id, idempotencyKey: key },
    })
    await erase(id)
    const shown = await world.expect(200, 'GET', `/v1/events/${first.event.id}`)
    expect(shown.idempotencyKey).toBeNull()
    const { data } = await world.expect(200, 'POST', '/v1/events/batch', {
      as: 'key',
      body: { events: [1, 2].map(() => ({ type: 'a', phone: newPhone(), idempotencyKey: key })) },
    })
    for (const one of data) expect(one).toMatchObject({ recorded: false, event: { id: first.event.id } })
    const again = await world.expect(200, 'POST', '/v1/events', {
      body: { type: 'a', phone: newPhone(), idempotencyKey: key },
    })
    expect(again).toMatchObject({ recorded: false, event: { id: byPerson.event.id, idempotencyKey: key } })
    const other = await record({ type: 'a', phone: newPhone(), idempotencyKey: `${key}-other` })
    expect(other.status).toBe(201)
  })

  test('ends its runs, and skips messages that are not yet sent', async () => {
    const { id } = await wellKnown()
    const { sql } = world.database
    await sql`
      insert into messages (workspace_id, channel_id, conversation_id, customer_id, direction, text, status, due_at)
      select workspace_id, channel_id, id, customer_id, 'outbound', 'tomorrow', 'queued', now() + interval '1 day'
      from conversations where customer_id = ${id}`
    await erase(id)
    const runs = await sql`select status, end_reason, wake_at from workflow_runs where customer_id = ${id} order by id`
    expect(runs.map(row => ({ ...row }))).toEqual([
      { status: 'done', end_reason: 'completed', wake_at: null },
      { status: 'failed', end_reason: 'customer_erased', wake_at: null },
    ])
    const steps = await sql`
      select s.detail from workflow_run_steps s join workflow_runs r on r.id = s.run_id where r.customer_id = ${id}`
    expect(steps.map(({ detail }) => detail)).toEqual([null, null])
    const [message] =
      await sql`select status, detail, due_at, text from messages where customer_id = ${id} order by id desc limit 1`
    expect({ ...message }).toEqual({ status: 'skipped', detail: 'The customer was erased.', due_at: null, text: null })
  })

  test('during recording leaves no event with data, and answers each call with 201 or 400', async () => {
    const type = await publish({ one: send('{{data.secret}}') })
    await withChannel()
    for (let i = 0; i < 4; i++) {
      const { id, phone } = await create()
      let erased = false
      const statuses = new Set<number>()
      const post = async () => {
        while (!erased)
          statuses.add((await record({ type, customerId: id, data: { secret: 'x' }, optIn: { evidence: 'x' } })).status)
      }
      const posting = Promise.all(Array.from({ length: 10 }, post))
      await eventually('events were recorded', () => statuses.has(201))
      await erase(id)
      const [left] = await world.database.sql`
        select (select count(*)::integer from events where customer_id = ${id} and data <> '{}') as events,
          (select count(*)::integer from consents where customer_id = ${id} and words is not null) as consents,
          (select count(*)::integer from messages where customer_id = ${id} and (text is not null or due_at is not null)) as messages,
          (select count(*)::integer from workflow_runs where customer_id = ${id} and status = 'active') as runs`
      erased = true
      await posting
      expect({ ...left }).toEqual({ events: 0, consents: 0, messages: 0, runs: 0 })
      expect(statuses.difference(new Set([201, 400]))).toEqual(new Set())
      expect((await world.database.sql`select phone from customers where phone = ${phone}`).length).toBe(0)
    }
  })

  test('waits for an earlier transaction that writes an event of the customer', async () => {
    const { id } = await create()
    const { sql } = world.database
    const late = await heldTransaction(
      tx => tx`
        insert into events (workspace_id, id, type, source, sender, customer_id, data, matched_workflows)
        values (${world.workspaceId}, uuidv7(), 'late', 'api', 'custom', ${id}, '{"secret": 1}', 0)`,
    )
    let isDone = false
    const erasing = erase(id).then(() => (isDone = true))
    await eventually('the customer is erased', () => isGone(id))
    for (let i = 0; i < 20; i++) await isGone(id)
    expect(isDone).toBe(false)
    await late.commit()
    await erasing
    expect((await sql`select data from events where customer_id = ${id}`).map(({ data }) => data)).toEqual([{}])
  })

  test('rejects an event that found the customer before the erasure and is written after it', async () => {
    const { id } = await create({ externalId: newName('C') })
    const { sql } = world.database
    const lock = await heldTransaction(tx => tx`lock table events in share mode`)
    const carried = { phone: newPhone(), optIn: { evidence: 'yes' }, data: { secret: 1 } }
    const recording = record({ type: 'a', customerId: id, ...carried })
    await eventually('the event waits to be written', async () => {
      const waiting = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return waiting.length > 0
    })
    const erasing = erase(id)
    await eventually('the customer is erased', () => isGone(id))
    await lock.commit()
    expect(answerOf(await recording)).toBe('400 invalid_request customerId')
    await erasing
    expect((await sql`select from events where customer_id = ${id}`).length).toBe(0)
    expect((await sql`select from consents where customer_id = ${id}`).length).toBe(0)
    expect((await sql`select from customers where phone = ${carried.phone}`).length).toBe(0)
  })

  test('runs a second time later, which removes data left by a process that died', async () => {
    const { id } = await create()
    await erase(id)
    const { sql } = world.database
    await sql`
      insert into events (workspace_id, id, type, source, sender, customer_id, data, matched_workflows)
      values (${world.workspaceId}, uuidv7(), 'left', 'api', 'custom', ${id}, '{"secret": 1}', 0)`
    const due = await sql`
      update graphile_worker._private_jobs set run_at = now() where key = ${`erase:${id}`} returning key`
    expect(due).toHaveLength(1)
    await eventually('the event is erased', async () => {
      const [row] = await sql`select data::text as data from events where customer_id = ${id}`
      return row!.data === '{}'
    })
  })

  test('blanks thousands of events', async () => {
    const { id } = await create()
    const { sql } = world.database
    await sql`
      insert into events (workspace_id, id, type, source, sender, customer_id, data, matched_workflows)
      select ${world.workspaceId}, uuidv7(), 'many', 'api', 'custom', ${id}, '{"secret": 1}', 0 from generate_series(1, 5000)`
    await erase(id)
    const [row] = await sql`
      select count(*)::integer as count, count(*) filter (where data <> '{}')::integer as telling from events where customer_id = ${id}`
    expect({ ...row }).toEqual({ count: 5000, telling: 0 })
  })

  test('fifty times concurrently succeeds once', async () => {
    const { id } = await create()
    const replies = await Promise.all(fiftyTimes(() => world.call('DELETE', `/v1/customers/${id}`, { as: 'key' })))
    expect(replies.filter(({ status }) => status === 204)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 404)).toHaveLength(49)
  })
})
