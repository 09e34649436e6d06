import { afterEach, describe, expect, spyOn, test } from 'bun:test'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { runtime } from '../../../src/platform/runtime.ts'
import {
  type AttemptRequest,
  type AttemptResult,
  createAttempt,
  type UnansweredError,
} from '../../../src/webhooks/deliveries/attempt.ts'
import { createResolver, type Resolve } from '../../../src/webhooks/endpoints/address.ts'
import { signWebhook } from '../../../src/webhooks/signatures/sign.ts'
import { selfSignedCertificate } from '../../support/certificate.ts'
import {
  type Behaviour,
  closeAfterHeaders,
  closeBeforeAnswer,
  closeOnReuse,
  endlessBody,
  gzipBomb,
  hang,
  hangAfterHeaders,
  hangInDeclaredBody,
  interimAnswers,
  type Receiver,
  raw,
  redirect,
  respond,
  slowHeaders,
  startReceiver,
  verifySignature,
} from '../../support/receiver.ts'

const secret = 'whsec_test'
const body = '{"type":"ping"}'
const certificate = selfSignedCertificate('hooks.example.com')

const receivers: Receiver[] = []
afterEach(async () => {
  await Promise.all(receivers.splice(0).map(receiver => receiver.stop()))
})

const receiverThat = async (behaviour: Behaviour, tls?: typeof certificate): Promise<Receiver> => {
  const receiver = await startReceiver(tls ? { behaviour, tls } : { behaviour })
  receivers.push(receiver)
  return receiver
}

/** Resolves every host to the given addresses as if they were public. Loopback would otherwise be rejected. */
const foundAt =
  (...addresses: [string, ...string[]]): Resolve =>
  () => ({ ok: true, addresses })

/** Makes one attempt at a receiver that the operator allows, by its address or by a host name. */
const attemptAt = (
  receiver: Receiver,
  {
    host = '127.0.0.1',
    resolve = createResolver(),
    ...request
  }: Partial<AttemptRequest> & { host?: string; resolve?: Resolve } = {},
): Promise<AttemptResult> =>
  createAttempt({ resolve, allowedPrivateTargets: new Set([`${host}:${receiver.port}`]) })({
    url: `http://${host}:${receiver.port}/hook`,
    headers: {},
    body,
    timeoutMs: 2000,
    ...request,
  })

/** Makes one attempt at a host name that resolves to loopback as if that were public. */
const attemptByName = (url: string, resolve: Resolve = foundAt('127.0.0.1'), more: Partial<AttemptRequest> = {}) =>
  createAttempt({ resolve, allowedPrivateTargets: new Set() })({ url, headers: {}, body, timeoutMs: 1000, ...more })

const unansweredFor = (error: UnansweredError): AttemptResult => ({
  kind: 'unanswered',
  statusCode: null,
  error,
  durationMs: expect.any(Number),
  responseBody: null,
})

/** Starts a TCP server on a free port for the duration of the work. */
const withServer = async (onConnection: (socket: Socket) => void, work: (port: number) => Promise<void>) => {
  const server = createServer(onConnection)
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  await work((server.address() as AddressInfo).port)
  server.close()
}

