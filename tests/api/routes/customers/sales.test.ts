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

const json = { 'Content-Type': 'application/json' }

interface Talk {
  customerId: string
  conversationId: string
}

/** Creates a customer with a conversation. */
const someone = async (): Promise<Talk> => {
  const { id: customerId } = await world.expect(201, 'POST', '/v1/customers', { body: { phone: newPhone() } })
  const { id } = await world.expect(201, 'POST', '/v1/conversations', { body: { channelId, customerId } })
  return { customerId, conversationId: id }
}

const pathOf = ({ conversationId }: Talk) => `/v1/conversations/${conversationId}/sale`
/** Sends the amount as literal text, because JavaScript can write a number differently. */
const markWritten = (talk: Talk, amount: string, currency = 'EUR') =>
  world.call('POST', pathOf(talk), { raw: `{"amount": ${amount}, "currency": "${currency}"}`, headers: json })
const mark = (talk: Talk, body: Record<string, unknown> = {}) =>
  world.expect(201, 'POST', pathOf(talk), { body: { amount: 129.9, currency: 'EUR', ...body } })

/** Returns a response as text, with the original digits. */
const textOf = async (path: string): Promise<string> =>
  (await fetch(world.url + path, { headers: { Authorization: `Bearer ${world.owner.token}` } })).text()

const toldOf = (saleId: string) =>
  eventually('it was delivered', () => receiver.requests.find(({ body }) => body.includes(saleId)))

describe('a sale', () => {
  test('is returned, read, listed and emitted', async () => {
    const talk = await someone()
    const sale = await mark(talk, { note: 'Two pairs' })
    const { user } = await world.expect(200, 'GET', '/v1/auth/session')
    expect(sale).toEqual({
      id: expect.any(String),
      ...talk,
      amount: 129.9,
      currency: 'EUR',
      note: 'Two pairs',
      markedBy: { type: 'user', id: user.id },
      voidedAt: null,
      voidReason: null,
      createdAt: expect.any(String),
    })
    expect(await world.expect(200, 'GET', `/v1/sales/${sale.id}`)).toEqual(sale)
    expect((await world.expect(200, 'GET', '/v1/sales?limit=1')).data).toEqual([sale])
    const { body, headers } = await toldOf(sale.id)
    expect(headers['x-service-event']).toBe('sale.created')
    expect(JSON.parse(body).data).toEqual({
      saleId: sale.id,
      ...talk,
      amount: 129.9,
      currency: 'EUR',
      note: 'Two pairs',
      messageId: null,
      runId: null,
    })
  })

  test.each([
    ['129.90', 'EUR', '129.90'],
    ['0', 'EUR', '0'],
    ['0.00', 'EUR', '0.00'],
    ['1e3', 'EUR', '1000'],
    ['1000', 'JPY', '1000'],
    ['0.125', 'KWD', '0.125'],
    ['999999999999.999', 'BHD', '999999999999.999'],
    ['90071992547.409', 'TND', '90071992547.409'],
  ])('over %s %s keeps its digits from the request to the webhook', async (written, currency, digits) => {
    const talk = await someone()
    const response = await fetch(world.url + pathOf(talk), {
      method: 'POST',
      headers: { ...json, Authorization: `Bearer ${world.owner.token}` },
      body: `{"currency": "${currency}", "amount":${written}}`,
    })
    expect(response.status).toBe(201)
    const text = await response.text()
    const amount = `"amount":${digits},`
    expect(text).toContain(amount)
    const { id } = JSON.parse(text)
    expect(await textOf(`/v1/sales/${id}`)).toBe(text)
    expect(await textOf(`/v1/sales?conversationId=${talk.conversationId}`)).toBe(`{"data":[${text}],"nextCursor":null}`)
    expect((await toldOf(id)).body).toMatch(new RegExp(`"amount": ?${digits.replaceAll('.', '\\.')},`))
    const [row] = await world.database.sql`select amount from sales where id = ${id}`
    expect(row!.amount).toBe(digits)
  })

  test.each([
    ['-0', 'EUR'],
    ['-1', 'EUR'],
    ['1.999', 'EUR'],
    ['1.5', 'JPY'],
    ['1.2345', 'KWD'],
    ['1000000000000', 'EUR'],
    ['999999999999.9999', 'KWD'],
    ['1e308', 'EUR'],
    ['1e999', 'EUR'],
    ['"12.50"', 'EUR'],
    ['null', 'EUR'],
    ['[1]', 'EUR'],
    ['true', 'EUR'],
  ])('over %s %s is rejected and the error names the amount', async (written, currency) => {
    expect(answerOf(await markWritten(await someone(), written, currency))).toBe('400 invalid_request amount')
  })

  test('is rejected when the body is not JSON, such as NaN and numbers with a leading zero', async () => {
    for (const written of ['NaN', 'Infinity', '01', '.5', '+1'])
      expect(answerOf(await markWritten(await someone(), written)), written).toBe('400 malformed_request')
  })

  test.each(['eur', 'DEM', 'BGN', 'EURO', '', 'XXQ'])('with the currency %j is rejected', async currency => {
    const { status, body } = await markWritten(await someone(), '1', currency)
    expect([status, body.error.details]).toEqual([
      400,
      { currency: 'Must be a current ISO 4217 currency code in capital letters, such as EUR.' },
    ])
  })

  test('has a note of 1 to 1000 characters, or none', async () => {
    const talk = await someone()
    expect((await mark(talk, { note: '🙂'.repeat(1000) })).note).toBe('🙂'.repeat(1000))
    expect((await mark(talk, { note: null })).note).toBe(null)
    for (const note of ['', ' ', 'x'.repeat(1001), 1])
      expect(await world.answer('POST', pathOf(talk), { body: { amount: 1, currency: 'EUR', note } })).toBe(
        '400 invalid_request note',
      )
  })

  test('marked concurrently with others is separate, and each call returns its own', async () => {
    const talks = await Promise.all(Array.from({ length: 5 }, someone))
    const replies = await Promise.all([
      ...talks.map((talk, n) => markWritten(talk, `${n}.10`)),
      markWritten({ ...talks[0]!, conversationId: unknownId }, '1'),
    ])
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 404])
    for (const [n, talk] of talks.entries())
      expect(replies[n]!.body).toMatchObject({ conversationId: talk.conversationId, amount: Number(`${n}.10`) })
  })
})

