/** Tests what the clients of all providers have in common, against servers that follow the providers' documentation. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { twilioSms } from '../../../../src/messaging/channels/providers/twilio-sms/index.ts'
import { whatsappCloud } from '../../../../src/messaging/channels/providers/whatsapp-cloud/index.ts'
import {
  acceptAndClose,
  acceptAndHang,
  answering,
  endless,
  hangInAnswer,
  type Mood,
  nonsense,
  type StandIn,
  slow,
  well,
} from '../../../support/stand-in.ts'
import * as twilio from '../../../support/twilio.ts'
import * as whatsapp from '../../../support/whatsapp.ts'
import { handover, outbound } from './support.ts'

type Send = (message?: Parameters<typeof outbound>[0], more?: object) => ReturnType<typeof whatsappCloud.send>

const clients = [
  {
    name: 'WhatsApp',
    start: async () => {
      const server = await whatsapp.startWhatsApp()
      const send: Send = (message, more) => whatsappCloud.send(outbound(message), handover(server, more))
      return { server: server as StandIn, send, secret: server.credentials.accessToken }
    },
    errors: whatsapp,
    maxCharacters: whatsappCloud.capabilities.maxCharacters,
    tooLong: '100',
    otherJson: { messages: [{ id: 7.5e300 }, null] },
    codes: [
      [400, 'window', [131047]],
      [400, 'opted_out', [131050]],
      [400, 'permanent', [131026, 131049, 131030, 987654]],
      [403, 'permanent', [130497, 987654]],
      [400, 'auth', [33, 131037, 131045]],
      [401, 'auth', [190, 987654]],
      [403, 'auth', [200, 131031]],
      [400, 'rate', [130429, 80007]],
      [429, 'rate', [987654]],
      [400, 'retry', [131056, 131016, 2]],
    ] as [number, string, number[]][],
  },
  {
    name: 'Twilio',
    start: async () => {
      const server = await twilio.startTwilio()
      const send: Send = (message, more) => twilioSms.send(outbound(message), handover(server, more))
      return { server: server as StandIn, send, secret: server.credentials.authToken }
    },
    errors: twilio,
    maxCharacters: twilioSms.capabilities.maxCharacters,
    tooLong: '21617',
    otherJson: { sid: { deep: true } },
    codes: [
      [400, 'opted_out', [21610]],
      [400, 'window', [63016]],
      [400, 'auth', [21606, 21659, 21660, 21661, 21212, 21603, 21704, 21705, 63007]],
      [401, 'auth', [20003, 98765]],
      [403, 'auth', [20005]],
      [404, 'auth', [20404]],
      [400, 'permanent', [21612, 21635, 21211, 21408, 21614, 98765]],
      [429, 'rate', [20429]],
      [400, 'rate', [21611]],
    ] as [number, string, number[]][],
  },
]

describe.each(clients)('$name', ({ name, start, errors, maxCharacters, tooLong, otherJson, codes }) => {
  let server: StandIn
  let send: Send
  let secret: string
  beforeAll(async () => {
    ;({ server, send, secret } = await start())
  })
  beforeEach(() => server.behave(well))
  afterAll(() => server.stop())

  test('passes a trace context on as the header `traceparent`, and sends none without', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    await send({}, { traceparent })
    expect(server.requests.at(-1)!.headers.traceparent).toBe(traceparent)
    await send()
    expect(server.requests.at(-1)!.headers.traceparent).toBeUndefined()
  })

  test('accepts a text of the maximum length and refuses a longer one', async () => {
    expect((await send({ text: 'x'.repeat(maxCharacters) })).kind).toBe('accepted')
    const refused = await send({ text: 'x'.repeat(maxCharacters + 1) })
    expect(refused).toMatchObject({ kind: 'refused', error: { class: 'permanent', code: tooLong } })
  })

  test.each(codes)('a refusal with status %i is of the class %s for %j', async (status, expected, its) => {
    for (const code of its) {
      server.behave(errors.refusing(code, status))
      const result = await send()
      expect(result).toMatchObject({ kind: 'refused', error: { class: expected, code: String(code) } })
      expect(result.kind === 'refused' && result.error.detail).toContain(`(code ${code}).`)
    }
  })

  test('reads Retry-After in seconds or as a date', async () => {
    const at = new Date(Date.now() + 60_000).toUTCString()
    const dated = answering({ status: 429, body: '', headers: { 'Retry-After': at } })
    server.behave(errors.rateLimited(7), dated, errors.rateLimited())
    expect(await send()).toMatchObject({ error: { class: 'rate', retryAfterMs: 7000 } })
    const result = await send()
    expect(result.kind === 'refused' && result.error.retryAfterMs).toBeWithin(55_000, 60_001)
    expect(await send()).toMatchObject({ error: { class: 'rate', retryAfterMs: null } })
  })

  test('reads the class of a refusal from its status if the body cannot be read', async () => {
    server.behave(...([404, 429, 403].map(status => answering({ status, body: '<html>' })) as [Mood, ...Mood[]]))
    for (const expected of ['permanent', 'rate', 'auth'])
      expect(await send()).toMatchObject({ kind: 'refused', error: { class: expected, code: null } })
  })

  test('keeps the code and removes secrets from the text of an error', async () => {
    server.behave(errors.refusing(135_000, 400, `Malformed token ${secret}`))
    const result = await send()
    expect(result).toMatchObject({ error: { detail: expect.stringMatching(/Malformed token … \(code 135000\)\.$/) } })
    expect(JSON.stringify(result)).not.toContain(secret)
  })

  test.each<[string, Mood]>([
    ['takes it and hangs', acceptAndHang],
    ['takes it and closes', acceptAndClose],
    ['is too slow', slow(2000)],
    ['answers HTML', nonsense()],
    ['answers nothing', nonsense('')],
    ['answers another JSON', nonsense(otherJson, 201)],
    ['answers a list', nonsense([1, 2])],
    ['answers without end', endless],
    ['hangs in its answer', hangInAnswer],
    ['has a fault', errors.failing()],
    ['has a fault nobody can read', answering({ status: 502, body: 'Bad Gateway' })],
    ['leads elsewhere', answering({ status: 302, body: '', headers: { Location: 'http://127.0.0.1:9/' } })],
  ])('the result is unknown after one request if the provider %s', async (_, mood) => {
    server.behave(mood)
    const before = server.requests.length
    const result = await send({}, { timeoutMs: 150 })
    expect(result.kind).toBe('unknown')
    expect(result.kind === 'unknown' && result.detail).toMatch(new RegExp(`^${name} received the message, .*\\.$`))
    expect(server.requests.length).toBe(before + 1)
  })

  test('allows a retry if the connection is refused', async () => {
    await server.down()
    const refused = await send()
    await server.up()
    const detail = `${name} could not be reached: the connection was refused.`
    expect(refused).toMatchObject({ kind: 'refused', error: { class: 'retry', code: null, detail } })
    expect((await send()).kind).toBe('accepted')
  })
})
