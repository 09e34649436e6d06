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
    await workflow({
      trigger: { eventType: 'two' },
      start: 'one',
      steps: { one: say('One', 'two'), two: say('Two', null) },
    })
    const customer = phone()
    const [first, second] = [await start('two', customer), await start('two', customer)]
    const { eventId, customerId } = await run(first, ended)
    const { data: all } = await world.expect(200, 'GET', `/v1/messages?customerId=${customerId}`)
    expect(all).toHaveLength(4)
    const page = async (query: string) => world.expect(200, 'GET', `/v1/messages?runId=${first}${query}`)
    const { data } = await page('')
    expect(data.map(({ text }: { text: string }) => text)).toEqual(['Two', 'One'])
    expect(all).toEqual(expect.arrayContaining(data))
    await world.database.sql`delete from events where id = ${eventId}`
    expect(await world.pages(`/v1/messages?runId=${first}&limit=1`)).toEqual([[data[0]], [data[1]]])
    expect((await page(`&customerId=${customerId}`)).data).toEqual(data)
    expect((await page(`&customerId=${randomUUID()}`)).data).toEqual([])
    expect((await world.expect(200, 'GET', `/v1/messages?runId=${second}`)).data).not.toEqual(data)
  })
})

describe('sending again', () => {
  test('creates a new message with the same text', async () => {
    const { id: conversationId } = await conversationWith('0000')
    const id = await written(conversationId, 'Once more, please')
    await settled(id, 'failed')
    const again = await world.expect(201, 'POST', `/v1/messages/${id}/resend`)
    expect(again).toMatchObject({ conversationId, text: 'Once more, please', status: 'queued', direction: 'outbound' })
    expect(again.id).not.toBe(id)
    expect((await world.expect(200, 'GET', `/v1/messages/${id}`)).status).toBe('failed')
    await settled(again.id, 'failed')
  })

  test('concurrently, or after the new one was delivered, creates one message', async () => {
    const { id: conversationId } = await conversationWith('0000')
    const id = await written(conversationId)
    await settled(id, 'failed')
    const { sql } = world.database
    // Changes the handle to a number that accepts messages.
    await sql`update conversations set handle = '+4915399990001' where id = ${conversationId}`
    const calls = await Promise.all([1, 2, 3].map(() => world.call('POST', `/v1/messages/${id}/resend`)))
    expect(calls.map(({ status }) => status).sort()).toEqual([200, 200, 201])
    expect(new Set(calls.map(({ body }) => body.id)).size).toBe(1)
    const again = calls[0]!.body.id
    await settled(again, 'delivered')
    expect((await world.expect(200, 'POST', `/v1/messages/${id}/resend`)).id).toBe(again)
    await sql`update messages set status = 'failed' where id = ${again}`
    expect((await world.expect(201, 'POST', `/v1/messages/${id}/resend`)).id).not.toBe(again)
  })

  test.each(['unknown', 'skipped'])('is allowed for a message that is %s', async status => {
    const { id: conversationId } = await conversationWith()
    const id = await written(conversationId)
    await settled(id, 'delivered')
    await world.database.sql`update messages set status = ${status} where id = ${id}`
    const again = await world.expect(201, 'POST', `/v1/messages/${id}/resend`)
    await settled(again.id, 'delivered')
  })

  test.each(['queued', 'sent', 'delivered', 'read', 'received'])(
    'is rejected for a message that is %s',
    async status => {
      const { id: conversationId } = await conversationWith()
      const id = await written(conversationId)
      await settled(id, 'delivered')
      const direction = status === 'received' ? 'inbound' : 'outbound'
      await world.database.sql`update messages set status = ${status}, direction = ${direction} where id = ${id}`
      await world.expect(422, 'POST', `/v1/messages/${id}/resend`)
    },
  )

  test('applies the current rules', async () => {
    const { id: conversationId, customerId } = await conversationWith('0000')
    const id = await written(conversationId)
    await settled(id, 'failed')
    await world.expect(200, 'POST', `/v1/customers/${customerId}/opt-out`, { body: { reason: 'asked' } })
    const { error } = await world.expect(422, 'POST', `/v1/messages/${id}/resend`)
    expect(error.details).toEqual({ reason: 'opted_out' })
  })
})