describe('voiding', () => {
  test('keeps the sale listed with time and reason, and emits nothing', async () => {
    const sale = await mark(await someone())
    await toldOf(sale.id)
    const voided = await world.expect(200, 'POST', `/v1/sales/${sale.id}/void`, { body: { reason: 'Entered twice' } })
    expect(voided).toEqual({ ...sale, voidedAt: expect.any(String), voidReason: 'Entered twice' })
    const { data } = await world.expect(200, 'GET', `/v1/sales?conversationId=${sale.conversationId}`)
    expect(data).toEqual([voided])
    const events = await world.database.sql`
      select 1 from outbound_events where workspace_id = ${world.workspaceId} and data ->> 'saleId' = ${sale.id}`
    expect(events).toHaveLength(1)
  })

  test('a second time is 422, and the first stays', async () => {
    const sale = await mark(await someone())
    const replies = await Promise.all(
      ['one', 'two'].map(reason => world.call('POST', `/v1/sales/${sale.id}/void`, { body: { reason } })),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 422])
    const { body } = replies.find(({ status }) => status === 200)!
    expect(await world.expect(200, 'GET', `/v1/sales/${sale.id}`)).toEqual(body)
    const refused = replies.find(({ status }) => status === 422)!
    expect(refused.body.error.message).toBe(`The sale was already voided at ${body.voidedAt}.`)
  })

  test('needs a reason', async () => {
    const { id } = await mark(await someone())
    for (const body of [{}, { reason: '' }, { reason: 'x'.repeat(501) }])
      expect(await world.answer('POST', `/v1/sales/${id}/void`, { body })).toBe('400 invalid_request reason')
  })
})

describe('the list', () => {
  test('is filtered by customer, conversation and time, alone and combined', async () => {
    const [talk, other] = [await someone(), await someone()]
    const sales: Awaited<ReturnType<typeof mark>>[] = []
    for (const one of [talk, other, talk]) {
      const sale = await mark(one)
      sales.push(sale)
      await eventually('the time has advanced', () => Date.now() > Date.parse(sale.createdAt))
    }
    const [first, second, third] = sales.map(({ id }) => id)
    const listed = async (query: string) =>
      (await world.expect(200, 'GET', `/v1/sales?${query}`)).data.map(({ id }: { id: string }) => id)
    expect(await listed(`customerId=${talk.customerId}`)).toEqual([third, first])
    expect(await listed(`conversationId=${other.conversationId}`)).toEqual([second])
    expect(await listed(`conversationId=${talk.conversationId}&customerId=${talk.customerId}`)).toEqual([third, first])
    expect(await listed(`conversationId=${talk.conversationId}&customerId=${other.customerId}`)).toEqual([])
    expect(await listed(`customerId=${unknownId}`)).toEqual([])
    const at = (n: number) => sales[n].createdAt
    expect(await listed(`from=${at(0)}&customerId=${talk.customerId}`)).toEqual([third, first])
    expect(await listed(`from=${at(2)}&customerId=${talk.customerId}`)).toEqual([third])
    expect(await listed(`to=${at(2)}&customerId=${talk.customerId}`)).toEqual([first])
    expect(await listed(`from=${at(1)}&to=${at(2)}`)).toEqual([second])
    expect(await listed('to=1900-01-01T00:00:00Z')).toEqual([])
    expect(await listed('from=9999-12-31T23:59:59Z')).toEqual([])
    const page = await world.expect(200, 'GET', `/v1/sales?customerId=${talk.customerId}&limit=1`)
    expect(page.data.map(({ id }: { id: string }) => id)).toEqual([third])
    expect(await listed(`customerId=${talk.customerId}&limit=1&cursor=${page.nextCursor}`)).toEqual([first])
  })
})

describe('sales of an erased customer', () => {
  test('keep the amount and lose their texts, and reject new ones', async () => {
    const talk = await someone()
    const [kept, voided] = [await mark(talk, { note: 'Ada bought it' }), await mark(talk)]
    await world.expect(200, 'POST', `/v1/sales/${voided.id}/void`, { body: { reason: 'Ada gave it back' } })
    await toldOf(kept.id)
    await world.expect(204, 'DELETE', `/v1/customers/${talk.customerId}`)
    expect(await world.expect(200, 'GET', `/v1/sales/${kept.id}`)).toEqual({ ...kept, note: null })
    expect(await world.expect(200, 'GET', `/v1/sales/${voided.id}`)).toMatchObject({ voidReason: null })
    const { status } = await world.call('POST', pathOf(talk), { body: { amount: 1, currency: 'EUR', note: 'Ada' } })
    expect(status).toBe(422)
    const after = await world.expect(200, 'POST', `/v1/sales/${kept.id}/void`, { body: { reason: 'Ada again' } })
    expect(after).toMatchObject({ voidedAt: expect.any(String), voidReason: null })
  })
})
