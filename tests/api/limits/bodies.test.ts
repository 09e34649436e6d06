import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { Type } from '@sinclair/typebox'
import pino from 'pino'
import { Authenticator } from '../../../src/api/auth.ts'
import { parseJsonObject } from '../../../src/api/body.ts'
import { Bodies, type Body, type BodyLimits, type Sender } from '../../../src/api/limits/bodies.ts'
import { RateLimiter } from '../../../src/api/limits/rate-limit.ts'
import { publicOperation } from '../../../src/api/operation.ts'
import { Pipeline } from '../../../src/api/pipeline.ts'
import { RejectedRequestLog } from '../../../src/events/rejected-requests/index.ts'
import type { Database } from '../../../src/platform/postgres/client.ts'
import { limitedPool } from '../../../src/platform/postgres/limited-pool.ts'
import { eventually, startWorld, type World } from '../../support/world.ts'

/** Returns a request whose body arrives when the test sends it. */
const arriving = (headers: Record<string, string> = {}) => {
  let controller!: ReadableStreamDefaultController<Uint8Array>
  const body = new ReadableStream<Uint8Array>({
    start: given => {
      controller = given
    },
  })
  const request = new Request('http://cafe.example/', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
    duplex: 'half',
  } as RequestInit)
  return {
    request,
    send: (text: string) => controller.enqueue(new TextEncoder().encode(text)),
    end: () => controller.close(),
  }
}

const workspace = (id: string): Sender => ({ kind: 'workspace', id })
const [a, b, c, d] = [workspace('a'), workspace('b'), workspace('c'), workspace('d')]
const anyone = (address: string): Sender => ({ kind: 'anyone', address })

const settled = () => new Promise(resolve => setTimeout(resolve))
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    error => error,
  )

/** Returns why a body was rejected, and releases the body. */
const failureOf = async (body: Body): Promise<unknown> => {
  const error = await failure(body.bytes(mib))
  body.release()
  return error
}

const kib = 1024
const mib = 1024 * kib

