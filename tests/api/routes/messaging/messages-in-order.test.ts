/** Tests that messages to one person arrive in the order they were written, also with a slow or limited provider. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { type Mood, well } from '../../../support/stand-in.ts'
import { startTwilio, rateLimited as twilioLimited } from '../../../support/twilio.ts'
import { use } from '../../../support/use.ts'
import { startWhatsApp, rateLimited as whatsAppLimited } from '../../../support/whatsapp.ts'
import { eventually, useWorld } from '../../../support/world.ts'

const whatsapp = use(startWhatsApp)
const twilio = use(startTwilio)
const world = useWorld(() => ({
  SECRETS_KEY: Buffer.alloc(32, 5).toString('base64'),
  WHATSAPP_API_URL: whatsapp.apiUrl,
  TWILIO_API_URL: twilio.apiUrl,
}))
beforeAll(async () => {
  const connect = async (kind: string, credentials: unknown): Promise<string> =>
    (await world.expect(201, 'POST', '/v1/channels', { body: { kind, name: kind, credentials } })).inboundUrl
  whatsapp.callBack(await connect('whatsapp_cloud', whatsapp.credentials))
  twilio.callBack(await connect('twilio_sms', twilio.credentials))
})

/** Returns a provider behaviour that accepts the message after `letGo` is called. */
const held = () => {
  const { promise, resolve: letGo } = Promise.withResolvers<void>()
  const mood: Mood = async (response, take) => {
    await promise
    return well(response, take)
  }
  return { mood, letGo }
}

let numbers = 0

describe.each([
  ['WhatsApp', () => whatsapp, whatsAppLimited()],
  ['Twilio', () => twilio, twilioLimited()],
] as const)('%s', (_, provider, notYet) => {
  const sentTo = (phone: string) => {
    const sent: readonly { to: string | null; text?: string | null; body?: string | null }[] = provider().sent
    return sent.filter(({ to }) => to?.replace('+', '') === phone.slice(1)).map(({ text, body }) => text ?? body)
  }
  const someone = async () => {
    const phone = `+49172${String(3_000_000 + ++numbers)}`
    await provider().write({ from: phone, text: 'Hello' })
    const { data } = await world.expect(200, 'GET', `/v1/customers?phone=${encodeURIComponent(phone)}`)
    const conversations = await world.expect(200, 'GET', `/v1/conversations?customerId=${data[0].id}`)
    const reply = (text: string) =>
      world.expect(201, 'POST', `/v1/conversations/${conversations.data[0].id}/messages`, { body: { text } })
    return { phone, reply }
  }

  test('that is slow with one message gets the next afterwards, and messages to others immediately', async () => {
    const [slow, other] = [await someone(), await someone()]
    const { mood, letGo } = held()
    provider().behave(mood, well)
    await slow.reply('one')
    await eventually('it has started', async () => {
      const [row] = await world.database
        .sql`select 1 from messages where text = 'one' and send_started_at is not null and status = 'queued'`
      return row !== undefined
    })
    for (const text of ['two', 'three', 'four']) await slow.reply(text)
    await other.reply('theirs')
    await eventually('the other customer has received the message', () => sentTo(other.phone).length === 1)
    expect(sentTo(slow.phone)).toEqual([])
    letGo()
    await eventually('all have arrived', () => sentTo(slow.phone).length === 4)
    expect(sentTo(slow.phone)).toEqual(['one', 'two', 'three', 'four'])
  })

  test('that rate-limits one message gets it before the following ones', async () => {
    const { phone, reply } = await someone()
    provider().behave(notYet, well)
    for (const text of ['one', 'two', 'three']) await reply(text)
    await eventually('all have arrived', () => sentTo(phone).length === 3)
    expect(sentTo(phone)).toEqual(['one', 'two', 'three'])
  })
})
