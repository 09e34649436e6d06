/** Tests of reading messages with their statuses, and of sending failed ones again. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { ended, play } from '../../../support/workflows.ts'
import { eventually, useWorld } from '../../../support/world.ts'

const world = useWorld()
let channelId: string
beforeAll(async () => {
  channelId = await world.sandbox()
})

const { workflow, start, run, phone } = play(() => world)

let numbers = 0
const conversationWith = async (ending = '1'): Promise<{ id: string; customerId: string }> => {
  const phone = `+49153${String(++numbers).padStart(4, '0')}${ending.padStart(4, '1')}`
  const { id: customerId } = await world.expect(201, 'POST', '/v1/customers', { body: { phone } })
  return world.expect(201, 'POST', '/v1/conversations', { body: { channelId, customerId } })
}

const written = async (id: string, text = 'Hello'): Promise<string> =>
  (await world.expect(201, 'POST', `/v1/conversations/${id}/messages`, { body: { text } })).id

const settled = (id: string, status: string) =>
  eventually(`${id} is ${status}`, async () => {
    const message = await world.expect(200, 'GET', `/v1/messages/${id}`)
    return message.status === status && message
  })

describe('a message', () => {
  test('is returned with its statuses', async () => {
    const { id: conversationId } = await conversationWith('0000')
    const id = await written(conversationId)
    const message = await settled(id, 'failed')
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

describe('sending again', () => {
  const setStatus = (id: string, status: string) => world.database.sql`
    update messages set status = ${status}, direction = ${status === 'received' ? 'inbound' : 'outbound'} where id = ${id}`
  const resend = (id: string) => world.call('POST', `/v1/messages/${id}/resend`)

  test('creates one new message with the same text, until that one also fails', async () => {
    const { id: conversationId } = await conversationWith('0000')
    const id = await written(conversationId, 'Once more, please')
    await settled(id, 'failed')
    // Changes the handle to a number that accepts messages.
    await world.database.sql`update conversations set handle = '+4915399990001' where id = ${conversationId}`
    const calls = await Promise.all([1, 2, 3].map(() => resend(id)))
    expect(calls.map(({ status }) => status).sort()).toEqual([200, 200, 201])
    const again = calls.find(({ status }) => status === 201)!.body
    expect(again).toMatchObject({ conversationId, text: 'Once more, please', status: 'queued', direction: 'outbound' })
    expect(new Set(calls.map(({ body }) => body.id)).size).toBe(1)
    expect(again.id).not.toBe(id)
    await settled(id, 'failed')
    await settled(again.id, 'delivered')
    expect((await resend(id)).body.id).toBe(again.id)
    await setStatus(again.id, 'failed')
    const third = await resend(id)
    expect([third.status, third.body.id === again.id]).toEqual([201, false])
  })

  test('is allowed for an unknown or skipped message, by the current rules, and rejected for any other', async () => {
    const { id: conversationId, customerId } = await conversationWith()
    const id = await written(conversationId)
    await settled(id, 'delivered')
    for (const status of ['queued', 'sent', 'delivered', 'read', 'received']) {
      await setStatus(id, status)
      expect((await resend(id)).status, status).toBe(422)
    }
    for (const status of ['unknown', 'skipped']) {
      const other = await written(conversationId)
      await settled(other, 'delivered')
      await setStatus(other, status)
      await settled((await resend(other)).body.id, 'delivered')
    }
    await setStatus(id, 'failed')
    await world.expect(200, 'POST', `/v1/customers/${customerId}/opt-out`, { body: { reason: 'asked' } })
    expect((await resend(id)).body.error.details).toEqual({ reason: 'opted_out' })
  })
})