describe('bodies in memory', () => {
  const limits = { maxBytes: 100 * kib, maxPerWorkspace: 60 * kib, reserved: 0 }

  test('count while they arrive and until they are released', async () => {
    const bodies = new Bodies(limits)
    const first = arriving()
    const body = bodies.open(first.request, a)
    const reading = body.bytes(mib)
    first.send('x'.repeat(50 * kib))
    await settled()
    expect(await failureOf(bodies.open(whole('y'.repeat(20 * kib)), a))).toMatchObject({
      code: 'internal_error',
      details: { reason: 'overloaded' },
      retryAfterSeconds: 1,
    })
    first.end()
    expect((await reading).byteLength).toBe(50 * kib)
    expect(await failureOf(bodies.open(whole('y'.repeat(20 * kib)), a))).toMatchObject({ code: 'internal_error' })
    body.release()
    body.release()
    expect((await bodies.open(whole('y'.repeat(60 * kib)), a).bytes(mib)).byteLength).toBe(60 * kib)
  })

  test('have a limit per workspace, which leaves space for others, and a limit in total', async () => {
    const bodies = new Bodies(limits)
    await bodies.open(whole('x'.repeat(60 * kib)), a).bytes(mib)
    expect(await failure(bodies.open(whole('x'), a).bytes(mib))).toMatchObject({ code: 'internal_error' })
    const other = bodies.open(whole('x'.repeat(40 * kib)), b)
    await other.bytes(mib)
    expect(await failure(bodies.open(whole('x'), c).bytes(mib))).toMatchObject({ code: 'internal_error' })
    other.release()
    await bodies.open(whole('x'), c).bytes(mib)
  })

  test('that are rejected half-way no longer count after release', async () => {
    const bodies = new Bodies(limits)
    const large = arriving()
    const body = bodies.open(large.request, a)
    const reading = failure(body.bytes(40 * kib))
    large.send('x'.repeat(30 * kib))
    large.send('x'.repeat(30 * kib))
    expect(await reading).toMatchObject({ details: { body: expect.stringContaining('larger') } })
    body.release()
    await bodies.open(whole('y'.repeat(60 * kib)), a).bytes(mib)
  })

  test('count 1 KiB before they arrive and their received bytes afterwards', async () => {
    const bodies = new Bodies({ maxBytes: 10_000, reserved: 0 })
    const declared = () => arriving({ 'Content-Length': '8000' })
    const waiting = Array.from({ length: 9 }, declared)
    const reading = waiting.map(({ request }) => failure(bodies.open(request, a).bytes(8000)))
    await settled()
    expect(await failure(bodies.open(declared().request, b).bytes(8000))).toMatchObject({ code: 'internal_error' })
    waiting[0]!.send('x'.repeat(1500))
    await settled()
    expect(await failure(bodies.open(whole('x'.repeat(400)), b).bytes(8000))).toMatchObject({ code: 'internal_error' })
    await bodies.open(whole('x'.repeat(200)), b).bytes(8000)
    for (const { end } of waiting) end()
    expect(await Promise.all(reading)).toEqual(Array(9).fill(null))
  })

  test('count at least 256 bytes per chunk, which is the size of its object', async () => {
    const bodies = new Bodies({ maxPerWorkspace: 2000 })
    const inPieces = arriving()
    const reading = failure(bodies.open(inPieces.request, a).bytes(8000))
    for (let n = 0; n < 8; n++) {
      inPieces.send('x')
      await settled()
    }
    expect(await reading).toMatchObject({ code: 'internal_error' })
  })

  test('without a credential have a share per network', async () => {
    const bodies = new Bodies({ maxPerNetwork: 100 })
    await bodies.open(whole('x'.repeat(100)), anyone('2001:db8::1')).bytes(1000)
    const near = bodies.open(whole('x'), anyone('2001:db8::2'))
    expect(await failure(near.bytes(1000))).toMatchObject({ code: 'internal_error' })
    await bodies.open(whole('x'.repeat(100)), anyone('2001:db8:0:1::1')).bytes(1000)
  })

  test('without a credential have a share per IPv6 network of 48 bits', async () => {
    const bodies = new Bodies({ maxPerSite: 100 })
    for (const network of ['0', '1'])
      await bodies.open(whole('x'.repeat(50)), anyone(`2001:db8:5:${network}::1`)).bytes(1000)
    expect(await failureOf(bodies.open(whole('x'), anyone('2001:db8:5:2::1')))).toMatchObject({
      code: 'internal_error',
    })
    await bodies.open(whole('x'.repeat(50)), anyone('2001:db8:6::1')).bytes(1000)
  })

  test('without a credential leave space for workspaces, from any number of addresses', async () => {
    const bodies = new Bodies({ maxBytes: 200, maxAnonymous: 100, maxPerNetwork: 60, reserved: 0 })
    await bodies.open(whole('x'.repeat(60)), anyone('192.0.2.1')).bytes(1000)
    await bodies.open(whole('x'.repeat(40)), anyone('192.0.2.2')).bytes(1000)
    expect(await failureOf(bodies.open(whole('x'), anyone('192.0.2.3')))).toMatchObject({ code: 'internal_error' })
    await bodies.open(whole('x'.repeat(100)), a).bytes(1000)
  })

  test('rejected by one of two limits count in neither', async () => {
    const bodies = new Bodies({ maxBytes: 100, maxAnonymous: 100, reserved: 0 })
    const full = bodies.open(whole('x'.repeat(100)), a)
    await full.bytes(1000)
    for (let n = 0; n < 3; n++)
      expect(await failureOf(bodies.open(whole('x'.repeat(50)), anyone('192.0.2.1')))).not.toBeNull()
    full.release()
    await bodies.open(whole('x'.repeat(100)), anyone('192.0.2.1')).bytes(1000)
  })

  test('from callbacks have a limit per network address', async () => {
    const bodies = new Bodies({ maxCallbacks: 100, maxPerCallbackNetwork: 50 })
    const from = (address: string): Sender => ({ kind: 'callbacks', id: 'a', address })
    await bodies.open(whole('x'.repeat(50)), from('192.0.2.1')).bytes(1000)
    expect(await failureOf(bodies.open(whole('x'), from('192.0.2.1')))).toMatchObject({ code: 'internal_error' })
    await bodies.open(whole('x'.repeat(50)), from('192.0.2.2')).bytes(1000)
  })

  test('from callbacks have a share separate from their workspace', async () => {
    const bodies = new Bodies({ maxCallbacks: 100, maxPerWorkspace: 50 })
    const callbacks: Sender = { kind: 'callbacks', id: 'a', address: '192.0.2.1' }
    await bodies.open(whole('x'.repeat(100)), callbacks).bytes(1000)
    expect(await failure(bodies.open(whole('x'), callbacks).bytes(1000))).toMatchObject({ code: 'internal_error' })
    await bodies.open(whole('x'.repeat(50)), a).bytes(1000)
  })

  test('have a reserve for senders that hold few bytes', async () => {
    const bodies = new Bodies({ maxBytes: 200, maxPerWorkspace: 100, reserved: 50, maxSmall: 10 })
    await bodies.open(whole('x'.repeat(100)), a).bytes(1000)
    await bodies.open(whole('x'.repeat(50)), b).bytes(1000)
    expect(await failure(bodies.open(whole('x'.repeat(11)), c).bytes(1000))).toMatchObject({ code: 'internal_error' })
    await bodies.open(whole('x'.repeat(10)), c).bytes(1000)
    await bodies.open(whole('x'.repeat(10)), anyone('192.0.2.1')).bytes(1000)
  })
})

