/**
 * Tests of providers that are down, slow, rate limited or invalid, and of forged callbacks, over HTTP in both
 * directions.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Providers, providers } from '../../src/messaging/channels/index.ts'
import {
  acceptAndClose,
  acceptAndHang,
  answerAfter,
  type CallbackReply,
  type Mood,
  nonsense,
  type StandIn,
  slow,
  well,
} from '../support/stand-in.ts'
import * as ofTwilio from '../support/twilio.ts'
import * as ofWhatsApp from '../support/whatsapp.ts'
import { eventually, startWorld, type World } from '../support/world.ts'

const publicUrl = 'https://engage.example.com/base'

let world: World
let whatsapp: ofWhatsApp.WhatsApp
let twilio: ofTwilio.Twilio

/** Providers with a shorter timeout. */
const impatient = Object.fromEntries(
  Object.entries(providers).map(([kind, provider]) => [
    kind,
    { ...provider, send: (message, handover) => provider.send(message, { ...handover, timeoutMs: 1000 }) },
  ]),
) as Providers

interface Channel {
  id: string
  inboundUrl: string
}

/** Common interface of both providers. */
interface Side {
  kind: 'whatsapp_cloud' | 'twilio_sms'
  standIn: StandIn
  channel: Channel
  write(from: string, text: string, id?: string): Promise<CallbackReply>
  /** Sends a status of the last message that the provider accepted. */
  tell(status: string): Promise<CallbackReply>
  sent(): number
  rateLimited: Mood
  /** Posts any bytes with a signature. */
  post(body: string | Uint8Array<ArrayBuffer>, signature?: string): Promise<CallbackReply>
  /** Returns a callback with a message. */
  message(from: string, id: string): string
  /** Callback with a status of an unknown message. */
  strange: string
}

let sides: Side[]

const connect = async (kind: string, credentials: unknown): Promise<Channel> =>
  world.expect(201, 'POST', '/v1/channels', { body: { kind, name: kind, credentials } })

beforeAll(async () => {
  ;[whatsapp, twilio] = await Promise.all([ofWhatsApp.startWhatsApp(), ofTwilio.startTwilio()])
  const settings = {
    PUBLIC_URL: publicUrl,
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    WHATSAPP_API_URL: whatsapp.apiUrl,
    TWILIO_API_URL: twilio.apiUrl,
  }
  world = await startWorld(settings, { providers: impatient })
  sides = [await whatsAppSide(), await twilioSide()]
}, 60_000)
afterEach(() => {
  for (const { standIn } of sides) standIn.behave(well)
})
afterAll(async () => {
  await world.stop()
  await Promise.all([whatsapp.stop(), twilio.stop()])
})

const whatsAppSide = async (): Promise<Side> => {
  const channel = await connect('whatsapp_cloud', whatsapp.credentials)
  whatsapp.callBack(channel.inboundUrl.replace(publicUrl, world.url))
  const envelope = (value: unknown) =>
    JSON.stringify({ object: 'whatsapp_business_account', entry: [{ changes: [{ field: 'messages', value }] }] })
  return {
    kind: 'whatsapp_cloud',
    standIn: whatsapp,
    channel,
    write: (from, text, id) => whatsapp.write({ from, text, ...(id !== undefined && { id }) }),
    tell: status => whatsapp.tell(whatsapp.sent.at(-1)!, status),
    sent: () => whatsapp.sent.length,
    rateLimited: ofWhatsApp.rateLimited(1),
    post: (body, signature = 'true') => whatsapp.post(body, { signature }),
    message: (from, id) => envelope(ofWhatsApp.inbound(whatsapp, { from, id, text: 'Hello' })),
    strange: envelope(ofWhatsApp.statusOf(whatsapp, { id: 'wamid.nobody', to: '4915112345678' }, 'read', {})),
  }
}

const twilioSide = async (): Promise<Side> => {
  const channel = await connect('twilio_sms', twilio.credentials)
  twilio.callBack(channel.inboundUrl, world.url)
  const form = (parameters: Record<string, string>) => new URLSearchParams(parameters).toString()
  return {
    kind: 'twilio_sms',
    standIn: twilio,
    channel,
    write: (from, text, sid) => twilio.write({ from, text, ...(sid !== undefined && { sid }) }),
    tell: status => twilio.tell(twilio.sent.at(-1)!, status),
    sent: () => twilio.sent.length,
    rateLimited: ofTwilio.rateLimited(1),
    post: (body, signature = 'true') => twilio.post(body, { signature }),
    message: (from, sid) => form(ofTwilio.inbound(twilio, { from, sid, text: 'Hello' })),
    strange: form(ofTwilio.statusOf(twilio, { sid: 'SMnobody', to: '+4915112345678', from: null }, 'read')),
  }
}

