/** Tests of replies that are not delivered: the customer waits again, and webhooks receive the status. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { type Providers, providers, type SendResult } from '../../../../src/messaging/channels/index.ts'
import { startReceiver } from '../../../support/receiver.ts'
import { use } from '../../../support/use.ts'
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