describe('a slow body', () => {
  const ofUnknownLength = {}
  const small = { 'Content-Length': '1000' }
  const large = { 'Content-Length': '2000' }
  const close = { Connection: 'close' }

  test.each<[string, Record<string, string>]>([
    ['of unknown length', ofUnknownLength],
    ['of a small declared length', small],
    ['of a large declared length', large],
  ])('%s is rejected when no part of it arrives', async (_, headers) => {
    const bodies = new Bodies({ maxIdleMs: 50, maxPerWorkspace: 10_000 })
    const slow = arriving(headers)
    slow.send('x')
    const body = bodies.open(slow.request, a)
    expect(await failure(body.bytes(2000))).toMatchObject({
      code: 'malformed_request',
      message: expect.stringContaining('No part of the body'),
      headers: close,
    })
    body.release()
    slow.send('x'.repeat(100))
    await settled()
    await bodies.open(whole('y'.repeat(10_000)), a).bytes(10_000)
  })

  test('is read while parts arrive, and rejected when its total time is over', async () => {
    const bodies = new Bodies({ maxIdleMs: 100, maxMs: 400 })
    const slow = arriving()
    const reading = failure(bodies.open(slow.request, a).bytes(1000))
    const startedAt = performance.now()
    const pieces = setInterval(() => slow.send('x'), 20)
    expect(await reading).toMatchObject({ message: expect.stringContaining('within 0.4 seconds'), headers: close })
    clearInterval(pieces)
    expect(performance.now() - startedAt).toBeGreaterThan(390)
  })

  test('has less time without a credential', async () => {
    const bodies = new Bodies({ maxAnonymousMs: 50 })
    const slow = arriving()
    const reading = failure(bodies.open(slow.request, anyone('192.0.2.1')).bytes(1000))
    const pieces = setInterval(() => slow.send('x'), 10)
    expect(await reading).toMatchObject({ message: expect.stringContaining('within 0.05 seconds'), headers: close })
    clearInterval(pieces)
  })
})

