/** Tests of messages with their statuses, of replies that are not delivered, and of sending them again. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { type Providers, providers, type SendResult } from '../../../../src/messaging/channels/index.ts'
import { startReceiver } from '../../../support/receiver.ts'
import { use } from '../../../support/use.ts'
import { ended, play } from '../../../support/workflows.ts'
import { eventually, newPhone, useWorld } from '../../../support/world.ts'

const error = { class: 'permanent', code: '100', detail: 'Not to this number.', retryAfterMs: null } as const
const results: Record<string, SendResult> = {
  refused: { kind: 'refused', error },
  unknown: { kind: 'unknown', detail: 'No answer came.' },
}

/** A sandbox whose result depends on the text of the message. */
const sandbox: Providers['sandbox'] = {
  ...providers.sandbox,
  send: async (message, handover) => results[message.text] ?? providers.sandbox.send(message, handover),
}

const receiver = use(startReceiver)
const world = useWorld(() => ({ WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target }), {
  providers: { ...providers, sandbox },
})
let channelId: string
beforeAll(async () => {
  const body = { kind: 'sandbox', name: 'test', sandbox: { delivery: 'manual' } }
  channelId = (await world.expect(201, 'POST', '/v1/channels', { body })).id
})

const says = (from: string, text = 'Where is my order?', channel = channelId) =>
  world.expect(201, 'POST', `/v1/channels/${channel}/sandbox/messages`, { body: { from, text } })
const read = (id: string) => world.expect(200, 'GET', `/v1/conversations/${id}`)
const answer = (id: string, text: string) =>
  world.expect(201, 'POST', `/v1/conversations/${id}/messages`, { body: { text } })
const isNow = (id: string, status: string) =>
  eventually(`${id} is ${status}`, async () => {
    const message = await world.expect(200, 'GET', `/v1/messages/${id}`)
    return message.status === status && message
  })
const fail = async (messageId: string) => {
  const body = { messageId, status: 'failed' }
  await world.expect(202, 'POST', `/v1/channels/${channelId}/sandbox/statuses`, { body })
  await isNow(messageId, 'failed')
}

describe('a customer waits again', () => {
  test('since the first message when all replies were rejected or failed', async () => {
    const phone = newPhone()
    const { conversationId: id, createdAt } = await says(phone)
    await says(phone, 'Hello?')
    await isNow((await answer(id, 'refused')).id, 'failed')
    expect((await read(id)).waitingSince).toBe(createdAt)
    const [one, two] = [await answer(id, 'First'), await answer(id, 'Second')]
    expect((await read(id)).waitingSince).toBeNull()
    await Promise.all([isNow(one.id, 'sent'), isNow(two.id, 'sent')])
    // The provider reports failures of both, one after the other.
    for (const [message, waitingSince] of [
      [one, null],
      [two, createdAt],
    ]) {
      await fail(message.id)
      expect((await read(id)).waitingSince).toBe(waitingSince)
    }
  })

  test('since the first unanswered message, also after writing again', async () => {
    const phone = newPhone()
    const { conversationId: id } = await says(phone)
    await isNow((await answer(id, 'Which order?')).id, 'sent')
    const second = await says(phone, 'The red shoes.')
    const lost = await answer(id, 'Sent today.')
    await isNow(lost.id, 'sent')
    await says(phone, 'Hello?')
    await fail(lost.id)
    expect((await read(id)).waitingSince).toBe(second.createdAt)
  })

  test('when a disconnected channel or an opt-out skips the reply', async () => {
    const gone = await world.sandbox()
    const [one, two] = [newPhone(), newPhone()]
    const first = await says(one, 'Hello?', gone)
    const second = await says(two, 'Hello?', gone)
    await world.database.sql`update channels set paused_until = now() + interval '1 hour' where id = ${gone}`
    const answers = [await answer(first.conversationId, 'Hello!'), await answer(second.conversationId, 'Hello!')]
    await world.database.sql`update messages set sent_by = 'workflow' where id = ${answers[1].id}`
    await world.expect(200, 'POST', `/v1/customers/${second.customerId}/opt-out`, { body: { reason: 'no more' } })
    await isNow(answers[1].id, 'skipped')
    expect((await read(second.conversationId)).waitingSince).toBe(second.createdAt)
    await world.expect(204, 'DELETE', `/v1/channels/${gone}`)
    await isNow(answers[0].id, 'skipped')
    expect((await read(first.conversationId)).waitingSince).toBe(first.createdAt)
  })
})

