import { beforeAll, describe, expect, test } from 'bun:test'
import { startReceiver } from '../../../support/receiver.ts'
import { use } from '../../../support/use.ts'
import { answerOf, eventually, newPhone, unknownId, useWorld } from '../../../support/world.ts'

const receiver = use(startReceiver)
const world = useWorld(() => ({ WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target }))
let channelId: string
beforeAll(async () => {
  channelId = await world.sandbox()
  await world.expect(201, 'POST', '/v1/webhooks', { body: { url: receiver.url, events: ['sale.created'] } })
})

/** Creates a customer with a conversation. */
const someone = async () => {
  const { id: customerId } = await world.expect(201, 'POST', '/v1/customers', { body: { phone: newPhone() } })
  const { id } = await world.expect(201, 'POST', '/v1/conversations', { body: { channelId, customerId } })
  return { customerId: customerId as string, conversationId: id as string }
}
type Talk = Awaited<ReturnType<typeof someone>>

const pathOf = ({ conversationId }: Talk) => `/v1/conversations/${conversationId}/sale`
/** Sends the amount as literal text, because JavaScript can write a number differently. */
const markWritten = (talk: Talk, amount: string, currency = 'EUR') => {
  const raw = `{"amount": ${amount}, "currency": "${currency}"}`
  return world.call('POST', pathOf(talk), { raw, headers: { 'Content-Type': 'application/json' } })
}
const mark = (talk: Talk, body: Record<string, unknown> = {}) =>
  world.expect(201, 'POST', pathOf(talk), { body: { amount: 129.9, currency: 'EUR', ...body } })
const read = (id: string) => world.expect(200, 'GET', `/v1/sales/${id}`)
const voidSale = (id: string, body: object) => world.call('POST', `/v1/sales/${id}/void`, { body })

const deliveryOf = (saleId: string) =>
  eventually('it was delivered', () => receiver.requests.find(({ body }) => body.includes(saleId)))

describe('a sale', () => {
  test('is returned, read, listed and emitted', async () => {
    const talk = await someone()
    const sold = { ...talk, amount: 129.9, currency: 'EUR', note: 'Two pairs' }
    const sale = await mark(talk, { note: 'Two pairs' })
    const { user } = await world.expect(200, 'GET', '/v1/auth/session')
    expect(sale).toEqual({
      id: expect.any(String),
      ...sold,
      markedBy: { type: 'user', id: user.id },
      voidedAt: null,
      voidReason: null,
      createdAt: expect.any(String),
    })
    expect(await read(sale.id)).toEqual(sale)
    expect((await world.expect(200, 'GET', '/v1/sales?limit=1')).data).toEqual([sale])
    const { body, headers } = await deliveryOf(sale.id)
    expect(headers['x-service-event']).toBe('sale.created')
    expect(JSON.parse(body).data).toEqual({ saleId: sale.id, ...sold, messageId: null, runId: null })
  })

  // All rules of amounts: tests/customers/sales/amount.test.ts
  test.each([
    ['129.90', 'EUR', '129.90'],
    ['1e3', 'JPY', '1000'],
    ['90071992547.409', 'TND', '90071992547.409'],
  ])('over %s %s keeps its digits from the request to the webhook', async (written, currency, digits) => {
    const talk = await someone()
    const headers = { Authorization: `Bearer ${world.owner.token}` }
    const textOf = async (path: string) => (await fetch(world.url + path, { headers })).text()
    const marking = await fetch(world.url + pathOf(talk), {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: `{"currency": "${currency}", "amount":${written}}`,
    })
    expect(marking.status).toBe(201)
    const text = await marking.text()
    expect(text).toContain(`"amount":${digits},`)
    const { id } = JSON.parse(text)
    expect(await textOf(`/v1/sales/${id}`)).toBe(text)
    const listed = await textOf(`/v1/sales?conversationId=${talk.conversationId}`)
    expect(listed).toBe(`{"data":[${text}],"nextCursor":null}`)
    expect((await deliveryOf(id)).body).toMatch(new RegExp(`"amount": ?${digits.replaceAll('.', '\\.')},`))
    const [row] = await world.database.sql`select amount from sales where id = ${id}`
    expect(row!.amount).toBe(digits)
  })

  test.each([
    ['-0', 'EUR', 'invalid_request amount'],
    ['1.5', 'JPY', 'invalid_request amount'],
    ['999999999999.9999', 'KWD', 'invalid_request amount'],
    ['1e999', 'EUR', 'invalid_request amount'],
    ['"12.50"', 'EUR', 'invalid_request amount'],
    ['null', 'EUR', 'invalid_request amount'],
    ['[1]', 'EUR', 'invalid_request amount'],
    ['1', 'DEM', 'invalid_request currency'],
    ['1', '', 'invalid_request currency'],
    ...['NaN', 'Infinity', '01', '.5', '+1'].map(written => [written, 'EUR', 'malformed_request'] as const),
  ])('over %s %s is rejected with %s', async (written, currency, answer) => {
    expect(answerOf(await markWritten(await someone(), written, currency))).toBe(`400 ${answer}`)
  })

  test('has a note of 1 to 1000 characters, or none', async () => {
    const talk = await someone()
    for (const note of ['🙂'.repeat(1000), null]) expect((await mark(talk, { note })).note).toBe(note)
    for (const note of ['', ' ', 'x'.repeat(1001), 1]) {
      const answer = await world.answer('POST', pathOf(talk), { body: { amount: 1, currency: 'EUR', note } })
      expect(answer).toBe('400 invalid_request note')
    }
  })

  test('marked concurrently with others is separate, and each call returns its own', async () => {
    const talks = await Promise.all(Array.from({ length: 5 }, someone))
    const replies = await Promise.all([
      ...talks.map((talk, n) => markWritten(talk, `${n}.10`)),
      markWritten({ ...talks[0]!, conversationId: unknownId }, '1'),
    ])
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 404])
    for (const [n, { conversationId }] of talks.entries())
      expect(replies[n]!.body).toMatchObject({ conversationId, amount: Number(`${n}.10`) })
  })
})

