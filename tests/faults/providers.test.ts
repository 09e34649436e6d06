/** Tests of messages to providers that are down, slow or take a message without an answer, and of their statuses. */
import { afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { type Providers, providers } from '../../src/messaging/channels/index.ts'
import { acceptAndClose, acceptAndHang, answerAfter, type Mood, nonsense, slow, well } from '../support/stand-in.ts'
import { type SentByTwilio, startTwilio } from '../support/twilio.ts'
import { use } from '../support/use.ts'
import { type SentByWhatsApp, startWhatsApp } from '../support/whatsapp.ts'
import { eventually, useWorld } from '../support/world.ts'
import { type Fault, print } from './faults.ts'
import { expectVerified, pause } from './support.ts'

const publicUrl = 'https://engage.example.com/base'

/** Providers with a shorter timeout. */
const impatient = Object.fromEntries(
  Object.entries(providers).map(([kind, provider]) => [
    kind,
    { ...provider, send: (message, handover) => provider.send(message, { ...handover, timeoutMs: 1000 }) },
  ]),
) as Providers

const whatsapp = use(startWhatsApp)
const twilio = use(startTwilio)
const world = useWorld(
  () => ({
    PUBLIC_URL: publicUrl,
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    WHATSAPP_API_URL: whatsapp.apiUrl,
    TWILIO_API_URL: twilio.apiUrl,
  }),
  { providers: impatient },
)

afterEach(() => expectVerified(world.database.sql))

let numbers = 0

describe.each([
  ['whatsapp_cloud', () => whatsapp, (sent: unknown, status: string) => whatsapp.tell(sent as SentByWhatsApp, status)],
  ['twilio_sms', () => twilio, (sent: unknown, status: string) => twilio.tell(sent as SentByTwilio, status)],
] as const)('a message of %s', (kind, provider, postStatusOf) => {
  beforeAll(async () => {
    const body = { kind, name: kind, credentials: provider().credentials }
    const { inboundUrl } = await world.expect(201, 'POST', '/v1/channels', { body })
    if (kind === 'twilio_sms') twilio.callBack(inboundUrl, world.url)
    else whatsapp.callBack(inboundUrl.replace(publicUrl, world.url))
  })
  afterEach(() => provider().behave(well))

  /** Lets a customer write, and returns the path of the messages of the conversation. */
  const conversation = async (): Promise<string> => {
    const from = `+4915${String(100_000_000 + ++numbers)}`
    expect((await provider().write({ from, text: 'Are you there?' })).status).toBe(200)
    const [customer] = (await world.expect(200, 'GET', `/v1/customers?phone=${encodeURIComponent(from)}`)).data
    const { data } = await world.expect(200, 'GET', `/v1/conversations?customerId=${customer.id}`)
    return `/v1/conversations/${data[0].id}/messages`
  }
  const reply = async (path?: string): Promise<string> =>
    (await world.expect(201, 'POST', path ?? (await conversation()), { body: { text: 'Yes' } })).id
  const messageOf = (id: string) => world.expect(200, 'GET', `/v1/messages/${id}`)
  const settled = (id: string, status: string) =>
    eventually(`the message is ${status}`, async () => {
      const message = await messageOf(id)
      return message.status === status && message
    })
  const tell = async (status: string) => expect((await postStatusOf(provider().sent.at(-1)!, status)).status).toBe(200)

  test('waits while the provider is down, is sent once when it is slow, and its status only moves forward', async () => {
    const before = provider().sent.length
    const path = await conversation()
    await provider().down()
    const id = await reply(path)
    await eventually('it was deferred', async () => {
      const [row] = await world.database.sql<{ retries: number }[]>`select retries from messages where id = ${id}`
      return row!.retries > 0
    })
    expect((await messageOf(id)).status).toBe('queued')
    provider().behave(slow(600), well)
    await provider().up()
    expect((await settled(id, 'sent')).providerMessageId).not.toBeNull()
    expect(provider().sent).toHaveLength(before + 1)
    for (const status of ['delivered', 'read', 'delivered', 'sent', 'read']) await tell(status)
    expect((await messageOf(id)).status).toBe('read')
  }, 30_000)

  test.each<[Fault, Mood, string[]]>([
    ['provider answers late', answerAfter(() => pause(1500)), ['delivered']],
    ['provider answers twice', well, ['sent', 'sent', 'delivered', 'delivered']],
    ['provider answers out of order', well, ['delivered', 'sent', 'delivered']],
  ])('%s: each message is sent once and ends as delivered', async (fault, mood, statuses) => {
    const before = provider().sent.length
    const paths = await Promise.all(Array.from({ length: 5 }, conversation))
    provider().behave(mood)
    const ids = await Promise.all(paths.map(path => reply(path)))
    await Promise.all(ids.map(id => settled(id, mood === well ? 'sent' : 'unknown')))
    const overAt = performance.now()
    const sent = provider().sent.slice(before)
    for (const status of statuses)
      for (const message of sent) expect((await postStatusOf(message, status)).status).toBe(200)
    await Promise.all(ids.map(id => settled(id, 'delivered')))
    expect(provider().sent.slice(before)).toHaveLength(ids.length)
    const recorded = await world.database.sql`
      select from message_statuses where message_id = any(${ids}::uuid[]) and status = 'delivered'`
    expect(recorded).toHaveLength(ids.length)
    if (kind === 'whatsapp_cloud') print(fault, ids.length, 0, performance.now() - overAt)
  })

  test.each<[string, Mood]>([
    ['answers nonsense', nonsense()],
    ['takes it and hangs', acceptAndHang],
    ['takes it and closes', acceptAndClose],
  ])('to a provider that %s is unknown, is never sent again, and is settled by a later status', async (_, mood) => {
    provider().behave(mood, well)
    const before = provider().sent.length
    const id = await reply()
    expect((await settled(id, 'unknown')).detail).toContain('received the message')
    await tell('delivered')
    await settled(id, 'delivered')
    expect(provider().sent).toHaveLength(before + 1)
  })
})