test('a customer does not wait after a reply with an unknown outcome or a failed campaign message', async () => {
  const { conversationId: id } = await says(newPhone())
  await isNow((await answer(id, 'unknown')).id, 'unknown')
  expect((await read(id)).waitingSince).toBeNull()
  const other = await says(newPhone())
  const advertised = await answer(other.conversationId, 'Summer sale')
  await isNow(advertised.id, 'sent')
  await world.database.sql`update messages set sent_by = 'campaign' where id = ${advertised.id}`
  await fail(advertised.id)
  expect((await read(other.conversationId)).waitingSince).toBeNull()
})

test('a status of a message that no provider accepted has our id as its providerMessageId', async () => {
  await world.expect(201, 'POST', '/v1/webhooks', { body: { url: receiver.url, events: ['message.status'] } })
  const { conversationId, customerId } = await says(newPhone())
  const { id } = await answer(conversationId, 'refused')
  const told = await eventually('it is reported', () =>
    receiver.requests
      .map(({ body }) => JSON.parse(String(body)))
      .find(({ data }) => data.conversationId === conversationId),
  )
  expect(told.data).toEqual({
    ...{ conversationId, customerId, messageId: id, eventId: null, providerMessageId: id },
    ...{ status: 'failed', detail: 'Not to this number. (code 100)' },
  })
  expect(await isNow(id, 'failed')).toMatchObject({ providerMessageId: null })
})

const { workflow, start, run, phone } = play(() => world)

let numbers = 0
const conversationWith = async (ending = '1'): Promise<{ id: string; customerId: string }> => {
  const phone = `+49153${String(++numbers).padStart(4, '0')}${ending.padStart(4, '1')}`
  const { id: customerId } = await world.expect(201, 'POST', '/v1/customers', { body: { phone } })
  const body = { channelId: await world.sandbox(), customerId }
  return world.expect(201, 'POST', '/v1/conversations', { body })
}
const written = async (id: string, text = 'Hello'): Promise<string> => (await answer(id, text)).id

describe('a message', () => {
  test('is returned with its statuses', async () => {
    const { id: conversationId } = await conversationWith('0000')
    const id = await written(conversationId)
    const message = await isNow(id, 'failed')
    expect(message.statuses).toEqual([
      { status: 'sent', detail: null, at: expect.any(String) },
      { status: 'failed', detail: message.detail, at: expect.any(String) },
    ])
    const { statuses: _, ...record } = message
    expect((await world.expect(200, 'GET', '/v1/messages?limit=1')).data).toEqual([record])
  })

  test('is listed with the other messages of its run, newest first, also when the event is deleted', async () => {
    const say = (text: string, next: string | null) => ({ type: 'send_message', text, next })
    const steps = { one: say('One', 'two'), two: say('Two', null) }
    await workflow({ trigger: { eventType: 'two' }, start: 'one', steps })
    const customer = phone()
    const [first, second] = [await start('two', customer), await start('two', customer)]
    const { eventId, customerId } = await run(first, ended)
    const { data: all } = await world.expect(200, 'GET', `/v1/messages?customerId=${customerId}`)
    expect(all).toHaveLength(4)
    const page = async (query: string) => (await world.expect(200, 'GET', `/v1/messages?${query}`)).data
    const data = await page(`runId=${first}`)
    expect(data.map(({ text }: { text: string }) => text)).toEqual(['Two', 'One'])
    expect(all).toEqual(expect.arrayContaining(data))
    await world.database.sql`delete from events where id = ${eventId}`
    expect(await world.pages(`/v1/messages?runId=${first}&limit=1`)).toEqual([[data[0]], [data[1]]])
    expect(await page(`runId=${first}&customerId=${customerId}`)).toEqual(data)
    expect(await page(`runId=${first}&customerId=${randomUUID()}`)).toEqual([])
    expect(await page(`runId=${second}`)).not.toEqual(data)
  })
})

