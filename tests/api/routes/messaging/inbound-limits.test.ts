/** Tests of the limits for provider callbacks: event loop time, permits of a channel and the rate. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { longestStretch, maxStretchMs } from '../../../support/stretch.ts'
import { eventually, startWorld, useWorld, type World } from '../../../support/world.ts'

const settings = {
  PUBLIC_URL: 'https://engage.example.com',
  SECRETS_KEY: Buffer.alloc(32, 9).toString('base64'),
  WHATSAPP_API_URL: 'http://127.0.0.1:9',
  TWILIO_API_URL: 'http://127.0.0.1:9',
}
const credentials = {
  phoneNumberId: '106540352242922',
  accessToken: 'EAAGm0PX4ZCpsBAAccessToken',
  appSecret: 'app-secret-of-whatsapp',
  verifyToken: 'verify-token-of-ours',
}

const connectWhatsapp = async (world: World, phoneNumberId = credentials.phoneNumberId): Promise<string> => {
  const body = { kind: 'whatsapp_cloud', name: 'WhatsApp', credentials: { ...credentials, phoneNumberId } }
  const { id } = await world.expect(201, 'POST', '/v1/channels', { body })
  return `/v1/inbound/whatsapp/${id}`
}

const signatureOf = (body: string, secret = credentials.appSecret) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

const send = (world: World, path: string, body: string, signature = signatureOf(body)) =>
  world.call('POST', path, { as: 'nobody', raw: body, headers: { 'X-Hub-Signature-256': signature } })

const callback = (value: Record<string, unknown>, phoneNumberId = credentials.phoneNumberId) =>
  JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ changes: [{ field: 'messages', value: { metadata: { phone_number_id: phoneNumberId }, ...value } }] }],
  })

const now = () => String(Math.floor(Date.now() / 1000))

const message = (id: string, from: number, body: string) => ({
  ...{ id: `wamid.${id}`, from: String(from), timestamp: now(), type: 'text', text: { body } },
})

const messages = (name: string, texts: readonly string[]) =>
  callback({ messages: texts.map((text, place) => message(`${name}.${place}`, 4915110000000 + place, text)) })

const countOf = async (world: World, name: string): Promise<number> => {
  const [row] = await world.database.sql<{ count: number }[]>`
    select count(*)::integer as count from messages where provider_message_id like ${`wamid.${name}.%`}`
  return row!.count
}

describe('a callback of the largest size yields to other callers every 100 ms', () => {
  const world = useWorld(settings)
  let path: string
  beforeAll(async () => {
    path = await connectWhatsapp(world)
    // Runs the code once before, so that it is compiled as in a service that has run for a while.
    await send(world, path, messages('first', Array(50).fill('Where is my order?')))
  })

  test.each([
    ['grow by NFKC', '\ufdfa'.repeat(980)],
    ['are emoji and a word', `${'1\ufe0f\u20e3'.repeat(320)}stop`],
  ])('when its 1,000 messages %s', async (name, text) => {
    const body = messages(name, Array(1000).fill(text))
    expect(Buffer.byteLength(body)).toBeLessThan(3 * 1024 * 1024)
    const { ms, result } = await longestStretch(() => send(world, path, body))
    expect([result.status, await countOf(world, name)]).toEqual([200, 1000])
    expect(ms).toBeLessThan(maxStretchMs)
  })

  test('when its 1,000 messages answer 20 runs that wait for 550 words', async () => {
    const words = (exit: number) => Array.from({ length: 55 }, (_, n) => `${'\ufdfa'.repeat(190)}${exit}.${n}`)
    const any = Array.from({ length: 10 }, (_, exit) => ({ reply: { in: words(exit) }, next: null }))
    const wait = { type: 'wait_for', timeout: '5s', onTimeout: null, any }
    await world.workflow({ trigger: { eventType: 'cart.left' }, start: 'wait', steps: { wait } })
    const first = 4915120000000
    const events = Array.from({ length: 20 }, (_, n) => ({ type: 'cart.left', phone: `+${first + n}` }))
    await world.expect(200, 'POST', '/v1/events/batch', { body: { events } })
    const replies = Array.from({ length: 1000 }, (_, place) =>
      message(`reply.${place}`, first + (place % 20), `${'\ufdfa'.repeat(250)}${place}`),
    )
    const ended = async () => {
      const [row] = await world.database.sql<{ count: number }[]>`
        select count(*)::integer as count from workflow_runs where status = 'done'`
      return row!.count === 20
    }
    const { ms } = await longestStretch(async () => {
      expect((await send(world, path, callback({ messages: replies }))).status).toBe(200)
      await eventually('every run times out', ended, 40_000)
    })
    expect(ms).toBeLessThan(maxStretchMs)
  })

  test('when it has 1,000 statuses', async () => {
    const statuses = Array.from({ length: 1000 }, (_, place) => ({
      id: `wamid.status.${place}`,
      status: 'failed',
      timestamp: now(),
      recipient_id: '4915110000000',
      errors: [{ code: 131026, title: 'x'.repeat(2000) }],
    }))
    const { ms, result } = await longestStretch(() => send(world, path, callback({ statuses })))
    expect(result.status).toBe(200)
    expect(ms).toBeLessThan(maxStretchMs)
  })
})

describe('a callback without a valid signature', () => {
  const world = useWorld({ ...settings, TRUSTED_PROXIES: '127.0.0.1' })
  let path: string
  const sockets: Socket[] = []
  beforeAll(async () => {
    path = await connectWhatsapp(world)
  })
  afterAll(() => {
    for (const socket of sockets) socket.destroy()
  })

  /** Opens a request with an incomplete body. Resolves after sending, with the response so far. */
  const open = (head: string, begun: string): Promise<{ answered: string }> =>
    new Promise((resolve, reject) => {
      const received = { answered: '' }
      const socket = connect(Number(new URL(world.url).port), '127.0.0.1', () => {
        socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\n${head}\r\n\r\n${begun}`, () => resolve(received))
      })
      socket.on('data', data => {
        received.answered += data.toString('latin1')
      })
      socket.on('error', reject)
      sockets.push(socket)
    })

  test('holds no permit of the channel, in any number', async () => {
    const head = `Content-Length: 100000\r\nX-Forwarded-For: 192.0.2.1\r\nX-Hub-Signature-256: ${signatureOf('x')}`
    for (let n = 0; n < 120; n++) await open(head, '{')
    const startedAt = performance.now()
    const { status } = await send(world, path, messages('beside', ['Hello']))
    expect(status).toBe(200)
    // With all permits taken, this call would wait for five seconds.
    expect(performance.now() - startedAt).toBeLessThan(4000)
    expect(await countOf(world, 'beside')).toBe(1)
  })

  test('is rejected before its body is read when the header is missing', async () => {
    const received = await open('Content-Length: 100000', '{')
    await eventually('it is answered', () => received.answered.startsWith('HTTP/1.1 401'))
  })

  test("is 503 after 20 from its network address, and the provider's callbacks still succeed", async () => {
    const body = messages('forged', ['Hello'])
    const forge = (address: string) =>
      world.call('POST', path, {
        as: 'nobody',
        raw: body,
        headers: { 'X-Hub-Signature-256': signatureOf(body, 'a guess of the secret'), 'X-Forwarded-For': address },
      })
    const statuses: number[] = []
    for (let n = 0; n < 60; n++) {
      const reply = await forge('198.51.100.7')
      statuses.push(reply.status)
      if (reply.status === 503) expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    }
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(401))
    expect(statuses.filter(status => status === 503).length).toBeGreaterThan(10)
    expect((await forge('198.51.100.8')).status).toBe(401)
    expect((await send(world, path, messages('genuine', ['Hello']))).status).toBe(200)
    expect(await countOf(world, 'forged')).toBe(0)
    expect(await countOf(world, 'genuine')).toBe(1)
  })
})

test('callbacks over the rate of a workspace, also by their bytes, are 503 and succeed when repeated', async () => {
  await using world = await startWorld({ ...settings, RATE_LIMIT_CALLBACKS: '10/20' })
  const path = await connectWhatsapp(world)
  const ofOthers = async (phoneNumberId: string) => {
    const body = { kind: 'whatsapp_cloud', name: 'Other', credentials: { ...credentials, phoneNumberId } }
    const { id } = await world.expect(201, 'POST', '/v1/channels', { as: await world.otherOwner(), body })
    return (value: object, padding = '') =>
      send(world, `/v1/inbound/whatsapp/${id}`, callback({ ...value }, phoneNumberId) + padding)
  }
  // Larger than the whole burst. It is accepted while any of the burst is left.
  expect((await send(world, path, messages('large', Array(30).fill('Hello')))).status).toBe(200)
  const repeated = messages('repeated', ['Hello'])
  const refused = await send(world, path, repeated)
  expect(refused.status).toBe(503)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect(await countOf(world, 'repeated')).toBe(0)
  expect((await (await ofOthers('2'))({ statuses: [] })).status).toBe(200)
  const large = await ofOthers('3')
  expect((await large({ statuses: [] }, ' '.repeat(100_000))).status).toBe(200)
  expect((await large({ statuses: [] })).status).toBe(503)
  const isTaken = async () => (await send(world, path, repeated)).status === 200
  await eventually('it is accepted', isTaken)
  await eventually('it is accepted again', isTaken)
  expect([await countOf(world, 'repeated'), await countOf(world, 'large')]).toEqual([1, 30])
})
