import { beforeAll, describe, expect, test } from 'bun:test'
import type { Sql } from '../../../../src/platform/postgres/client.ts'
import { outboundEvents } from '../../../../src/webhooks/outbound-events/index.ts'
import { openTransaction } from '../../../support/database.ts'
import { tell } from '../../../support/outbox.ts'
import { startReceiver } from '../../../support/receiver.ts'
import { use } from '../../../support/use.ts'
import {
  type Asking,
  answerOf,
  eventually,
  newPhone,
  unknownId,
  untilBlocked,
  useWorld,
} from '../../../support/world.ts'

const receiver = use(startReceiver)
const world = useWorld(() => ({ WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target }))

let names = 0
const newName = (prefix: string) => `${prefix}-${names++}`

const call = (method: string, path: string, body?: unknown) => world.call(method, path, { as: 'key', body })
const create = (body: Record<string, unknown> = { phone: newPhone() }) =>
  world.expect(201, 'POST', '/v1/customers', { as: 'key', body })
const read = (id: string) => world.expect(200, 'GET', `/v1/customers/${id}`, { as: 'key' })
const put = (body: unknown) => call('PUT', '/v1/customers', body)
const change = (id: string, body: unknown) => call('PATCH', `/v1/customers/${id}`, body)
const optOut = (id: string, reason: unknown) => call('POST', `/v1/customers/${id}/opt-out`, { reason })
const erase = (id: string) => world.expect(204, 'DELETE', `/v1/customers/${id}`, { as: 'key' })
const record = (body: Record<string, unknown>) => call('POST', '/v1/events', body)
const list = (query: string, as: Asking['as'] = 'key') => world.expect(200, 'GET', `/v1/customers?${query}`, { as })
const timeline = async (id: string): Promise<({ id: string; kind: string; at: string } & Record<string, unknown>)[]> =>
  (await world.expect(200, 'GET', `/v1/customers/${id}/timeline`, { as: 'key' })).data

