/** Tests of customers with several addresses. An opt-out stays with its address when another customer gets it. */
import { beforeAll, expect, test } from 'bun:test'
import { startTwilio } from '../../../support/twilio.ts'
import { use } from '../../../support/use.ts'
import { startWhatsApp } from '../../../support/whatsapp.ts'
import { eventually, newPhone, useWorld } from '../../../support/world.ts'

const whatsapp = use(startWhatsApp)
const twilio = use(startTwilio)
const world = useWorld(() => ({
  SECRETS_KEY: Buffer.alloc(32, 5).toString('base64'),
  WHATSAPP_API_URL: whatsapp.apiUrl,
  TWILIO_API_URL: twilio.apiUrl,
}))

beforeAll(async () => {
  for (const [kind, provider, type] of [
    ['whatsapp_cloud', whatsapp, 'greeting.wa'],
    ['twilio_sms', twilio, 'greeting.sms'],
  ] as const) {
    const body = { kind, name: kind, credentials: provider.credentials }
    const { id, inboundUrl } = await world.expect(201, 'POST', '/v1/channels', { body })
    provider.callBack(inboundUrl)
    await writingOn(type, id)
  }
})

/** Publishes a workflow that writes to the customer of each event of the type. */
const writingOn = (eventType: string, channelId: string) => {
  const steps = { write: { type: 'send_message', text: 'Our offer', channelId, next: null } }
  return world.workflow({ trigger: { eventType }, start: 'write', steps }, eventType)
}

let numbers = 0
const newUser = () => `US.9000${++numbers}`

const change = (id: string, body: object) => world.expect(200, 'PATCH', `/v1/customers/${id}`, { as: 'key', body })
const read = (id: string) => world.expect(200, 'GET', `/v1/customers/${id}`)
const consentsOf = async (id: string) => (await world.expect(200, 'GET', `/v1/customers/${id}/consents`)).data
const lift = (id: string) =>
  world.expect(200, 'POST', `/v1/customers/${id}/opt-out/lift`, { body: { reason: 'Asked' } })
const customerOfEvent = async (type: string, who: Record<string, unknown>): Promise<string> =>
  (await world.expect(201, 'POST', '/v1/events', { as: 'key', body: { type, ...who } })).event.customerId

const writtenBy = async (address: string) => {
  const [row] = await world.database.sql<{ id: string }[]>`
    select customer_id as id from handles where workspace_id = ${world.workspaceId} and handle = ${address}`
  return row!.id
}

const sentTo = (phone: string) => eventually('it is sent', () => twilio.sent.some(({ to }) => to === phone))

/** Opts a number out and returns it with the customer who wrote and had it, and the customer who has it now. */
const takenOver = async () => {
  const phone = newPhone()
  await twilio.write({ from: phone, text: 'Hello' })
  const first = await writtenBy(phone)
  await twilio.write({ from: phone, text: 'Stop' })
  await change(first, { phone: newPhone() })
  const id = await customerOfEvent('greeting.sms', { phone })
  expect(id).not.toBe(first)
  await eventually('they have opted out', async () => (await read(id)).optedOutAt !== null)
  return { phone, first, id }
}

/** Resolves to the newest outbound message of the customer once its status is no longer queued. */
const lastOutcome = (customerId: string) =>
  eventually('an outbound message is settled', async () => {
    const [last] = (await world.expect(200, 'GET', `/v1/messages?customerId=${customerId}&limit=1`)).data
    return last?.direction === 'outbound' && last.status !== 'queued' && last
  })

const optedOutEvents = async (customerId: string) =>
  world.database.sql<{ data: Record<string, unknown> }[]>`
    select data from outbound_events where workspace_id = ${world.workspaceId} and type = 'customer.opted_out'
      and data_subject_id = ${customerId}`

test('a customer known by a user id gets the number of a later message, and events find it', async () => {
  const [userId, phone] = [newUser(), newPhone()]
  await whatsapp.write({ userId, text: 'Hello' })
  const id = await writtenBy(userId)
  expect((await read(id)).phone).toBeNull()
  await whatsapp.write({ userId, from: phone, text: 'My number' })
  expect((await read(id)).phone).toBe(phone)
  await whatsapp.write({ userId, text: 'STOP' })
  expect(await customerOfEvent('greeting.wa', { phone })).toBe(id)
  expect((await read(id)).optedOutAt).not.toBeNull()
  expect(whatsapp.sent.filter(({ to }) => to === phone.slice(1))).toEqual([])
})