describe('a body that expands when parsed', () => {
  const ofLists = (bytes: number) => `{"data":[${'[],'.repeat((bytes - 15) / 3)}[]]}`

  test('counts its parsed size before it is parsed and until it is released', async () => {
    const bodies = new Bodies()
    const first = bodies.open(whole(ofLists(mib)), a)
    expect(parseJsonObject(await first.bytes(mib), first)).toMatchObject({ data: expect.any(Array) })
    const second = bodies.open(whole(ofLists(mib)), a)
    const bytes = await second.bytes(mib)
    expect(() => parseJsonObject(bytes, second)).toThrow('Too many concurrent uploads.')
    const plain = bodies.open(whole(`{"text":"${'x'.repeat(mib - 20)}"}`), a)
    parseJsonObject(await plain.bytes(mib), plain)
    first.release()
    parseJsonObject(bytes, second)
  })

  test('is parsed for several workspaces while the total is under the limit', async () => {
    const bodies = new Bodies()
    const parse = async (who: Sender) => {
      const body = bodies.open(whole(ofLists(mib)), who)
      parseJsonObject(await body.bytes(mib), body)
    }
    for (const who of [a, b, c]) await parse(who)
    expect(await failure(parse(d))).toMatchObject({ code: 'internal_error', retryAfterSeconds: 1 })
  })

  test('is rejected as invalid JSON when it is not JSON', async () => {
    const bodies = new Bodies()
    const body = bodies.open(whole(`{"data":[${','.repeat(mib - 20)}]}`), a)
    const bytes = await body.bytes(mib)
    expect(() => parseJsonObject(bytes, body)).toThrow('not valid JSON')
  })

  test('is not counted a second time when it has only a few hundred bytes', () => {
    const small = JSON.stringify({ type: 'order.created', data: { items: [{ sku: 'a' }, { sku: 'b' }] } })
    const body = {
      acquire: () => {
        throw new Error('counted')
      },
    }
    expect(parseJsonObject(Buffer.from(small), body)).toMatchObject({ type: 'order.created' })
  })
})

const whole = (text: string) =>
  new Request('http://cafe.example/', {
    method: 'POST',
    headers: { 'Content-Length': String(text.length) },
    body: text,
  })

describe('the pipeline', () => {
  const sql = (() => {
    throw new Error('a statement')
  }) as unknown as Database
  const pool = limitedPool(sql, { total: 1, maxWaiting: 1, maxWaitMs: 1000 })
  const opened = (limits: Partial<BodyLimits>) =>
    new Pipeline(
      {
        sql,
        reads: pool,
        changes: pool,
        authenticator: new Authenticator({ recording: sql, chores: sql }, 'http://cafe.example'),
        limiter: new RateLimiter({
          sql,
          signInSql: sql,
          limits: { key: null, person: null, signInAttempts: null },
          onFailure: () => {},
        }),
        rejectedRequests: new RejectedRequestLog(sql, () => {}),
        log: pino({ level: 'silent' }),
        addressOf: () => '127.0.0.1',
        onResponse: () => {},
      },
      { bodies: limits },
    ).handlerFor(
      publicOperation({
        method: 'POST',
        path: '/',
        id: 'echo',
        tag: 'Tests',
        summary: 'Echo',
        access: 'anyone',
        body: Type.Object({ text: Type.String() }),
        answers: { 200: { description: 'The same.' } },
        handle: async ({ body }) => ({ status: 200, body }),
      }),
    )

  test('rejects a body over the limit with 503 and Retry-After, and accepts it after a release', async () => {
    const handle = opened({ maxPerNetwork: 4 * kib })
    const first = arriving()
    const answer = handle(first.request, {})
    first.send(`{"text":"${'x'.repeat(3500)}`)
    await settled()
    const second = arriving()
    second.send(`{"text":"${'y'.repeat(200)}"}`)
    const refused = await handle(second.request, {})
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(await refused.json()).toMatchObject({ error: { code: 'internal_error' } })
    first.send('"}')
    first.end()
    expect((await answer).status).toBe(200)
    const third = arriving()
    third.send(`{"text":"${'y'.repeat(200)}"}`)
    third.end()
    expect((await handle(third.request, {})).status).toBe(200)
  })

  test('closes the connection of a body that does not arrive in time', async () => {
    const slow = arriving()
    slow.send('{"text":')
    const answer = await opened({ maxAnonymousMs: 50 })(slow.request, {})
    expect(answer.status).toBe(400)
    expect(answer.headers.get('connection')).toBe('close')
    expect(await answer.json()).toMatchObject({ error: { code: 'malformed_request' } })
  })
})