describe('the request', () => {
  test('is a POST of exactly the signed body, with the given headers', async () => {
    const receiver = await receiverThat(respond())
    const unicode = '{"text":"grüß dich 👋"}'
    const t = Math.floor(Date.now() / 1000)
    const headers = { 'Content-Type': 'application/json', 'X-Service-Signature': signWebhook([secret], t, unicode) }
    await attemptAt(receiver, { url: `${receiver.url}?a=1#part`, headers, body: unicode })
    const [request] = receiver.requests
    expect(request).toMatchObject({ method: 'POST', path: '/hook?a=1', body: unicode })
    // The response must be uncompressed.
    const expected = { 'content-type': 'application/json', 'accept-encoding': 'identity', host: receiver.target }
    expect(request!.headers).toMatchObject(expected)
    expect(verifySignature(request!.headers['x-service-signature']!, request!.body, secret, t)).toBe(true)
  })

  test('reuses a keep-alive connection', async () => {
    const receiver = await receiverThat(respond())
    for (let n = 0; n < 5; n++) expect((await attemptAt(receiver)).kind).toBe('delivered')
    expect(receiver.requests.map(request => request.connection)).toEqual([1, 1, 1, 1, 1])
  })

  test('ignores a proxy in the environment', async () => {
    const proxy = await receiverThat(respond(502))
    const receiver = await receiverThat(respond())
    const before = process.env.http_proxy
    process.env.http_proxy = proxy.url
    try {
      expect(await attemptAt(receiver)).toMatchObject({ kind: 'delivered', statusCode: 200 })
    } finally {
      if (before === undefined) delete process.env.http_proxy
      else process.env.http_proxy = before
    }
    expect(proxy.connections).toBe(0)
  })
})

describe('the status code', () => {
  test.each([
    ['delivered', null, [200, 201, 202, 204, 299]],
    ['refused', 'answered with a status other than 2xx', [400, 401, 404, 407, 410, 429, 500, 503, 599, 999]],
  ] as const)('is %s', async (kind, error, codes) => {
    for (const statusCode of codes) {
      const receiver = await receiverThat(respond(statusCode, 'thanks'))
      const responseBody = statusCode === 204 ? '' : 'thanks'
      const outcome: object = await attemptAt(receiver)
      expect(outcome).toEqual({ kind, statusCode, error, durationMs: expect.any(Number), responseBody })
      expect(receiver.requests).toHaveLength(1)
    }
  })

  test.each([300, 301, 302, 303, 304, 307, 308])('%i is recorded, refused and not followed', async statusCode => {
    const elsewhere = await receiverThat(respond())
    const receiver = await receiverThat(redirect(elsewhere.url, statusCode))
    expect(await attemptAt(receiver)).toMatchObject({
      kind: 'refused',
      statusCode,
      error: 'redirected; redirects are not followed',
    })
    expect(elsewhere.connections).toBe(0)
    expect(receiver.requests).toHaveLength(1)
  })

  test('ignores the code of an interim response', async () => {
    const interim = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 500 Oh\r\nContent-Length: 2\r\n\r\nno'
    const receiver = await receiverThat(raw(interim))
    expect(await attemptAt(receiver)).toMatchObject({ kind: 'refused', statusCode: 500, responseBody: 'no' })
  })
})