const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))
const statusesOf = (replies: { status: number }[]) => replies.map(({ status }) => status).sort()
const fields = (count: number, value: unknown = 1) => Object.fromEntries(times(count, i => [`f${i}`, value]))
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe('creating a customer', () => {
  test('returns 201 with the record, without attributes that are null', async () => {
    const attributes = { tier: 'gold', since: 2020 }
    const body = { phone: newPhone(), externalId: newName('C'), name: 'Ana', email: 'a@b.example' }
    const customer = await create({ ...body, attributes: { ...attributes, none: null } })
    expect(customer).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      ...body,
      attributes,
      optedInAt: null,
      optedOutAt: null,
      createdAt: expect.stringMatching(time),
      updatedAt: expect.stringMatching(time),
    })
    expect(await read(customer.id)).toEqual(customer)
    const one = await create({ externalId: newName('C'), phone: null })
    expect(one).toMatchObject({ phone: null, name: null, email: null, attributes: {} })
    expect(await create({ phone: newPhone(), externalId: null, name: null })).toMatchObject({ externalId: null })
  })

  test('accepts values up to their limits and rejects others, like creating or changing', async () => {
    const phones = ['4915112345678', '+0151123456', '+123456', '+1234567890123456', '+49 151 1234567', 'x', 7]
    const emails = ['', 'nobody', 'a b@c', 'a@b c', `${'a'.repeat(250)}@b.cc`, 7]
    const attributes = [fields(51), { '': 1 }, { ['x'.repeat(101)]: 1 }, [1], { a: 'x'.repeat(16 * 1024 - 7) }]
    const refused: [field: string, body: object][] = [
      ['phone', {}],
      ['phone', { name: 'Ana' }],
      ['phone', { phone: null, externalId: null }],
      ...phones.map((phone): [string, object] => ['phone', { phone }]),
      ...['', 'x'.repeat(201)].map((externalId): [string, object] => ['externalId', { externalId }]),
      ...['', 'x'.repeat(201)].map((name): [string, object] => ['name', { externalId: 'x', name }]),
      ...emails.map((email): [string, object] => ['email', { externalId: 'x', email }]),
      ...attributes.map((attributes): [string, object] => ['attributes', { externalId: 'x', attributes }]),
      ['external_id', { phone: '+4915112345678', external_id: 'x' }],
      ['optIn', { phone: '+4915112345678', optIn: { evidence: 'x' } }],
    ]
    for (const [field, body] of refused)
      for (const method of ['POST', 'PUT']) {
        const answer = answerOf(await call(method, '/v1/customers', body))
        expect(answer, `${method} ${JSON.stringify(body).slice(0, 99)}`).toBe(`400 invalid_request ${field}`)
      }
    for (const phone of ['+1234567', '+123456789012345']) await create({ phone })
    for (const length of [1, 200]) await create({ externalId: 'x'.repeat(length), name: 'x'.repeat(length) })
    await create({ phone: newPhone(), attributes: { ['x'.repeat(100)]: 1 } })
  })

  test('returns 409 and names the customer that has the phone, the external id, or both', async () => {
    const [phone, externalId] = [newPhone(), newName('C')]
    const [one, two] = [await create({ phone }), await create({ externalId })]
    const conflict = async (body: unknown) => (await world.expect(409, 'POST', '/v1/customers', { body })).error.details
    const [ofPhone, ofExternalId] = [one, two].map(({ id }) => `Belongs to customer ${id}.`)
    expect(await conflict({ phone, externalId: newName('C') })).toEqual({ phone: ofPhone })
    expect(await conflict({ phone: newPhone(), externalId })).toEqual({ externalId: ofExternalId })
    expect(await conflict({ phone, externalId })).toEqual({ phone: ofPhone, externalId: ofExternalId })
    // Other workspaces have customers of their own with the same identifiers.
    const as = await world.otherOwner()
    await world.expect(201, 'POST', '/v1/customers', { as, body: { phone } })
    await world.expect(201, 'PUT', '/v1/customers', { as, body: { externalId } })
  })

  test('concurrently with the same phone, also in events, makes one customer', async () => {
    for (let round = 0; round < 5; round++) {
      const phone = newPhone()
      const [created, recorded] = await Promise.all([
        Promise.all(times(20, i => call('POST', '/v1/customers', { phone, externalId: newName(`many-${i}`) }))),
        Promise.all(times(round, () => record({ type: 'race', phone }))),
      ])
      expect(statusesOf(recorded)).toEqual(Array(round).fill(201))
      const ids = recorded.map(({ body }) => body.event.customerId)
      for (const reply of created)
        if (reply.status === 201) ids.push(reply.body.id)
        else expect(answerOf(reply)).toBe('409 conflict phone')
      expect(new Set(ids).size).toBe(1)
      expect(created.filter(({ status }) => status === 201).length).toBeLessThanOrEqual(1)
    }
  })
})

describe('creating or changing a customer', () => {
  test('creates one with 201, and changes it with 200 by its external id, or else by its phone', async () => {
    const [phone, externalId] = [newPhone(), newName('put')]
    const made = await put({ externalId, name: 'Ana', email: 'ana@example.com', attributes: { a: 1, b: 2 } })
    expect([made.status, made.headers.get('location')]).toEqual([201, `/v1/customers/${made.body.id}`])
    expect(made.body).toMatchObject({ externalId, phone: null, name: 'Ana', email: 'ana@example.com' })
    const changed = await put({ externalId, phone, email: null, attributes: { a: null, c: 3 } })
    const { updatedAt } = changed.body
    const expected = { ...made.body, phone, email: null, attributes: { b: 2, c: 3 }, updatedAt }
    expect([changed.status, changed.body]).toEqual([200, expected])
    const byPhone = await put({ phone, name: 'Ana B.' })
    expect(byPhone).toMatchObject({ status: 200, body: { id: made.body.id, externalId, name: 'Ana B.' } })
    expect(await read(made.body.id)).toEqual(byPhone.body)
    const other = await create()
    const filled = { phone: other.phone, externalId: newName('filled') }
    expect(await put(filled)).toMatchObject({ status: 200, body: { id: other.id, ...filled } })
  })

  test('is 409 when the identifiers belong to two customers, and names them', async () => {
    const one = await create({ phone: newPhone(), externalId: newName('one') })
    const other = await create({ phone: newPhone(), externalId: newName('other') })
    for (const externalId of [other.externalId, newName('new')]) {
      const refused = await put({ phone: one.phone, externalId })
      expect(refused.status).toBe(409)
      expect(refused.body.error.details).toEqual({ phone: `Belongs to customer ${one.id}.` })
    }
    expect([await read(one.id), await read(other.id)]).toEqual([one, other])
  })

  test('fifty times concurrently creates one customer, and every call succeeds', async () => {
    const [phone, externalId] = [newPhone(), newName('race')]
    const replies = await Promise.all(times(50, n => put({ phone, externalId, name: `n${n}` })))
    expect(statusesOf(replies)).toEqual([...Array(49).fill(200), 201])
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1)
  })
})