let numbers = 0
const newNumber = () => `+4915${String(100_000_000 + ++numbers)}`

interface Message {
  id: string
  status: string
  detail: string | null
  direction: string
  providerMessageId: string | null
}

const messageOf = (id: string): Promise<Message> => world.expect(200, 'GET', `/v1/messages/${id}`)

const settled = (id: string, status: string) =>
  eventually(`the message is ${status}`, async () => {
    const message = await messageOf(id)
    return message.status === status && message
  })

/** Lets a customer write and returns the conversation. */
const conversationWith = async (side: Side, from = newNumber()): Promise<{ id: string; customerId: string }> => {
  expect((await side.write(from, 'Are you there?')).status).toBe(200)
  const [customer] = (await world.expect(200, 'GET', `/v1/customers?phone=${encodeURIComponent(from)}`)).data
  return (await world.expect(200, 'GET', `/v1/conversations?customerId=${customer.id}`)).data[0]
}

const write = ({ id }: { id: string }, text: string): Promise<Message> =>
  world.expect(201, 'POST', `/v1/conversations/${id}/messages`, { body: { text } })

/** Lets a customer write, replies, and returns the reply. */
const replied = async (side: Side): Promise<Message> => write(await conversationWith(side), 'Yes')

const countOf = async (providerMessageId: string): Promise<number> => {
  const [row] = await world.database.sql<{ count: number }[]>`
    select count(*)::integer as count from messages where provider_message_id = ${providerMessageId}`
  return row!.count
}

describe.each(['whatsapp_cloud', 'twilio_sms'] as const)('%s', kind => {
  const side = (): Side => sides.find(one => one.kind === kind)!

  describe('a message', () => {
    test('is sent and gets its statuses', async () => {
      const { id } = await replied(side())
      const sent = await settled(id, 'sent')
      expect(sent.providerMessageId).not.toBeNull()
      for (const status of ['sent', 'delivered', 'read']) expect((await side().tell(status)).status).toBe(200)
      await settled(id, 'read')
    })

    test('waits while the provider is down and is sent once', async () => {
      const before = side().sent()
      const conversation = await conversationWith(side())
      await side().standIn.down()
      const { id } = await write(conversation, 'Late')
      await eventually('it was postponed', async () => {
        const [row] = await world.database.sql<{ retries: number }[]>`
          select retries from messages where id = ${id}`
        return row!.retries > 0
      })
      expect((await messageOf(id)).status).toBe('queued')
      await side().standIn.up()
      await settled(id, 'sent')
      expect(side().sent()).toBe(before + 1)
    }, 30_000)

    test('is sent once to a slow provider', async () => {
      side().standIn.behave(slow(600))
      const before = side().sent()
      const { id } = await replied(side())
      await settled(id, 'sent')
      expect(side().sent()).toBe(before + 1)
    })

    test('waits as long as the rate limit of the provider requires', async () => {
      side().standIn.behave(side().rateLimited, well)
      const [sent, requests] = [side().sent(), side().standIn.requests.length]
      const { id } = await replied(side())
      await settled(id, 'sent')
      expect([side().sent(), side().standIn.requests.length]).toEqual([sent + 1, requests + 2])
    })

    const doubtful: [string, Mood][] = [
      ['answers nonsense', nonsense()],
      ['takes it and hangs', acceptAndHang],
      ['takes it and closes', acceptAndClose],
    ]
    test.each(doubtful)(
      'to a provider that %s is unknown, is never sent again, and is settled by a later status',
      async (_, mood) => {
        side().standIn.behave(mood, well)
        const before = side().sent()
        const { id } = await replied(side())
        const message = await settled(id, 'unknown')
        expect(message.detail).toContain('received the message')
        expect((await side().tell('delivered')).status).toBe(200)
        await settled(id, 'delivered')
        expect(side().sent()).toBe(before + 1)
      },
    )

    test('is delivered even if that status arrives before the response', async () => {
      side().standIn.behave(
        answerAfter(() => side().tell('delivered')),
        well,
      )
      const { id } = await replied(side())
      await settled(id, 'delivered')
    })

    test('only moves forward, whatever the order and number of its statuses', async () => {
      const { id } = await replied(side())
      await settled(id, 'sent')
      for (const status of ['read', 'delivered', 'sent', 'read', 'delivered'])
        expect((await side().tell(status)).status).toBe(200)
      expect((await messageOf(id)).status).toBe('read')
    })
  })

  describe('a callback', () => {
    test('is rejected and not stored if it is forged or unsigned', async () => {
      const body = side().message(newNumber(), `forged-${kind}`)
      for (const signature of ['forged', 'none', '', 'sha256=', 'x'.repeat(5000)])
        expect((await side().post(body, signature)).status).toBe(401)
      expect(await countOf(`forged-${kind}`)).toBe(0)
    })

    test('has no effect when it is replayed, even concurrently', async () => {
      const body = side().message(newNumber(), `replayed-${kind}`)
      const replies = await Promise.all(Array.from({ length: 20 }, () => side().post(body)))
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
      expect((await side().post(body)).status).toBe(200)
      expect(await countOf(`replayed-${kind}`)).toBe(1)
    })

    test('is accepted for an unknown message', async () => {
      expect((await side().post(side().strange)).status).toBe(200)
    })

    test('is stored as a rejected request if it is truncated', async () => {
      const from = newNumber()
      const body = kind === 'twilio_sms' ? 'Body=Hello&Fr' : side().message(from, 'cut').slice(0, -20)
      expect((await side().post(body)).status).toBe(200)
      const { data } = await world.expect(200, 'GET', '/v1/activity/not-accepted')
      const found = data.filter(({ sender }: { sender: string }) => sender === kind)
      expect(found.some(({ message }: { message: string }) => /is incomplete|MessageSid must be/.test(message))).toBe(
        true,
      )
    })

    test('is rejected with an error message if it has ten megabytes', async () => {
      const reply = await side().post(new Uint8Array(10 * 1024 * 1024).fill(0x61))
      expect([400, 401]).toContain(reply.status)
      expect(JSON.parse(reply.body).error.message).toBeString()
    })

    test('never causes an internal error, whatever its bytes', async () => {
      const known = [side().message(newNumber(), `fuzzed-${kind}`), side().strange]
      const given = fc.oneof(
        fc.uint8Array({ maxLength: 2000 }).map(bytes => new Uint8Array(bytes)),
        fc.jsonValue().map(value => JSON.stringify(value)),
        fc.tuple(fc.constantFrom(...known), fc.nat(), fc.string({ unit: 'binary' })).map(([body, at, more]) => {
          const place = at % body.length
          return body.slice(0, place) + more + body.slice(place + more.length)
        }),
      )
      await fc.assert(
        fc.asyncProperty(given, async body => {
          expect([200, 400, 401]).toContain((await side().post(body)).status)
        }),
        { numRuns: 100 },
      )
    })
  })
})