describe('the response body does not change the outcome', () => {
  test.each([
    ['hangs', hangAfterHeaders(200), hangAfterHeaders(500), 'beginn'],
    ['hangs within its declared length', hangInDeclaredBody(200), hangInDeclaredBody(500), ''],
    ['never ends', endlessBody(200), endlessBody(500), 'x'.repeat(1024)],
    ['ends early', closeAfterHeaders(200), closeAfterHeaders(500), ''],
  ])('when the body %s', async (_, well, badly, responseBody) => {
    const receiver = await receiverThat(well)
    const delivered = await attemptAt(receiver, { timeoutMs: 250 })
    expect(delivered).toMatchObject({ kind: 'delivered', statusCode: 200, responseBody })
    receiver.behave(badly)
    const refused = await attemptAt(receiver, { timeoutMs: 250 })
    expect(refused).toMatchObject({ kind: 'refused', statusCode: 500, responseBody })
    await receiver.waitFor(({ openConnections }) => openConnections === 0)
  })

  test('when the body hangs: waits one second for it, not the whole timeout', async () => {
    const receiver = await receiverThat(hangAfterHeaders())
    const startedAt = performance.now()
    const outcome = await attemptAt(receiver, { timeoutMs: 30_000 })
    expect(performance.now() - startedAt).toBeWithin(900, 2500)
    expect(outcome).toMatchObject({ kind: 'delivered', responseBody: 'beginn' })
    expect(outcome.durationMs).toBeLessThan(900)
  })

  test('does not decompress a compressed body', async () => {
    const { kind, responseBody } = await attemptAt(await receiverThat(gzipBomb(64)))
    // Every gzip stream begins with these two bytes. The second is not valid UTF-8.
    expect([kind, responseBody!.slice(0, 2)]).toEqual(['delivered', '\u001f\ufffd'])
  })

  test('keeps at most 1 KiB of text that can be stored, and only whole characters', async () => {
    const receiver = await receiverThat(respond(200, Buffer.from([0x61, 0x00, 0xff, 0xfe, 0x62])))
    expect((await attemptAt(receiver)).responseBody).toBe('a\ufffd\ufffd\ufffdb')
    for (const [text, kept] of [
      ['x'.repeat(5000), 'x'.repeat(1024)],
      ['x'.repeat(100_000), 'x'.repeat(1024)],
      [`${'x'.repeat(1023)}ü`, 'x'.repeat(1023)],
      [`${'x'.repeat(1022)}üü`, `${'x'.repeat(1022)}ü`],
      [`${'x'.repeat(1022)}€`, 'x'.repeat(1022)],
      [`${'x'.repeat(1021)}👋`, 'x'.repeat(1021)],
      [`${'x'.repeat(1020)}👋👋`, `${'x'.repeat(1020)}👋`],
    ] as const) {
      receiver.behave(respond(200, text))
      expect((await attemptAt(receiver)).responseBody).toBe(kept)
    }
  })
})

describe('no answer', () => {
  test.each([
    ['hangs', hang()],
    ['sends its headers without end', slowHeaders()],
    ['sends interim answers without end', interimAnswers()],
  ])('times out a receiver that %s', async (_, behaviour) => {
    const receiver = await receiverThat(behaviour)
    const outcome = await attemptAt(receiver, { timeoutMs: 250 })
    expect(outcome).toEqual(unansweredFor('timed out'))
    expect(outcome.durationMs).toBeWithin(240, 2000)
    await receiver.waitFor(({ openConnections }) => openConnections === 0)
    expect(receiver.requests).toHaveLength(1)
  })

  test('includes the name lookup in the timeout', async () => {
    const outcome = await attemptByName('https://hooks.example.com/', () => new Promise(() => {}), { timeoutMs: 200 })
    expect(outcome).toEqual(unansweredFor('timed out'))
    expect(outcome.durationMs).toBeWithin(190, 2000)
  })

  const https = (port: number) => attemptByName(`https://hooks.example.com:${port}/`, undefined, { timeoutMs: 200 })

  test('reports a TLS handshake that hangs or fails, and a port without a listener', async () => {
    await withServer(
      () => {},
      async port => expect(await https(port)).toEqual(unansweredFor('timed out')),
    )
    let closed = 0
    await withServer(
      socket => void socket.on('error', () => {}).end('HTTP/1.1 400 Bad Request\r\n\r\n'),
      async port => {
        closed = port
        expect(await https(port)).toEqual(unansweredFor('TLS handshake failed'))
      },
    )
    expect(await https(closed)).toEqual(unansweredFor('connection refused'))
  })

  test('retries once when the connection closes before an answer, also on a reused connection, and not a timeout', async () => {
    const fresh = await receiverThat(closeBeforeAnswer())
    expect(await attemptAt(fresh)).toEqual(unansweredFor('connection closed before an answer'))
    expect(fresh.requests).toHaveLength(2)
    for (const [behaviour, error, times] of [
      [hang(), 'timed out', 1],
      [closeBeforeAnswer(), 'connection closed before an answer', 2],
    ] as const) {
      const receiver = await receiverThat(respond())
      await attemptAt(receiver)
      receiver.behave(behaviour)
      expect(await attemptAt(receiver, { timeoutMs: 250 })).toEqual(unansweredFor(error))
      expect(receiver.requests.map(({ connection }) => connection).slice(0, 2)).toEqual([1, 1])
      expect(receiver.requests).toHaveLength(1 + times)
    }
  })

  test('succeeds when the receiver has closed a keep-alive connection', async () => {
    const receiver = await receiverThat(closeOnReuse())
    for (let n = 0; n < 4; n++) expect((await attemptAt(receiver)).kind).toBe('delivered')
  })

  test.each([
    ['an invalid status line', 'HTTP/1.1 2OO OK\r\n\r\n'],
    ['a status without a class', 'HTTP/1.1 000 Nothing\r\nContent-Length: 0\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nabc'],
    ['an unrequested protocol', 'HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'],
    ['more headers than allowed', `HTTP/1.1 200 OK\r\n${'A: b\r\n'.repeat(100_000)}\r\n`],
    ['a header with an invalid character', 'HTTP/1.1 200 OK\r\nA: b\0c\r\nContent-Length: 0\r\n\r\n'],
    ['an unrequested protocol without its name', 'HTTP/1.1 101 Switching\r\n\r\n'],
    ['a header of 2 MB', `HTTP/1.1 200 OK\r\nA: ${'b'.repeat(2_000_000)}\r\n\r\n`],
  ])('rejects %s as HTTP that is not valid', async (_, bytes) => {
    const receiver = await receiverThat(raw(bytes))
    expect(await attemptAt(receiver)).toEqual(unansweredFor('answer not valid HTTP'))
  })

  test('throws an internal error instead of blaming the receiver', async () => {
    const receiver = await receiverThat(respond())
    await expect(attemptAt(receiver, { headers: { 'X-Bad': 'a\nb' } })).rejects.toThrow(TypeError)
  })
})

