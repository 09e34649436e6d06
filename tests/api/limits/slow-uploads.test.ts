/** Tests of attacks with slow or incomplete bodies over real sockets. Other callers must still be served. */
import { afterEach, expect, test } from 'bun:test'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { eventually, useWorld } from '../../support/world.ts'

const world = useWorld({ SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') })
const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

interface Upload {
  /** The response received so far. */
  answer: () => string
}

/** Connects from a separate loopback address and sends a part of a request. */
const begin = async (path: string, declared: number, sent: string | Buffer, headers = ''): Promise<Upload> => {
  const port = Number(new URL(world.url).port)
  const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' })
  sockets.push(socket)
  let received = ''
  socket.on('data', piece => {
    received += piece
  })
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\n${headers}Content-Length: ${declared}\r\n\r\n`)
  socket.write(sent)
  return { answer: () => received }
}

const signIn = async (): Promise<number> => {
  const { email, password } = world.owner
  return (await world.call('POST', '/v1/auth/sign-in', { as: 'nobody', body: { email, password } })).status
}

const json = 'Content-Type: application/json\r\n'
const secrets = { appSecret: 'secret-of-a-hostile-app', verifyToken: 'token-of-a-hostile-app' }
const forged = `X-Hub-Signature-256: sha256=${'0'.repeat(64)}\r\n`

test('thousands of slow sign-ins from one address do not stop a sign-in from another', async () => {
  const attack = async (): Promise<void> => {
    for (let n = 0; n < 205; n++) uploads.push(await begin('/v1/auth/sign-in', 8 * 1024, '{"email":"', json))
  }
  const uploads: Upload[] = []
  await Promise.all(Array.from({ length: 20 }, attack))
  expect(uploads.length).toBe(4100)
  for (let n = 0; n < 10; n++) expect(await signIn()).toBe(200)
  const refused = () => uploads.filter(({ answer }) => answer().startsWith('HTTP/1.1 503')).length
  await eventually('uploads beyond the share of the address are rejected', () => refused() >= 4100 - 256)
  expect(uploads.filter(({ answer }) => answer() === '').length).toBeGreaterThan(200)
  await eventually('the other uploads are too slow', () => uploads.every(({ answer }) => answer() !== ''), 20_000)
  const slow = uploads.map(({ answer }) => answer()).filter(answer => !answer.startsWith('HTTP/1.1 503'))
  for (const answer of slow) expect(answer).toMatch(/^HTTP\/1.1 400 .*Connection: close.*"malformed_request"/is)
}, 60_000)

test('unsigned callbacks of five channels do not stop the events and sign-ins of another workspace', async () => {
  const victim = await world.otherOwner()
  const { key } = await world.expect(201, 'POST', '/v1/api-keys', { as: victim, body: { name: 'shop' } })
  const uploads: Upload[] = []
  const large = Buffer.alloc(3 * 1024 * 1024 - 1, 'x')
  for (let n = 0; n < 5; n++) {
    const channel = await world.expect(201, 'POST', '/v1/channels', {
      body: {
        kind: 'whatsapp_cloud',
        name: `Hostile ${n}`,
        credentials: { phoneNumberId: `10000000000${n}`, accessToken: 'token', ...secrets },
      },
    })
    const path = new URL(channel.inboundUrl).pathname
    for (let i = 0; i < 10; i++) uploads.push(await begin(path, large.byteLength + 1, large, forged))
  }
  for (let n = 0; n < 500; n++) uploads.push(await begin('/v1/auth/sign-in', 8 * 1024, '{', json))
  for (let n = 0; n < 10; n++) {
    const event = { type: 'order.created', phone: '+4915112345678' }
    const recorded = await world.call('POST', '/v1/events', { as: { 'X-API-Key': key }, body: event })
    expect([recorded.status, await signIn()]).toEqual([201, 200])
  }
  const refused = () => uploads.slice(0, 50).filter(({ answer }) => answer().startsWith('HTTP/1.1 503')).length
  await eventually('callbacks beyond the share of the workspace are rejected', () => refused() >= 50 - 8)
  expect(uploads.filter(({ answer }) => answer() === '').length).toBeGreaterThan(200)
}, 60_000)