describe('GET /v1/messages', () => {
  test('filters by channel, direction and status, in pages without gaps', async () => {
    const [channel, other] = [await world.sandbox(), await world.sandbox()]
    const idsOf = async (query: string) =>
      (await world.expect(200, 'GET', `/v1/messages?${query}`)).data.map(({ id }: { id: string }) => id)
    await says(newPhone(), 'Hello', other)
    const received = [
      await says(newPhone(), 'Hello', channel),
      await says(newPhone().replace(/....$/, '0000'), 'Hello', channel),
    ]
    const arrives = await answer(received[0].conversationId, 'Today.')
    const fails = await answer(received[1].conversationId, 'Today.')
    await eventually('both are handed over', async () => {
      const statuses = [
        await idsOf(`channelId=${channel}&status=delivered`),
        await idsOf(`channelId=${channel}&status=failed`),
      ]
      return statuses.every(({ length }) => length === 1)
    })
    expect(await idsOf(`channelId=${channel}`)).toEqual([fails.id, arrives.id, received[1].id, received[0].id])
    expect(await idsOf(`channelId=${channel}&direction=outbound`)).toEqual([fails.id, arrives.id])
    expect(await idsOf(`channelId=${channel}&status=failed`)).toEqual([fails.id])
    expect(await idsOf(`customerId=${received[0].customerId}&direction=inbound`)).toEqual([received[0].id])
    const first = await world.expect(200, 'GET', `/v1/messages?channelId=${channel}&direction=inbound&limit=1`)
    expect(first.data.map(({ id }: { id: string }) => id)).toEqual([received[1].id])
    expect(await idsOf(`channelId=${channel}&direction=inbound&cursor=${first.nextCursor}`)).toEqual([received[0].id])
    const { error } = await world.expect(400, 'GET', '/v1/messages?status=lost')
    expect(error.details.status).toStartWith('Must be one of queued')
  })

  test('searches the text, ignoring case, together with other filters', async () => {
    const channel = await world.sandbox()
    const received = await says(newPhone(), 'Is ORDER Ä-17 100% on its way?', channel)
    const sent = await answer(received.conversationId, 'Yes, order ä-17 arrives today.')
    await says(newPhone(), 'Hello', channel)
    const found = async (q: string, more = '') =>
      (await world.expect(200, 'GET', `/v1/messages?channelId=${channel}&q=${encodeURIComponent(q)}${more}`)).data.map(
        ({ id }: { id: string }) => id,
      )
    expect(await found('Order ä-17')).toEqual([sent.id, received.id])
    expect(await found('order', '&direction=inbound')).toEqual([received.id])
    expect(await found('order', '&sort=oldest')).toEqual([received.id, sent.id])
    expect(await found('today ä_17')).toEqual([])
    expect(await found('today ä-17, order')).toEqual([sent.id])
    expect(await found('a-17 order')).toEqual([])
    expect(await found('0%')).toEqual([received.id])
    expect(await found('_rder')).toEqual([])
    expect(await found(' ')).toHaveLength(3)
    const { data } = await world.expect(200, 'GET', `/v1/messages?q=arrives%20today&customerId=${received.customerId}`)
    expect(data.map(({ id }: { id: string }) => id)).toEqual([sent.id])
    await world.expect(400, 'GET', `/v1/messages?q=${'x'.repeat(201)}`)
  })
})

describe('sending again', () => {
  const setStatus = (id: string, status: string) => world.database.sql`
    update messages set status = ${status}, direction = ${status === 'received' ? 'inbound' : 'outbound'} where id = ${id}`
  const resend = (id: string) => world.call('POST', `/v1/messages/${id}/resend`)

  test('creates one new message with the same text, until that one also fails', async () => {
    const { id: conversationId } = await conversationWith('0000')
    const id = await written(conversationId, 'Once more, please')
    await isNow(id, 'failed')
    // Changes the handle to a number that accepts messages.
    await world.database.sql`update conversations set handle = '+4915399990001' where id = ${conversationId}`
    const calls = await Promise.all([1, 2, 3].map(() => resend(id)))
    expect(calls.map(({ status }) => status).sort()).toEqual([200, 200, 201])
    const again = calls.find(({ status }) => status === 201)!.body
    expect(again).toMatchObject({ conversationId, text: 'Once more, please', status: 'queued', direction: 'outbound' })
    expect(new Set(calls.map(({ body }) => body.id)).size).toBe(1)
    expect(again.id).not.toBe(id)
    await isNow(id, 'failed')
    await isNow(again.id, 'delivered')
    expect((await resend(id)).body.id).toBe(again.id)
    await setStatus(again.id, 'failed')
    const third = await resend(id)
    expect([third.status, third.body.id === again.id]).toEqual([201, false])
  })

  test('is allowed for an unknown or skipped message, by the current rules, and rejected for any other', async () => {
    const { id: conversationId, customerId } = await conversationWith()
    const id = await written(conversationId)
    await isNow(id, 'delivered')
    for (const status of ['queued', 'sent', 'delivered', 'read', 'received']) {
      await setStatus(id, status)
      expect((await resend(id)).status, status).toBe(422)
    }
    for (const status of ['unknown', 'skipped']) {
      const other = await written(conversationId)
      await isNow(other, 'delivered')
      await setStatus(other, status)
      await isNow((await resend(other)).body.id, 'delivered')
    }
    await setStatus(id, 'failed')
    await world.expect(200, 'POST', `/v1/customers/${customerId}/opt-out`, { body: { reason: 'asked' } })
    expect((await resend(id)).body.error.details).toEqual({ reason: 'opted_out' })
  })
})