test('a phone number stays with its customer, to whom the address moves with its opt-out, once', async () => {
  const [userId, phone] = [newUser(), newPhone()]
  for (const text of ['Hello', 'Stop!']) await whatsapp.write({ userId, text })
  const first = await writtenBy(userId)
  const { id } = await world.expect(201, 'POST', '/v1/customers', { as: 'key', body: { phone } })
  expect((await read(id)).optedOutAt).toBeNull()
  await whatsapp.write({ userId, from: phone, text: 'My number' })
  expect(await read(id)).toMatchObject({ phone, optedOutAt: expect.any(String) })
  expect((await read(first)).phone).toBeNull()
  expect(await writtenBy(userId)).toBe(id)
  expect(await consentsOf(id)).toMatchObject([{ kind: 'opt_out', source: 'customer', words: 'Stop' }])
  const data = { channel: 'whatsapp_cloud', handle: phone, reason: 'Stop' }
  expect(await optedOutEvents(id)).toMatchObject([{ data }])
  await whatsapp.write({ userId, from: phone, text: 'Are you there?' })
  expect(await consentsOf(id)).toHaveLength(1)
  await lift(id)
  await whatsapp.write({ userId, from: phone, text: 'I am back' })
  expect((await read(id)).optedOutAt).toBeNull()
})

test('an opt-out applies when two addresses meet at a customer without a phone number', async () => {
  const [first, second] = [newUser(), newPhone()]
  await whatsapp.write({ from: second, text: 'Hello' })
  const stopped = await writtenBy(second)
  await whatsapp.write({ from: second, text: 'STOP' })
  await change(stopped, { phone: newPhone() })
  await whatsapp.write({ userId: first, text: 'Hello' })
  const id = await writtenBy(first)
  await whatsapp.write({ userId: first, from: second, text: 'It is me' })
  expect(await writtenBy(second)).toBe(await writtenBy(first))
  expect((await read(await writtenBy(second))).optedOutAt).not.toBeNull()
  expect([id, stopped]).toContain(await writtenBy(first))
})

test('an event with the number of an earlier message finds its customer, and sets a missing number', async () => {
  const phone = newPhone()
  await twilio.write({ from: phone, text: 'Hello' })
  const id = await writtenBy(phone)
  expect((await change(id, { phone: null, externalId: `shop-${phone}` })).phone).toBeNull()
  const ids = await Promise.all(Array.from({ length: 5 }, () => customerOfEvent('seen', { phone })))
  expect(new Set(ids)).toEqual(new Set([id]))
  expect((await read(id)).phone).toBe(phone)
})

test('a number that opted out gets no message, even for a new customer, until the opt-out is lifted', async () => {
  const { phone, first, id } = await takenOver()
  expect(await lastOutcome(id)).toMatchObject({ status: 'skipped', detail: expect.stringContaining('opted out') })
  expect(await consentsOf(id)).toMatchObject([{ kind: 'opt_out', source: 'customer', words: 'Stop' }])
  await lift(id)
  await customerOfEvent('greeting.sms', { phone })
  await sentTo(phone)
  expect((await read(id)).optedOutAt).toBeNull()
  expect((await read(first)).optedOutAt).not.toBeNull()
})

test('lifting an opt-out applies to a customer at an address that is no longer their phone number', async () => {
  const { phone, id } = await takenOver()
  const externalId = `without-number-${phone}`
  await change(id, { externalId, phone: null })
  await lift(id)
  expect(await writtenBy(phone)).toBe(id)
  await twilio.write({ from: phone, text: 'I am back' })
  await customerOfEvent('greeting.sms', { externalId })
  await sentTo(phone)
  expect((await read(id)).optedOutAt).toBeNull()
})

test('a sandbox channel also sends nothing to a number that opted out', async () => {
  const channelId = await world.sandbox()
  await writingOn('greeting.sandbox', channelId)
  const phone = newPhone()
  const body = { from: phone, text: 'STOP' }
  const { customerId } = await world.expect(201, 'POST', `/v1/channels/${channelId}/sandbox/messages`, { body })
  await change(customerId, { phone: newPhone() })
  expect(await lastOutcome(await customerOfEvent('greeting.sandbox', { phone }))).toMatchObject({ status: 'skipped' })
})

test('an opt-out by API names the address and the channel kind of a customer who wrote', async () => {
  const [userId, phone] = [newUser(), newPhone()]
  await whatsapp.write({ userId, text: 'Hello' })
  await twilio.write({ from: phone, text: 'Hello' })
  for (const [channel, handle] of [
    ['whatsapp_cloud', userId],
    ['twilio_sms', phone],
  ] as const) {
    const id = await writtenBy(handle)
    await world.expect(200, 'POST', `/v1/customers/${id}/opt-out`, { as: 'key', body: { reason: 'Called us' } })
    const data = { channel, handle, scope: 'all', reason: 'Called us' }
    expect(await optedOutEvents(id)).toMatchObject([{ data }])
  }
})
