import { afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { verifyWebhook } from '../../../../src/api/receivers/verify-webhook.ts'
import { startReceiver as startOwnReceiver } from '../../../../src/app/cli/client/receiver.ts'
import { startHttpServer } from '../../../support/http-server.ts'
import { startReceiver } from '../../../support/receiver.ts'
import { use } from '../../../support/use.ts'
import { useWorld } from '../../../support/world.ts'
import { endPrograms, startListening, startProgram } from './program.ts'

setDefaultTimeout(60_000)
afterEach(endPrograms)

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

describe('with a service', () => {
  const world = useWorld()
  const receiver = use(startReceiver)
  let token = ''
  let channel = ''
  beforeAll(async () => {
    const created = await world.expect(201, 'POST', '/v1/auth/tokens', { body: { name: 'cli', access: 'read' } })
    token = created.token
    channel = await world.sandbox()
  })
  const write = (text: string) =>
    world.expect(201, 'POST', `/v1/channels/${channel}/sandbox/messages`, { body: { from: '+15550104477', text } })

  test('posts each event as a delivery does, with two valid signatures', async () => {
    const after = (await world.expect(200, 'GET', '/v1/outbound-events/pull')).cursor
    const url = receiver.url.replace('127.0.0.1', 'localhost')
    const program = await startListening(world.url, token, ['--forward-to', url, '--secret', secret])
    const texts = ['"ü" \\ \u2028 😀', '}],"cursor":"x"', 'plain']
    for (const text of texts) await write(text)
    await program.until('three lines', ({ events }) => events.length === 3)

    const pulled = await (await fetch(`${world.url}/v1/outbound-events/pull?after=${after}`, bearerOf(token))).text()
    expect(receiver.requests).toHaveLength(3)
    for (const [index, { headers, body }] of receiver.requests.entries()) {
      expect(pulled).toContain(body)
      const event = JSON.parse(body)
      expect(event.data.text).toBe(texts[index])
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'user-agent': 'customer-engagement-service',
        'x-service-event': 'message.received',
        'x-service-event-id': event.id,
        'x-service-attempt': '1/1',
        'webhook-id': event.id,
      })
      expect(verifyWebhook(secret, headers['x-service-signature'], body)).toBe(true)
      expect(new Webhook(secret).verify(body, headers)).toEqual(event)
      expect(program.events[index]).toMatchObject({ type: 'message.received', id: event.id, status: 200 })
    }
    expect(new Set(receiver.requests.map(({ headers }) => headers['x-service-delivery'])).size).toBe(3)
    const { status, ms } = await program.interrupt()
    expect(status).toBe(0)
    expect(ms).toBeLessThan(1000)
    expect(program.out + program.error).not.toContain(token)
  })

  test('without an address, verifies the events itself, and prints one line for each', async () => {
    const program = await startProgram(world.url, token, ['listen', '--events', 'message.received'])
    await program.until('it listens', ({ out }) => out.includes('Ready.'))
    const { customerId } = await write('first')
    await world.expect(200, 'POST', `/v1/customers/${customerId}/opt-out`, { body: { reason: 'other type' } })
    await write('second')
    await program.until('two lines', ({ out }) => out.split('verified\n').length === 3)
    expect(program.out).toMatch(/^Secret {6}whsec_[A-Za-z0-9+/]{43}=$/m)
    const line = /^\d\d:\d\d:\d\d {2}message\.received {4}[0-9a-f-]{36} {2}200 {2}\d+ ms {2}verified$/gm
    expect(program.out.match(line)).toHaveLength(2)
    expect(program.out).not.toContain('customer.opted_out')
  })

  test('reports a receiver that is not running, and continues with the next event', async () => {
    const server = await startHttpServer((_, response) => response.writeHead(204).end())
    await server.stop()
    const program = await startListening(world.url, token, ['--forward-to', `http://localhost:${server.port}/`])
    await write('lost')
    await program.until('a refused line', ({ events }) => events.length === 1)
    const returned = createServer((_, response) => response.writeHead(302, { Location: '/other' }).end())
    await new Promise<void>(listening => returned.listen(server.port, '::1', listening))
    await write('redirected')
    await program.until('a second line', ({ events }) => events.length === 2)
    expect(program.events.map(({ status }) => status)).toEqual(['refused', 302])
    returned.close()
  })

  test('ends with 1 and one sentence if the token is invalid, is revoked, or an event type is unknown', async () => {
    const { id, token: revoked } = await world.expect(201, 'POST', '/v1/auth/tokens', {
      body: { name: 'short', access: 'read' },
    })
    const unknownType = await startProgram(world.url, revoked, ['listen', '--events', 'mesage.status'])
    expect(await unknownType.ended).toBe(1)
    expect(unknownType.error).toContain('message.status')
    const program = await startListening(world.url, revoked)
    await world.expect(204, 'DELETE', `/v1/auth/tokens/${id}`)
    await write('after the end')
    expect(await program.ended).toBe(1)
    expect(program.error).toEndWith('The token is no longer valid.\n')
    expect(program.events).toEqual([])
    const late = await startProgram(world.url, revoked, ['listen'])
    expect(await late.ended).toBe(1)
    expect(late.error).toBe(`The token is not valid at ${world.url}. It may have expired or been revoked.\n`)
  })
})