describe('attributes', () => {
  test('are at most 50 and 16 KiB, also after a merge', async () => {
    const { id } = await create({ phone: newPhone(), attributes: fields(50) })
    expect(answerOf(await change(id, { attributes: { one: 'more' } }))).toBe('400 invalid_request attributes')
    expect(Object.keys((await read(id)).attributes)).toHaveLength(50)
    const swapped = await change(id, { attributes: { one: 'more', f0: null } })
    expect([swapped.status, Object.keys(swapped.body.attributes).length]).toEqual([200, 50])
    expect((await change(id, { attributes: fields(50, null) })).body.attributes).toEqual({ one: 'more' })
    const attributes = { a: 'x'.repeat(16 * 1024 - 8) }
    const largest = await create({ phone: newPhone(), attributes })
    expect(answerOf(await change(largest.id, { attributes: { b: 1 } }))).toBe('400 invalid_request attributes')
    expect((await read(largest.id)).attributes).toEqual(attributes)
  })

  test('are merged at the top level: given ones replace, null removes, others stay, also concurrently', async () => {
    const { id } = await create({ phone: newPhone(), attributes: { a: 1, b: { c: 1, d: 2 }, e: [1] } })
    const { body } = await change(id, { attributes: { a: null, b: { c: null }, f: 'new', nothing: null } })
    expect(body.attributes).toEqual({ b: { c: null }, e: [1], f: 'new' })
    const replies = await Promise.all(times(40, i => change(id, { attributes: { [`f${i}`]: 1 } })))
    expect(statusesOf(replies)).toEqual(Array(40).fill(200))
    expect((await read(id)).attributes).toEqual({ ...body.attributes, ...fields(40) })
  })

  test('can be named __proto__ and constructor', async () => {
    const headers = { 'Content-Type': 'application/json' }
    const raw = `{"phone":"${newPhone()}","attributes":{"__proto__":{"polluted":1},"constructor":"x"}}`
    const { body } = await world.call('POST', '/v1/customers', { as: 'key', raw, headers })
    expect(JSON.stringify(body.attributes)).toBe('{"__proto__":{"polluted":1},"constructor":"x"}')
    const without = { as: 'key', raw: '{"attributes":{"__proto__":null}}', headers } as const
    const removed = await world.call('PATCH', `/v1/customers/${body.id}`, without)
    expect(JSON.stringify(removed.body.attributes)).toBe('{"constructor":"x"}')
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})

describe('changing a customer', () => {
  test('changes only the given fields, and null clears them', async () => {
    const identifiers = { phone: newPhone(), externalId: newName('C') }
    const customer = await create({ ...identifiers, name: 'Ana', attributes: { a: 1 } })
    const { status, body } = await change(customer.id, { name: 'Bea' })
    expect([status, body]).toEqual([200, { ...customer, name: 'Bea', updatedAt: expect.any(String) }])
    expect(Date.parse(body.updatedAt)).toBeGreaterThanOrEqual(Date.parse(customer.updatedAt))
    // Several customers can have the same e-mail address.
    const email = 'Ana.Beispiel+shop@example.com'
    await create({ phone: newPhone(), email })
    const others = { phone: newPhone(), externalId: newName('C'), email }
    expect((await change(customer.id, others)).body).toMatchObject({ ...others, name: 'Bea' })
    const cleared = { name: null, externalId: null, email: null }
    expect((await change(customer.id, cleared)).body).toMatchObject({ ...cleared, phone: others.phone })
    expect(await read(customer.id)).toMatchObject({ ...cleared, phone: others.phone, attributes: { a: 1 } })
  })

  test('to an identifier of another customer is 409, to its own is not', async () => {
    const one = await create({ phone: newPhone(), externalId: newName('C') })
    const two = await create({ phone: newPhone(), externalId: newName('C') })
    const { phone, externalId } = two
    const both = await change(two.id, { phone: one.phone, externalId: one.externalId })
    expect(answerOf(both)).toBe('409 conflict phone externalId')
    expect(both.body.error.details.phone).toBe(`Belongs to customer ${one.id}.`)
    const other = await change(two.id, { externalId: one.externalId, phone, name: 'x' })
    expect(answerOf(other)).toBe('409 conflict externalId')
    expect(await read(two.id)).toEqual(two)
    expect((await change(two.id, { phone, externalId })).status).toBe(200)
    const [shared, customers] = [newPhone(), await Promise.all(times(20, () => create()))]
    const replies = await Promise.all(customers.map(({ id }) => change(id, { phone: shared })))
    expect(statusesOf(replies)).toEqual([200, ...Array(19).fill(409)])
  })

  test('never leaves a customer without phone and external id, also with concurrent calls', async () => {
    const one = await create({ phone: newPhone() })
    expect(answerOf(await change(one.id, { phone: null }))).toBe('422 unprocessable phone')
    expect(answerOf(await change(one.id, { phone: null, externalId: null }))).toBe('400 invalid_request phone')
    expect((await change(one.id, { phone: null, externalId: newName('C') })).status).toBe(200)
    for (let i = 0; i < 10; i++) {
      const { id } = await create({ phone: newPhone(), externalId: newName('C') })
      const replies = await Promise.all([change(id, { phone: null }), change(id, { externalId: null })])
      expect(statusesOf(replies)).toEqual([200, 422])
    }
  })

  test('is rejected without a field, or with an unknown or invalid one', async () => {
    const { id } = await create()
    expect(answerOf(await change(id, {}))).toBe('400 invalid_request body')
    for (const body of [{ optedOutAt: null }, { Name: 'x' }, { attributes: null }, { name: '' }])
      expect(answerOf(await change(id, body))).toBe(`400 invalid_request ${Object.keys(body)[0]}`)
  })
})

test('the list of customers is filtered by phone, also with the + as a space, and by external id', async () => {
  const customer = await create({ phone: newPhone(), externalId: newName('C & Ü') })
  const digits = customer.phone.slice(1)
  const externalId = `externalId=${encodeURIComponent(customer.externalId)}`
  const found = { data: [customer], nextCursor: null }
  expect(await list(`phone=%2B${digits}`)).toEqual(found)
  expect(await list(`phone=+${digits}`, 'owner')).toEqual(found)
  expect(await list(externalId)).toEqual(found)
  expect(await list(`${externalId}&phone=%2B4915100000000`)).toEqual({ data: [], nextCursor: null })
})

test('the list of customers is searched by a part of name, phone or external id, ignoring case', async () => {
  const mark = newName('Mark')
  const { id, phone } = await create({ phone: newPhone(), name: `Frau ÄNNE ${mark} 100%_\\` })
  const byId = await create({ externalId: `ext-${mark.toUpperCase()}` })
  const search = async (q: string) =>
    (await list(`q=${encodeURIComponent(q)}`)).data.map((one: { id: string }) => one.id)
  expect(await search(mark.toLowerCase())).toEqual([byId.id, id])
  for (const q of [`änne ${mark}`, `${mark} 100%_\\`, phone.slice(3), ` ${phone} `])
    expect(await search(q), q).toEqual([id])
  expect(await search(`${mark}_100`)).toEqual([])
  expect((await search(' ')).length).toBeGreaterThan(2)
  const pages = await world.pages(`/v1/customers?q=${mark}&limit=1`)
  expect(pages.map(page => page.map(one => one.id))).toEqual([[byId.id], [id]])
})

describe('consent', () => {
  const optIn = (id: string, evidence: unknown, as: Asking['as'] = 'key') =>
    world.call('POST', `/v1/customers/${id}/opt-in`, { as, body: { evidence } })
  const ledger = async (id: string) =>
    (await timeline(id))
      .filter(({ kind }) => kind.startsWith('opt_'))
      .map(({ kind, source, words }) => `${kind} ${source} ${words}`)
      .reverse()

  test('is shown on the record, and each time in the ledger', async () => {
    const { id } = await create()
    const first = await optIn(id, 'box ticked')
    expect([first.status, first.body.optedInAt]).toEqual([200, expect.stringMatching(time)])
    await optIn(id, 'said so on the phone', 'owner')
    expect(await ledger(id)).toEqual(['opt_in api box ticked', 'opt_in dashboard said so on the phone'])
  })

  test('from an event is in the ledger once, before the event and with its id', async () => {
    const phone = newPhone()
    const enrolled = await record({ type: 'a', phone, optIn: { evidence: 'first' } })
    const { customerId } = enrolled.body.event
    await record({ type: 'b', phone })
    const known = await record({ type: 'c', customerId, optIn: { evidence: 'second' }, idempotencyKey: phone })
    await record({ type: 'c', customerId, optIn: { evidence: 'third' }, idempotencyKey: phone })
    const data = await timeline(customerId)
    expect(data.map(({ words, type }) => words ?? type)).toEqual(['c', 'second', 'b', 'a', 'first'])
    expect(data[1]).toMatchObject({ kind: 'opt_in', source: 'api', eventId: known.body.event.id })
    expect(data[4]).toMatchObject({ kind: 'opt_in', source: 'api', eventId: enrolled.body.event.id })
    expect((await read(customerId)).optedInAt).toMatch(time)
    const event = { type: 'a', phone: newPhone() }
    const replies = await Promise.all(times(25, i => record({ ...event, optIn: { evidence: `number ${i}` } })))
    const evidence = times(25, i => `opt_in api number ${i}`)
    expect((await ledger(replies[0]!.body.event.customerId)).sort()).toEqual(evidence.sort())
  })

  test('keeps the first and the newest 1,000 entries of the ledger', async () => {
    const { id } = await create()
    await optIn(id, 'the first')
    const { sql } = world.database
    await sql`
      insert into consents (workspace_id, customer_id, kind, source, words)
      select ${world.workspaceId}, ${id}, 'opt_in', 'api', 'entry ' || n from generate_series(1, 1000) n`
    const kept = async () => {
      const rows = await sql<{ words: string }[]>`select words from consents where customer_id = ${id} order by id`
      return [rows.length, rows[0]!.words, rows[1]!.words, rows.at(-1)!.words]
    }
    expect(await kept()).toEqual([1001, 'the first', 'entry 1', 'entry 1000'])
    await optIn(id, 'by the operation')
    expect(await kept()).toEqual([1001, 'the first', 'entry 2', 'by the operation'])
    await record({ type: 'order.created', customerId: id, optIn: { evidence: 'by an event' } })
    expect(await kept()).toEqual([1001, 'the first', 'entry 3', 'by an event'])
    await optOut(id, 'enough')
    await world.expect(200, 'POST', `/v1/customers/${id}/opt-out/lift`, { body: { reason: 'asked again' } })
    expect((await kept())[0]).toBeLessThanOrEqual(1001)
  })

  test('withdrawn, also fifty times concurrently, is emitted once, and no opt-in lifts it', async () => {
    const { id, phone } = await create()
    const replies = await Promise.all(times(50, i => optOut(id, `reason ${i}`)))
    expect(replies.map(({ body }) => body)).toEqual(Array(50).fill(replies[0]!.body))
    const { optedOutAt } = replies[0]!.body
    expect(optedOutAt).toMatch(time)
    expect((await optOut(id, 'asked again')).body).toEqual(replies[0]!.body)
    expect((await optIn(id, 'box ticked')).body.optedOutAt).toBe(optedOutAt)
    await record({ type: 'a', customerId: id, optIn: { evidence: 'by event' } })
    expect((await read(id)).optedOutAt).toBe(optedOutAt)
    const emitted = await world.database.sql`
      select data from outbound_events where type = 'customer.opted_out' and data ->> 'handle' = ${phone}`
    const reason = expect.stringMatching(/^reason \d+$/)
    expect(emitted.map(({ data }) => data)).toEqual([{ channel: null, handle: phone, scope: 'all', reason }])
    const words = `opt_out api ${emitted[0]!.data.reason}`
    expect(await ledger(id)).toEqual([words, 'opt_in api box ticked', 'opt_in api by event'])
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

describe('a customer with rows in every table', () => {
  // The sandbox fails a message to such a number, and quotes it.
  const [phone, name] = [`+49165${String(Date.now()).slice(-6)}0000`, 'Ada Unverwechselbar']
  let [id, eventId, webhookId] = ['', '', '']

  beforeAll(async () => {
    await world.sandbox()
    const webhook = { url: receiver.url, events: ['customer.opted_out', 'message.status'] }
    webhookId = (await world.expect(201, 'POST', '/v1/webhooks', { body: webhook })).id
    const workflow = (eventType: string, steps: object) =>
      world.workflow({ trigger: { eventType }, start: 'one', steps }, eventType)
    const send = (text: string) => ({ type: 'send_message', text, next: null })
    await workflow('writing', { one: send('Dear {{customer.name}}: {{data.secret}}') })
    await workflow('waiting', { one: { type: 'delay', for: 'P1D', next: 'two' }, two: send('{{customer.name}}') })
    const identifiers = { phone, externalId: newName('known'), email: `a${phone}@b.example` }
    id = (await create({ ...identifiers, name, attributes: { vip: name } })).id
    const event = { customerId: id, data: { secret: name } }
    const optIn = { evidence: `${name} said yes` }
    eventId = (await record({ ...event, type: 'writing', idempotencyKey: `key of ${phone}`, optIn })).body.event.id
    await record({ ...event, type: 'waiting' })
    await eventually('the message failed and the second run waits', async () => {
      const statuses = (await timeline(id)).map(({ status }) => status)
      return statuses.includes('failed') && statuses.includes('waiting')
    })
    await optOut(id, `${name} said no`)
  })

  test('has a timeline with events, messages, runs and consents, newest first and in pages', async () => {
    const pages = await world.pages(`/v1/customers/${id}/timeline?limit=2`)
    expect(pages.map(page => page.length)).toEqual([2, 2, 2, 1])
    const data = await timeline(id)
    expect(pages.flat()).toEqual(data)
    const ids = data.map(item => item.id)
    expect(ids).toEqual(ids.toSorted().reverse())
    for (const { at } of data) expect(at).toMatch(time)
    const only = (kind: string) => data.filter(item => item.kind === kind)
    const sent = { source: 'api', sender: 'custom', data: { secret: name }, matchedWorkflows: 1 }
    expect(only('event')).toMatchObject([{ type: 'waiting' }, { id: eventId, type: 'writing', ...sent }])
    const ended = { status: 'done', endReason: 'completed', endedAt: expect.stringMatching(time) }
    expect(only('run')).toMatchObject([
      { workflowName: 'waiting', status: 'waiting', endReason: null, endedAt: null },
      { workflowName: 'writing', version: 1, eventId, ...ended },
    ])
    const [message] = only('message')
    expect(message).toMatchObject({ direction: 'outbound', text: `Dear ${name}: ${name}`, status: 'failed' })
    expect(only('opt_in')).toHaveLength(1)
    expect(only('opt_out')).toMatchObject([{ source: 'api', words: `${name} said no`, eventId: null }])
  })

  test('has no personal data after its erasure, no active run and no queued message, and keeps every row', async () => {
    const { sql } = world.database
    await eventually('the endpoint received the events', async () => {
      const { data } = await world.expect(200, 'GET', `/v1/webhooks/${webhookId}/deliveries`)
      return data.length === 2 && data.every(({ status }: { status: string }) => status === 'delivered')
    })
    await world.expect(204, 'DELETE', `/v1/webhooks/${webhookId}`)
    const [conversation] = await sql`
      insert into messages (workspace_id, channel_id, conversation_id, customer_id, direction, text, status, due_at)
      select workspace_id, channel_id, c.id, customer_id, m.direction, ${name}, m.status, m.due_at
      from conversations c, (values
        ('inbound', 'received', null), ('outbound', 'queued', now() + interval '1 day')) m (direction, status, due_at)
      where customer_id = ${id} returning conversation_id as id`
    const about = { conversationId: conversation!.id, customerId: id }
    const received = { ...about, from: phone, text: name }
    const [outbound] = await tell(sql, world.workspaceId, 'message.received', { customerId: id, data: received })
    await tell(sql, world.workspaceId, 'sale.created', { customerId: id, data: { ...about, note: name } })
    const tables = await sql<{ name: string }[]>`select tablename as name from pg_tables where schemaname = 'public'`
    const personalRows = async () => {
      const found = tables.map(
        ({ name: table }) => sql<{ row: string }[]>`
          select t::text as row from ${sql(table)} t
          where t::text like ${`%${name}%`} or t::text like ${`%${phone}%`}`,
      )
      return (await Promise.all(found)).flat().map(({ row }) => row.slice(0, 300))
    }
    const counts = () =>
      Promise.all(
        ['events', 'messages', 'workflow_runs', 'consents'].map(
          async table => (await sql`select from ${sql(table)} where customer_id = ${id}`).count,
        ),
      )
    expect((await personalRows()).length).toBeGreaterThan(10)
    expect(await counts()).toEqual([2, 3, 2, 2])

    await erase(id)
    expect(await personalRows()).toEqual([])
    expect(await counts()).toEqual([2, 3, 2, 2])
    const [event] = await sql`select data from outbound_events where id = ${outbound!}`
    expect(event!.data).toEqual({ ...outboundEvents['message.received'].example, ...about, from: null, text: null })
    const runs = await sql`select status, end_reason, wake_at from workflow_runs where customer_id = ${id} order by id`
    expect(runs.map(Object.values)).toEqual([
      ['done', 'completed', null],
      ['failed', 'customer_erased', null],
    ])
    const [message] = await sql`
      select status, detail, due_at, text from messages where customer_id = ${id} order by id desc limit 1`
    expect({ ...message }).toEqual({ status: 'skipped', detail: 'The customer was erased.', due_at: null, text: null })
  })
})

const isGone = async (id: string) => (await world.call('GET', `/v1/customers/${id}`)).status === 404

const addEvents = (id: string, count = 1, sql: Sql = world.database.sql) => sql`
  insert into events (workspace_id, id, type, source, sender, customer_id, data, matched_workflows)
  select ${world.workspaceId}, uuidv7(), 'left', 'api', 'custom', ${id}, '{"secret": 1}', 0
  from generate_series(1, ${count}::integer)`
const eventsOf = async (id: string) => {
  const [row] = await world.database.sql`
    select count(*)::integer as count, count(*) filter (where data <> '{}')::integer as secret
    from events where customer_id = ${id}`
  return { ...row }
}

describe('erasing a customer', () => {
  test('succeeds once, makes the customer unknown to every operation, and frees phone and external id', async () => {
    const identifiers = { phone: newPhone(), externalId: newName('C') }
    const { id } = await create({ ...identifiers, name: 'Ana Geheim', attributes: { vip: true } })
    await record({ type: 'a', customerId: id, optIn: { evidence: 'yes' } })
    await optOut(id, 'no')
    const replies = await Promise.all(times(50, () => call('DELETE', `/v1/customers/${id}`)))
    expect(statusesOf(replies)).toEqual([204, ...Array(49).fill(404)])
    const operations: [method: string, path: string, body?: object][] = [
      ['GET', '/v1/customers/ID'],
      ['DELETE', '/v1/customers/ID'],
      ['PATCH', '/v1/customers/ID', { name: 'x' }],
      ['POST', '/v1/customers/ID/opt-in', { evidence: 'x' }],
      ['POST', '/v1/customers/ID/opt-out', { reason: 'x' }],
      ['GET', '/v1/customers/ID/timeline'],
    ]
    for (const [method, path, body] of operations) {
      const gone = await call(method, path.replace('ID', id), body)
      const unknown = await call(method, path.replace('ID', unknownId), body)
      expect(gone.status, `${method} ${path}`).toBe(404)
      expect({ ...gone.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' })
    }
    const [gone, unknown] = await Promise.all([id, unknownId].map(customerId => record({ type: 'a', customerId })))
    expect(answerOf(gone!)).toBe('400 invalid_request customerId')
    expect({ ...gone!.body, request_id: '' }).toEqual({ ...unknown!.body, request_id: '' })
    const byExternalId = await record({ type: 'a', externalId: identifiers.externalId })
    expect(answerOf(byExternalId)).toBe('400 invalid_request externalId')
    for (const query of [`phone=%2B${identifiers.phone.slice(1)}`, `externalId=${identifiers.externalId}`, 'q=geheim'])
      expect((await list(query)).data.map((one: { id: string }) => one.id)).not.toContain(id)

    const created = await create(identifiers)
    expect(created).toMatchObject({ name: null, attributes: {}, optedInAt: null, optedOutAt: null })
    expect([created.id === id, await timeline(created.id)]).toEqual([false, []])
    await erase(created.id)
    const { customerId } = (await record({ type: 'a', phone: identifiers.phone })).body.event
    expect([id, created.id]).not.toContain(customerId)
  })

  test('removes the idempotency keys of its events, which still prevent duplicates in every kind of call', async () => {
    const { id: customerId } = await create()
    const idempotencyKey = newName('key')
    const body = { type: 'a', customerId, idempotencyKey, data: { secret: 1 } }
    const first = (await record(body)).body.event
    const byPerson = (await world.expect(201, 'POST', '/v1/events', { body })).event
    await erase(customerId)
    expect((await world.expect(200, 'GET', `/v1/events/${first.id}`)).idempotencyKey).toBeNull()
    const other = { type: 'other', phone: newPhone(), data: { n: 1 }, idempotencyKey }
    const repeated = await record(other)
    expect(repeated).toMatchObject({ status: 200, body: { recorded: false, event: { ...first, data: {} } } })
    const events = [other, other]
    const { data } = await world.expect(200, 'POST', '/v1/events/batch', { as: 'key', body: { events } })
    expect(data).toMatchObject(Array(2).fill({ recorded: false, event: { id: first.id } }))
    const again = await world.expect(200, 'POST', '/v1/events', { body: other })
    expect(again).toMatchObject({ recorded: false, event: { id: byPerson.id, idempotencyKey } })
    expect((await record({ ...other, idempotencyKey: `${idempotencyKey}-other` })).status).toBe(201)
  })

  test('waits for an earlier transaction that writes an event of the customer', async () => {
    const { id } = await create()
    const commit = await openTransaction(world.database.sql, tx => addEvents(id, 1, tx))
    let isDone = false
    const erasing = erase(id).then(() => (isDone = true))
    await eventually('the customer is erased', () => isGone(id))
    for (let i = 0; i < 20; i++) await isGone(id)
    expect(isDone).toBe(false)
    await commit()
    await erasing
    expect(await eventsOf(id)).toEqual({ count: 1, secret: 0 })
  })

  test('rejects an event that found the customer before the erasure and is written after it', async () => {
    const { id } = await create({ externalId: newName('C') })
    const { sql } = world.database
    const unlock = await openTransaction(sql, tx => tx`lock table events in share mode`)
    const carried = { phone: newPhone(), optIn: { evidence: 'yes' }, data: { secret: 1 } }
    const recording = record({ type: 'a', customerId: id, ...carried })
    await untilBlocked(sql)
    const erasing = erase(id)
    await eventually('the customer is erased', () => isGone(id))
    await unlock()
    expect(answerOf(await recording)).toBe('400 invalid_request customerId')
    await erasing
    expect(await eventsOf(id)).toEqual({ count: 0, secret: 0 })
    expect((await sql`select from consents where customer_id = ${id}`).length).toBe(0)
    expect((await sql`select from customers where phone = ${carried.phone}`).length).toBe(0)
  })

  test('blanks thousands of events, and runs again later for data left by a process that died', async () => {
    const { id } = await create()
    await addEvents(id, 5000)
    await erase(id)
    expect(await eventsOf(id)).toEqual({ count: 5000, secret: 0 })
    await addEvents(id)
    const due = await world.database.sql`
      update graphile_worker._private_jobs set run_at = now() where key = ${`erase:${id}`} returning key`
    expect(due).toHaveLength(1)
    await eventually('the event is erased', async () => (await eventsOf(id)).secret === 0)
  })
})