describe('the address of the connection', () => {
  test('is not opened for a host name that is not found or private, and does not name the address', async () => {
    const receiver = await receiverThat(respond())
    const url = `https://hooks.example.com:${receiver.port}/`
    const notFound = createResolver({ lookup: () => Promise.reject(new Error('ENOTFOUND hooks.example.com')) })
    expect(await attemptByName(url, notFound)).toEqual(unansweredFor('host name not found'))
    const isPrivate = createResolver({ lookup: async () => [{ address: '127.0.0.1', family: 4 }] })
    expect(await attemptByName(url, isPrivate)).toEqual(unansweredFor('address not public'))
    expect(receiver.connections).toBe(0)
  })

  test('is the one that was checked, without a second lookup', async () => {
    const receiver = await receiverThat(respond())
    let asked = 0
    const resolve = createResolver({
      lookup: async host => {
        asked += 1
        expect(host).toBe('receiver.example')
        return [{ address: '127.0.0.1', family: 4 }]
      },
    })
    expect(await attemptAt(receiver, { host: 'receiver.example', resolve })).toMatchObject({ kind: 'delivered' })
    expect(receiver.requests[0]!.headers.host).toBe(`receiver.example:${receiver.port}`)
    expect(asked).toBe(1)
  })

  test('is the next checked one when the first refuses the connection', async () => {
    const receiver = await receiverThat(respond())
    const resolve = foundAt('::1', '127.0.0.1')
    expect(await attemptAt(receiver, { host: 'receiver.example', resolve })).toMatchObject({ kind: 'delivered' })
  })

  test('is never opened for a URL that is not allowed, even if it was stored', async () => {
    const receiver = await receiverThat(respond())
    const urls =
      'http://hooks.example.com/ http://127.0.0.1:PORT/hook https://127.0.0.1:PORT/hook https://2130706433:PORT/hook ' +
      'https://[::1]:PORT/hook https://localhost:PORT/hook https://user@hooks.example.com:PORT/ file:///etc/passwd none'
    for (const url of urls.split(' ')) {
      const outcome = await attemptByName(url.replace('PORT', String(receiver.port)))
      expect([url, outcome]).toEqual([url, unansweredFor('endpoint url not allowed')])
    }
    expect(receiver.connections).toBe(0)
  })
})

