/**
 * Tests of malformed requests over bare sockets. No part is taken for another request, and no work is left half done.
 */
import { expect, test } from 'bun:test'
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
const asKey = (framing: string, body: string, path = '/v1/events'): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${world.key.value}\r\nContent-Type: application/json\r\n${framing}\r\n\r\n${body}`
/** A whole request after the end, or the apparent end, of a body. It would record an event if the service read it. */
const hidden = () => asKey(`Content-Length: ${smuggled.length}`, smuggled)
const inChunks = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
const small = json({ type: 'raw.small', phone: '+4915112345678' })
const chunked = 'Transfer-Encoding: chunked'
const lengthOf = (length: string | number) => `Content-Length: ${length}`
const size = small.length
const whole = lengthOf(size)

/** Bodies with a contradictory or an impossible length. The runtime rejects them before any work. */
const rejected: [name: string, headers: string, body?: string][] = [
  ['a length, and chunks', `${whole}\r\n${chunked}`, inChunks(small)],
  ['chunks, and a length', `${chunked}\r\n${lengthOf(5)}`, inChunks(small)],
  ['a length of 0, and chunks', `${lengthOf(0)}\r\n${chunked}`, inChunks(small)],
  ['two lengths', `${whole}\r\n${lengthOf(5)}`],
  ['a list of lengths', lengthOf(`${size}, ${size}`)],
  ['a length with a sign', lengthOf(`+${size}`)],
  ['a negative length', lengthOf(-1)],
  ['a length in hex', lengthOf('0x10')],
  ['a length with a letter', lengthOf(`${size}a`)],
  ['a length beyond any number', lengthOf('9'.repeat(20))],
  ['a blank before the colon', `Content-Length : ${size}`],
  ['the encoding identity', 'Transfer-Encoding: identity'],
  ['the encoding xchunked', 'Transfer-Encoding: xchunked', inChunks(small)],
  ['an encoding before the chunks', 'Transfer-Encoding: gzip, chunked', inChunks(small)],
  ['an encoding after the chunks', `${chunked}, gzip`, inChunks(small)],
  ['chunks declared twice', `${chunked}\r\n${chunked}`, inChunks(small)],
  ['a chunk without a number', chunked, `zz\r\n${small}\r\n0\r\n\r\n`],
  ['a chunk of a negative size', chunked, `-1\r\n${small}\r\n0\r\n\r\n`],
  ['a chunk beyond any number', chunked, `${'f'.repeat(18)}\r\n${small}\r\n0\r\n\r\n`],
  ['a chunk longer than its size', chunked, `2\r\n${small}\r\n0\r\n\r\n`],
  ['fields after the last chunk', chunked, inChunks(small).replace(/\r\n$/, 'X-A: a\r\n\r\n')],
  ['a header folded over two lines', `${whole}\r\nX-A: a\r\n b`],
  ['a null byte in a header', `${whole}\r\nX-A: a\0b`],
  ['a line that is not a header', `${whole}\r\nnonsense`],
  ['a header without a name', `${whole}\r\n: a`],
]

/** Records an event, so that events that arrived before it are committed. Returns the number of other rows. */
const recorded = async (): Promise<number> => {
  await world.expect(201, 'POST', '/v1/events', { as: 'key', body: { type: 'raw.last', phone: '+4915112345670' } })
  const [row] = await world.database.sql`
    select (select count(*) from events where type <> 'raw.last')::integer
      + (select count(*) from customers where phone <> '+4915112345670')::integer as count`
  return row!.count
}

test.each(rejected)(
  'a body with %s is rejected, and the bytes after it are not read',
  async (_, headers, body = small) => {
    const before = await recorded()
    for (const path of ['/v1/events', '/v1/customers'])
      expect(seen(await ask(asKey(headers, body, path) + hidden()))).toBe('bare 400')
    expect(await recorded()).toBe(before)
  },
)

test.each([
  ['less than its length', lengthOf(500), small, 'closed'],
  ['no last chunk', chunked, inChunks(small).replace(/0\r\n\r\n$/, ''), 'closed'],
  ['a length of a petabyte', lengthOf('1000000000000000'), '', 'bare 413'],
  ['a wrong chunk size', chunked, inChunks(small).replace('\r\n', `;a=${'b'.repeat(70_000)}\r\n`), 'bare 413'],
])('a body with %s is not recorded', async (_, headers, body, answer) => {
  const before = await recorded()
  for (const path of ['/v1/events', '/v1/customers'])
    expect(seen(await ask(asKey(headers, body, path), answer === 'closed'))).toBe(answer)
  expect(await recorded()).toBe(before)
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
  expect(['closed', '201']).toContain(seen(await ask(asKey(whole, small), true)))
})

test('the service still works after all of it, and no event hidden in a body was recorded', async () => {
  const [row] = await world.database.sql`select count(*)::integer as count from events where type = 'smuggled'`
  expect(row!.count).toBe(0)
  await world.expect(201, 'POST', '/v1/events', { as: 'key', body: { type: 'after', phone: '+4915112345678' } })
})
