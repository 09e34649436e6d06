/**
 * Tests what receivers get about a person before and after an erasure. The receiver checks each body against the
 * published schema.
 */
import { expect, test } from 'bun:test'
import {
  erasedFieldsOf,
  type OutboundEventType,
  outboundEvents,
  subscribableTypes,
} from '../../../src/webhooks/outbound-events/index.ts'
import { faultOfDelivery } from '../../support/audit.ts'
import { tell } from '../../support/outbox.ts'
import { type Receiver, respond, startReceiver } from '../../support/receiver.ts'
import { use } from '../../support/use.ts'
import { eventually, useWorld } from '../../support/world.ts'

const receiver = use(() => startReceiver({ behaviour: respond(503, 'Not now, Ada Unverwechselbar') }))
const world = useWorld(() => ({
  WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target,
  WEBHOOK_RETRY_WAITS: Array(7).fill('1h').join(),
}))

const mark = 'Ada Unverwechselbar'
const phone = '+4915198765432'

/** Returns the example data with the mark in each personal field. */
const dataOf = (type: OutboundEventType) => ({
  ...outboundEvents[type].example,
  ...Object.fromEntries(Object.keys(erasedFieldsOf(type)).map(name => [name, name === 'from' ? phone : mark])),
})

test('every event matches its published schema, before an erasure and when it is sent again after one', async () => {
  const { sql } = world.database
  await world.expect(201, 'POST', '/v1/webhooks', { body: { url: receiver.url, events: [...subscribableTypes] } })
  const { id: customerId } = await world.expect(201, 'POST', '/v1/customers', { body: { phone } })
  for (const type of subscribableTypes) await tell(sql, world.workspaceId, type, { customerId, data: dataOf(type) })

  const sentData = (requests: Receiver['requests']) =>
    Object.fromEntries(requests.map(({ body }) => [JSON.parse(body).type, JSON.parse(body).data]))
  const count = subscribableTypes.length
  const before = await receiver.waitFor(count)
  expect(sentData(before)).toEqual(Object.fromEntries(subscribableTypes.map(type => [type, dataOf(type)])))

  await eventually('each attempt is recorded', async () => {
    const [left] = await sql<{ count: number }[]>`select count(*)::integer as count from deliveries where attempts = 0`
    return left!.count === 0
  })

  await world.expect(204, 'DELETE', `/v1/customers/${customerId}`)
  await sql`update deliveries set due_at = now()`
  const after = await receiver.waitFor(2 * count)
  expect(sentData(after.slice(count))).toEqual(
    Object.fromEntries(
      subscribableTypes.map(type => [type, { ...outboundEvents[type].example, ...erasedFieldsOf(type) }]),
    ),
  )
})

test("the erasure also removes the receiver's response to an event that was sent again", async () => {
  const { sql } = world.database
  const webhook = await world.expect(201, 'POST', '/v1/webhooks', {
    body: { url: receiver.url, events: ['sale.created'] },
  })
  const { id: customerId } = await world.expect(201, 'POST', '/v1/customers', { body: { phone: '+4915198765433' } })
  const [eventId] = await tell(sql, world.workspaceId, 'sale.created', { customerId, data: { note: mark } })
  const { id } = await world.expect(202, 'POST', `/v1/outbound-events/${eventId}/send`, {
    body: { webhookId: webhook.id },
  })
  const answers = () =>
    sql<{ answer: string | null }[]>`select response_body as answer from delivery_attempts where delivery_id = ${id}`
  await eventually('it was answered', async () => (await answers()).length > 0)
  expect((await answers())[0]!.answer).toContain(mark)
  await world.expect(204, 'DELETE', `/v1/customers/${customerId}`)
  expect((await answers())[0]!.answer).toBeNull()
})

test('the test receiver fails its test when a body does not match the schema', async () => {
  const bodyOf = (data: Record<string, unknown>) =>
    JSON.stringify({
      id: world.key.id,
      type: 'message.received',
      createdAt: '2026-03-01T09:30:00.000Z',
      workspaceId: world.workspaceId,
      data: { ...outboundEvents['message.received'].example, ...data },
    })
  expect(faultOfDelivery('message.received', bodyOf({}))).toBeNull()
  for (const data of [{ text: undefined }, { text: 7 }, { sentAt: '2026-03-01 09:30:00+00' }, { type: null }])
    expect(faultOfDelivery('message.received', bodyOf(data)), JSON.stringify(data)).toContain('does not fit')
  const strict = await startReceiver()
  const headers = { 'X-Service-Event': 'message.received' }
  await fetch(strict.url, { method: 'POST', headers, body: bodyOf({ surplus: 1 }) })
  await expect(strict.waitFor(1)).rejects.toThrow('message.received does not fit')
  await expect(strict.stop()).rejects.toThrow('surplus')
})