test('the receiver of the command rejects a body of more than 1 MiB', async () => {
  const own = await startOwnReceiver(secret)
  try {
    const { status } = await fetch(own.url, { method: 'POST', body: 'x'.repeat(1024 * 1024 + 1) })
    expect(status).toBe(413)
  } finally {
    own.stop()
  }
})

test('retries while the service is unavailable, and continues after events that are no longer stored', async () => {
  const body = (id: string) => `{"id":"${id}","type":"ping","data":{"n":90071992547409931.10}}`
  const page = (cursor: string, ...bodies: string[]) =>
    `{"data":[${bodies.join(',')}],"cursor":"${cursor}","hasMore":true}`
  const answers: [after: string | null, status: number, text: string][] = [
    [null, 503, 'a proxy'],
    [null, 200, page('one')],
    ['one', 502, 'a proxy'],
    ['one', 429, '{}'],
    ['one', 200, page('two', body('a'))],
    ['two', 422, '{"error":{"message":"Too old.","details":{"after":"oldest"}}}'],
    ['oldest', 200, page('three', body('b'), body('c'))],
  ]
  const asked: (string | null)[] = []
  await using service = await startStandIn(query => {
    const [, status, text] = answers[asked.length] ?? [null, 401, '{}']
    asked.push(query.get('after'))
    return { status, text }
  })
  const program = await startProgram(service.url, 'cest_x', ['listen', '--json'])
  expect(await program.ended).toBe(1)
  expect(asked).toEqual([...answers.map(([after]) => after), 'three'])
  expect(program.events.map(({ id, verified }) => [id, verified])).toEqual([
    ['a', true],
    ['b', true],
    ['c', true],
  ])
  const notes = program.error.split('\n')
  expect(notes.filter(note => note === 'Service not reachable, retrying.')).toHaveLength(2)
  expect(notes.filter(note => note === 'Connected again.')).toHaveLength(2)
  expect(program.error).toContain('Some events are missing, because the service no longer stores them.')
})

const bearerOf = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } })

/** Starts a service that only has a session and a stream. */
const startStandIn = async (pull: (query: URLSearchParams) => { status: number; text: string }) => {
  const server = await startHttpServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://service')
    if (pathname === '/v1/auth/session') return response.end('{"workspace":{"id":"1","name":"Shop"},"role":"owner"}')
    const { status, text } = pull(searchParams)
    return response.writeHead(status, { 'Content-Type': 'application/json', 'Retry-After': '0' }).end(text)
  })
  return { url: `http://127.0.0.1:${server.port}`, [Symbol.asyncDispose]: server.stop }
}