describe('the certificate', () => {
  test('is rejected if its issuer is not trusted, and nothing is sent', async () => {
    const receiver = await receiverThat(respond(), certificate)
    expect(await attemptByName(`https://hooks.example.com:${receiver.port}/`)).toEqual(
      unansweredFor('certificate not valid for this host'),
    )
    expect(receiver.requests).toEqual([])
  })

  /** Runs the attempts in a process that trusts the test certificate. A process can only trust it from its start. */
  const attemptsWithTrust = async (...urls: string[]): Promise<AttemptResult[]> => {
    const folder = await mkdtemp(join(tmpdir(), 'certificate-'))
    try {
      await writeFile(join(folder, 'ca.pem'), certificate.cert)
      const program = join(import.meta.dirname, 'attempt-with-trust.ts')
      const trusted = join(folder, 'ca.pem')
      const env = { ...process.env, NODE_EXTRA_CA_CERTS: trusted }
      const { stdout } = await promisify(execFile)(process.execPath, [program, ...urls], { env })
      return JSON.parse(stdout) as AttemptResult[]
    } finally {
      await rm(folder, { recursive: true })
    }
  }

  test('is verified against the host name of the URL, not the address', async () => {
    const receiver = await receiverThat(respond(), certificate)
    const outcomes = await attemptsWithTrust(
      `https://hooks.example.com:${receiver.port}/a`,
      `https://other.example.com:${receiver.port}/b`,
      `https://hooks.example.com:${receiver.port}/c`,
    )
    expect(outcomes).toMatchObject([
      { kind: 'delivered', statusCode: 200 },
      { kind: 'unanswered', error: 'certificate not valid for this host' },
      { kind: 'delivered', statusCode: 200 },
    ])
    expect(receiver.requests.map(request => request.path)).toEqual(['/a', '/c'])
    expect(receiver.requests[0]!.headers.host).toBe(`hooks.example.com:${receiver.port}`)
    expect(new Set(receiver.requests.map(request => request.connection)).size).toBe(1)
  })
})

describe('shutdown', () => {
  test('interrupts an attempt that waits for an answer', async () => {
    const receiver = await receiverThat(hang())
    const shutdown = new AbortController()
    const outcome = attemptAt(receiver, { signal: shutdown.signal, timeoutMs: 30_000 })
    await receiver.waitFor(1)
    shutdown.abort()
    const nothing = { statusCode: null, error: null, responseBody: null }
    expect(await outcome).toEqual({ kind: 'interrupted', durationMs: expect.any(Number), ...nothing })
    await receiver.waitFor(({ openConnections }) => openConnections === 0)
  })

  test('interrupts an attempt that waits for a name lookup, and prevents a new attempt', async () => {
    const shutdown = new AbortController()
    const forever = { timeoutMs: 30_000, signal: shutdown.signal }
    const outcome = attemptByName('https://hooks.example.com/', () => new Promise(() => {}), forever)
    shutdown.abort()
    expect(await outcome).toMatchObject({ kind: 'interrupted' })
    const receiver = await receiverThat(respond())
    expect(await attemptAt(receiver, { signal: AbortSignal.abort() })).toMatchObject({ kind: 'interrupted' })
    expect(receiver.requests).toEqual([])
  })

  test('during the body keeps the outcome', async () => {
    const receiver = await receiverThat(hangAfterHeaders())
    const shutdown = new AbortController()
    const { post } = runtime
    const answering = spyOn(runtime, 'post').mockImplementation(async request => {
      const answer = await post(request)
      shutdown.abort()
      return answer
    })
    try {
      const outcome = await attemptAt(receiver, { signal: shutdown.signal, timeoutMs: 30_000 })
      expect(outcome).toMatchObject({ kind: 'delivered', statusCode: 200 })
    } finally {
      answering.mockRestore()
    }
    await receiver.waitFor(({ openConnections }) => openConnections === 0)
  })
})
