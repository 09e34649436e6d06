/**
 * Tests of malformed requests over bare sockets. No part is taken for another request, and no work is left half done.
 */
import { describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { useWorld } from '../support/world.ts'

const world = useWorld()

/** Returns all bytes until the other side closes the connection. With `half`, ends the sending side after the text. */
const ask = (text: string, half = false): Promise<string> =>
  new Promise((resolve, reject) => {
    let received = ''
    const socket = connect({ port: Number(new URL(world.url).port), host: '127.0.0.1', allowHalfOpen: true }, () => {
      socket.write(Buffer.from(text, 'latin1'))
      if (half) socket.end()
    })
    socket.on('data', chunk => {
      received += chunk.toString('latin1')
    })
    socket.on('end', () => {
      socket.end()
      resolve(received)
    })
    socket.on('error', reject)
  })

/**
 * Summarizes a response: `closed`, the runtime's own `bare 400`, or statuses of this service, which have a request id.
 */
const seen = (received: string): string => {
  if (received === '') return 'closed'
  const answers = received.split(/(?=HTTP\/1\.1 \d{3} )/)
  return answers
    .map(answer => {
      const status = answer.slice(9, 12)
      return /^x-request-id: /im.test(answer) || status === '100' ? status : `bare ${status}`
    })
    .join(', ')
}

const json = (value: unknown) => JSON.stringify(value)
const smuggled = json({ type: 'smuggled', phone: '+4915112345679' })
/** A whole request after the end, or the apparent end, of a body. It would record an event if the service read it. */
const hidden = () =>
  `POST /v1/events HTTP/1.1\r\nHost: x\r\nX-API-Key: ${world.key.value}\r\nContent-Type: application/json\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`
const inChunks = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`

type Framing = [name: string, headers: (length: number) => string, body: (body: string) => string, half?: boolean]

/** Bodies with a contradictory or an impossible length. They are rejected before any work. */
const refused: Framing[] = [
  ['a length, and chunks', n => `Content-Length: ${n}\r\nTransfer-Encoding: chunked`, inChunks],
  ['chunks, and a length', () => 'Transfer-Encoding: chunked\r\nContent-Length: 5', inChunks],
  ['no length but 0, and chunks behind it', () => 'Content-Length: 0\r\nTransfer-Encoding: chunked', inChunks],
  ['two lengths', n => `Content-Length: ${n}\r\nContent-Length: 5`, body => body],
  ['a list of lengths', n => `Content-Length: ${n}, ${n}`, body => body],
  ['a length with a sign', n => `Content-Length: +${n}`, body => body],
  ['a length below nothing', () => 'Content-Length: -1', body => body],
  ['a length in hex', () => 'Content-Length: 0x10', body => body],
  ['a length with a letter', n => `Content-Length: ${n}a`, body => body],
  ['a length beyond any number', () => `Content-Length: ${'9'.repeat(20)}`, body => body],
  ['a blank before the colon', n => `Content-Length : ${n}`, body => body],
  ['an encoding that is none', () => 'Transfer-Encoding: identity', body => body],
  ['an encoding that sounds like chunks', () => 'Transfer-Encoding: xchunked', inChunks],
  ['an encoding before the chunks', () => 'Transfer-Encoding: gzip, chunked', inChunks],
  ['an encoding behind the chunks', () => 'Transfer-Encoding: chunked, gzip', inChunks],
  ['chunks, said twice', () => 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked', inChunks],
  ['a chunk without a number', () => 'Transfer-Encoding: chunked', body => `zz\r\n${body}\r\n0\r\n\r\n`],
  ['a chunk below nothing', () => 'Transfer-Encoding: chunked', body => `-1\r\n${body}\r\n0\r\n\r\n`],
  [
    'a chunk beyond any number',
    () => 'Transfer-Encoding: chunked',
    body => `${'f'.repeat(18)}\r\n${body}\r\n0\r\n\r\n`,
  ],
  ['a chunk shorter than it is', () => 'Transfer-Encoding: chunked', body => `2\r\n${body}\r\n0\r\n\r\n`],
  ['a header folded over two lines', n => `Content-Length: ${n}\r\nX-A: a\r\n b`, body => body],
  ['a null byte in a header', n => `Content-Length: ${n}\r\nX-A: a\0b`, body => body],
  ['a line that is not a header', n => `Content-Length: ${n}\r\nnonsense`, body => body],
  ['a header without a name', n => `Content-Length: ${n}\r\n: a`, body => body],
]

/** Bodies that never arrive completely. */
const halves: Framing[] = [
  ['less than its length', () => 'Content-Length: 500', body => body, true],
  ['no chunk that ends it', () => 'Transfer-Encoding: chunked', body => inChunks(body).replace(/0\r\n\r\n$/, ''), true],
]

const named = (framings: Framing[]) => framings.map(framing => [framing[0], framing] as const)

const paths: [path: string, body: unknown][] = [
  ['/v1/events', { type: 'raw.seen', phone: '+4915112345678' }],
  ['/v1/events/batch', { events: [{ type: 'raw.seen', phone: '+4915112345678' }] }],
  ['/v1/customers', { phone: '+4915112345678' }],
  ['/v1/auth/sign-in', { email: 'nobody@shop.example', password: 'no such password' }],
]

const recorded = async (): Promise<number> => {
  const [row] = await world.database.sql`
    select (select count(*) from events)::integer + (select count(*) from customers)::integer as count`
  return row!.count
}

const post = (path: string, body: unknown, [, headers, written]: Framing, behind = ''): string => {
  const text = json(body)
  const credential = path.startsWith('/v1/auth') ? '' : `X-API-Key: ${world.key.value}\r\n`
  return `POST ${path} HTTP/1.1\r\nHost: x\r\n${credential}Content-Type: application/json\r\n${headers(text.length)}\r\n\r\n${written(text)}${behind}`
}

describe.each(paths)('a body for %s', (path, body) => {
  test.each(named(refused))(
    'with %s is rejected by the runtime, and the bytes after it are not read',
    async (_, framing) => {
      const before = await recorded()
      expect(seen(await ask(post(path, body, framing, hidden())))).toBe('bare 400')
      expect(await recorded()).toBe(before)
    },
  )

  test.each(named(halves))('with %s is never answered, and nothing is recorded', async (_, framing) => {
    const before = await recorded()
    expect(seen(await ask(post(path, body, framing), true))).toBe('closed')
    expect(await recorded()).toBe(before)
  })
})

const get = (lines: string, first = 'GET /healthz HTTP/1.1'): string => `${first}\r\n${lines}Connection: close\r\n\r\n`
const odd: [name: string, request: string, expected: string, half?: boolean][] = [
  ['no Host', get(''), 'bare 400'],
  ['two Hosts', get('Host: a\r\nHost: b\r\n'), '400'],
  ['the same Host twice', get('Host: a\r\nHost: a\r\n'), '400'],
  ['two Hosts, and a path that is none', get('Host: a\r\nHost: b\r\n', 'GET /v1/nothing HTTP/1.1'), '400'],
  ['a whole address in its first line', get('Host: x\r\n', 'GET http://elsewhere.example/healthz HTTP/1.1'), '200'],
  ['line breaks before it', `\r\n\r\n${get('Host: x\r\n')}`, 'bare 400'],
  ['lines that end in a line feed alone', 'GET /healthz HTTP/1.1\nHost: x\n\n', 'bare 505'],
  ['no version', 'GET /healthz\r\n\r\n', 'bare 505', true],
  ['a version to come', get('Host: x\r\n', 'GET /healthz HTTP/1.2'), 'bare 505'],
  ['the beginning of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'bare 400'],
  ['the beginning of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 'bare 400', true],
  ['a blank in its path', get('Host: x\r\n', 'GET /health z HTTP/1.1'), 'bare 505'],
  ['a path of 20,000 characters', get('Host: x\r\n', `GET /${'a'.repeat(20_000)} HTTP/1.1`), 'bare 431'],
  ['a header of 20,000 characters', get(`Host: x\r\nX-A: ${'a'.repeat(20_000)}\r\n`), 'bare 431'],
  ['300 headers', get(`Host: x\r\n${'X-A: a\r\n'.repeat(300)}`), 'bare 431'],
  ['no end', 'GET /healthz HTTP/1.1\r\nHost: x\r\n', 'closed', true],
  ['a method that nobody knows', get('Host: x\r\n', 'FOO /healthz HTTP/1.1'), 'closed', true],
  ['a method in small letters', get('Host: x\r\n', 'get /healthz HTTP/1.1'), 'closed', true],
  ['CONNECT', get('Host: x\r\n', 'CONNECT a:443 HTTP/1.1'), '405'],
  ['TRACE', get('Host: x\r\n', 'TRACE /healthz HTTP/1.1'), '405'],
  ['OPTIONS of everything', get('Host: x\r\n', 'OPTIONS * HTTP/1.1'), 'bare 400'],
  ['another one behind it', `GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n${get('Host: x\r\n')}`, '200, 200'],
  ['a bad one behind it', 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nnonsense\r\n\r\n', '200, bare 400'],
]
test.each(odd)('a request with %s', async (...[_, request, expected, half]) => {
  expect(seen(await ask(request, half))).toBe(expected)
})

const asKey = (framing: string, body: string, path = '/v1/events'): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${world.key.value}\r\nContent-Type: application/json\r\n${framing}\r\n\r\n${body}`
const small = json({ type: 'raw.small', phone: '+4915112345678' })
const whole = () => asKey(`Content-Length: ${small.length}`, small)

test.each<[name: string, request: () => string]>([
  ['a length of a petabyte', () => asKey('Content-Length: 1000000000000000', '')],
  [
    'a chunk with a wrong size',
    () => asKey('Transfer-Encoding: chunked', inChunks(small).replace('\r\n', `;a=${'b'.repeat(70_000)}\r\n`)),
  ],
])('a body with %s is too large for the runtime', async (_, request) => {
  const before = await recorded()
  expect(seen(await ask(request()))).toBe('bare 413')
  expect(await recorded()).toBe(before)
})

test('fields after the last chunk are rejected by the runtime', async () => {
  const before = await recorded()
  const fields = inChunks(small).replace(/\r\n$/, 'X-A: a\r\n\r\n')
  expect(seen(await ask(asKey('Transfer-Encoding: chunked', fields)))).toBe('bare 400')
  expect(await recorded()).toBe(before)
})

test.each<[name: string, behind: (event: string) => string]>([
  ['another event', event => event],
  ['a page', () => get('Host: x\r\n')],
])(
  'a pipelined event with %s after it is not answered, and the second request is not executed',
  async (name, behind) => {
    // The first request may still be recorded after the connection is closed. Each row counts its own type of event.
    const type = `raw.${name}`
    const body = json({ type, phone: '+4915112345678' })
    const event = asKey(`Content-Length: ${body.length}`, body)
    expect(seen(await ask(`${event}${behind(event)}`))).toBe('closed')
    const [row] = await world.database.sql`select count(*)::integer as count from events where type = ${type}`
    expect(row!.count).toBeLessThanOrEqual(1)
  },
)

test('an event whose sender half-closes the connection is not answered, unless the response was first', async () => {
  expect(['closed', '201']).toContain(seen(await ask(whole(), true)))
})

test('these are at least 100', () => {
  expect(paths.length * (refused.length + halves.length) + odd.length).toBeGreaterThanOrEqual(100)
})

test('the service still works after all of it, and no event hidden in a body was recorded', async () => {
  const [row] = await world.database.sql`select count(*)::integer as count from events where type = 'smuggled'`
  expect(row!.count).toBe(0)
  await world.expect(201, 'POST', '/v1/events', { as: 'key', body: { type: 'after', phone: '+4915112345678' } })
})