test('a voided sale stays listed with time and reason, is not emitted, and cannot be voided again', async () => {
  const sale = await mark(await someone())
  await deliveryOf(sale.id)
  for (const body of [{}, { reason: '' }, { reason: 'x'.repeat(501) }])
    expect(answerOf(await voidSale(sale.id, body))).toBe('400 invalid_request reason')
  const replies = await Promise.all(['one', 'two'].map(reason => voidSale(sale.id, { reason })))
  const [done, refused] = replies.toSorted((a, b) => a.status - b.status)
  expect([done!.status, refused!.status]).toEqual([200, 422])
  const voided = { ...sale, voidedAt: expect.any(String), voidReason: expect.stringMatching(/^(one|two)$/) }
  expect(done!.body).toEqual(voided)
  expect(refused!.body.error.message).toBe('The sale was already voided.')
  expect(await read(sale.id)).toEqual(done!.body)
  const { data } = await world.expect(200, 'GET', `/v1/sales?conversationId=${sale.conversationId}`)
  expect(data).toEqual([done!.body])
  const events = await world.database.sql`
    select 1 from outbound_events where workspace_id = ${world.workspaceId} and data ->> 'saleId' = ${sale.id}`
  expect(events).toHaveLength(1)
})

test('the list is filtered by customer, conversation and time, alone and combined, and by author and state', async () => {
  const [{ customerId, ...talk }, other] = [await someone(), await someone()]
  const sales: Awaited<ReturnType<typeof mark>>[] = []
  for (const one of [{ customerId, ...talk }, other, { customerId, ...talk }]) {
    const sale = await mark(one)
    sales.push(sale)
    await eventually('the time has advanced', () => Date.now() > Date.parse(sale.createdAt))
  }
  const at = (n: number) => sales[n].createdAt
  const cases: [query: string, sales: number[]][] = [
    [`customerId=${customerId}`, [2, 0]],
    [`conversationId=${other.conversationId}`, [1]],
    [`conversationId=${talk.conversationId}&customerId=${customerId}`, [2, 0]],
    [`conversationId=${talk.conversationId}&customerId=${other.customerId}`, []],
    [`customerId=${unknownId}`, []],
    [`from=${at(0)}&customerId=${customerId}`, [2, 0]],
    [`from=${at(2)}&customerId=${customerId}`, [2]],
    [`to=${at(2)}&customerId=${customerId}`, [0]],
    [`from=${at(1)}&to=${at(2)}`, [1]],
    ['to=1900-01-01T00:00:00Z', []],
    ['from=9999-12-31T23:59:59Z', []],
  ]
  for (const [query, found] of cases) {
    const { data } = await world.expect(200, 'GET', `/v1/sales?${query}`)
    expect(data, query).toEqual(found.map(n => sales[n]))
  }
  sales[0] = (await voidSale(sales[0]!.id, { reason: 'Twice' })).body
  await world.database.sql`update sales set marked_by = 'workflow' where id = ${sales[2]!.id}`
  sales[2] = await read(sales[2]!.id)
  const scanned: [query: string, sales: number[]][] = [
    ['voided=true', [0]],
    ['voided=false', [2]],
    ['markedBy=workflow', [2]],
    ['markedBy=user&sort=oldest', [0]],
    ['markedBy=workflow&voided=true', []],
  ]
  for (const [query, found] of scanned) {
    const { data } = await world.expect(200, 'GET', `/v1/sales?customerId=${customerId}&${query}`)
    expect(data, query).toEqual(found.map(n => sales[n]))
  }
  for (const query of ['markedBy=key', 'voided=yes']) await world.expect(400, 'GET', `/v1/sales?${query}`)
  expect(await world.pages(`/v1/sales?customerId=${customerId}&limit=1`)).toEqual([[sales[2]], [sales[0]]])
})

test('sales of an erased customer keep the amount and lose their texts, and new ones are rejected', async () => {
  const talk = await someone()
  const [kept, voided] = [await mark(talk, { note: 'Ada bought it' }), await mark(talk)]
  expect((await voidSale(voided.id, { reason: 'Ada gave it back' })).status).toBe(200)
  await deliveryOf(kept.id)
  await world.expect(204, 'DELETE', `/v1/customers/${talk.customerId}`)
  expect(await read(kept.id)).toEqual({ ...kept, note: null })
  expect(await read(voided.id)).toMatchObject({ voidReason: null })
  expect((await markWritten(talk, '1')).status).toBe(422)
  const after = await voidSale(kept.id, { reason: 'Ada again' })
  expect(after).toMatchObject({ status: 200, body: { voidedAt: expect.any(String), voidReason: null } })
})