describe('over the wire', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld()
  })
  afterAll(() => world.stop())

  test('accepts at most 8 KiB where no credential is needed', async () => {
    for (const path of ['/v1/auth/sign-in', '/v1/auth/accept-invitation']) {
      const large = await world.call('POST', path, { as: 'nobody', body: { email: 'x'.repeat(8 * 1024) } })
      expect(large.body.error.details, path).toEqual({ body: 'Is larger than 8 KiB.' })
      const inChunks = new Blob(['{"email":"', 'x'.repeat(9000)]).stream()
      const headers = { 'Content-Type': 'application/json' }
      const streamed = await world.call('POST', path, { as: 'nobody', raw: inChunks, headers })
      expect(streamed.body.error.details, path).toEqual({ body: 'Is larger than 8 KiB.' })
    }
    const password = '\u{1f511}'.repeat(1000)
    const longest = await world.call('POST', '/v1/auth/sign-in', { as: 'nobody', body: { email: 'a@b', password } })
    expect(longest.status).toBe(401)
  })

  test('accepts any valid body of 1 MiB: alone immediately, and eight concurrent ones after retries', async () => {
    const lists = '[],'.repeat(349_000)
    const send = (key: string) =>
      world.call('POST', '/v1/events', {
        as: 'key',
        headers: { 'Content-Type': 'application/json' },
        raw: `{"type":"lists","phone":"+4915112345670","idempotencyKey":"${key}","data":{"a":[${lists}[]]}}`,
      })
    expect((await send('alone')).status).toBe(201)
    const keys = Array.from({ length: 8 }, (_, n) => `lists-${n}`)
    const replies = await Promise.all(keys.map(send))
    for (const { status, headers } of replies)
      if (status !== 201) expect([status, headers.get('retry-after')]).toEqual([503, '1'])
    for (const key of keys)
      await eventually('it is accepted', async () => [200, 201].includes((await send(key)).status))
  }, 60_000)

  test('rejects a key that is revoked while its body arrives', async () => {
    const issued = await world.expect(201, 'POST', '/v1/api-keys', { body: { name: 'slow' } })
    const event = JSON.stringify({ type: 'slow', phone: '+4915112345678' })
    const socket = connect(Number(new URL(world.url).port), '127.0.0.1')
    let answer = ''
    socket.on('data', piece => {
      answer += piece
    })
    const head = `Host: cafe.example\r\nX-API-Key: ${issued.key}\r\nContent-Type: application/json`
    const startedAt = performance.now()
    socket.write(`POST /v1/events HTTP/1.1\r\n${head}\r\nContent-Length: ${event.length}\r\n\r\n{`)
    await world.expect(204, 'DELETE', `/v1/api-keys/${issued.id}`)
    await eventually('the body has taken longer than a second', () => performance.now() - startedAt > 1300)
    socket.write(event.slice(1))
    await eventually('a response has arrived', () => answer.includes('\r\n\r\n'))
    socket.destroy()
    expect(answer).toStartWith('HTTP/1.1 401 ')
    const { data } = await world.expect(200, 'GET', '/v1/events?type=slow')
    expect(data).toEqual([])
  })
})