test('records the valid half of a batch', async () => {
  const good = Array.from({ length: 20 }, (_, n) =>
    ofWhatsApp.inbound(whatsapp, { from: newNumber(), text: 'Hello', id: `wamid.good.${n}` }),
  )
  const bad = [
    { messages: 7 },
    { messages: [{ id: {}, from: [] }] },
    { messages: [null] },
    { statuses: [{ id: 'x', status: 4 }] },
  ]
  const mixed = good.flatMap((value, n) => [value, bad[n % bad.length]!])
  expect((await whatsapp.postChanges(...mixed)).status).toBe(200)
  for (let n = 0; n < good.length; n++) expect(await countOf(`wamid.good.${n}`)).toBe(1)
})

test('opts out a number that has unsubscribed at Twilio', async () => {
  const from = newNumber()
  const conversation = await conversationWith(sides.find(({ kind }) => kind === 'twilio_sms')!, from)
  twilio.stopped.add(from)
  const { id } = await write(conversation, 'Yes')
  expect((await settled(id, 'failed')).detail).toContain('(code 21610)')
  await eventually('the customer is opted out', async () => {
    const { optedOutAt } = await world.expect(200, 'GET', `/v1/customers/${conversation.customerId}`)
    return optedOutAt !== null
  })
})

test('returns no credential in any channel response', async () => {
  const { data } = await world.expect(200, 'GET', '/v1/channels')
  const told = JSON.stringify([
    data,
    await Promise.all(sides.map(({ channel }) => world.expect(200, 'POST', `/v1/channels/${channel.id}/test`))),
  ])
  expect(told).toContain('Example Shop')
  const { accessToken, appSecret, verifyToken } = whatsapp.credentials
  for (const secret of [accessToken, appSecret, verifyToken, twilio.credentials.authToken])
    expect(told).not.toContain(secret)
})
