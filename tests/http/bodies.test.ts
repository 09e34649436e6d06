import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { Type } from '@sinclair/typebox'
import pino from 'pino'
import type { Database } from '../../src/db/client.ts'
import { Admission } from '../../src/db/lend.ts'
import { RefusalLog } from '../../src/domain/refusals/index.ts'
import { Authenticator } from '../../src/http/auth.ts'
import { Bodies, type BodyLimits } from '../../src/http/bodies.ts'
import { jsonObjectOf } from '../../src/http/body.ts'
import { Door } from '../../src/http/door.ts'
import { publicOperation } from '../../src/http/operation.ts'
import { RateLimiter } from '../../src/http/rate-limit.ts'
import { eventually, startWorld, type World } from '../support/world.ts'

/** A body that comes in as the test says. */
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

const settled = () => new Promise(resolve => setTimeout(resolve))
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    error => error,
  )

describe('bodies in hand', () => {
  const limits = { maxBytes: 100, maxShare: 60, maxMs: 60_000 }

  test('are counted as they come in, and until they are released', async () => {
    const bodies = new Bodies(limits)
    const first = arriving()
    const body = bodies.take(first.request, 'a')
    const reading = body.bytes(1000)
    first.send('x'.repeat(50))
    await settled()
    expect(await failure(bodies.take(whole('y'.repeat(20)), 'a').bytes(1000))).toMatchObject({
      code: 'internal_error',
      retryAfterSeconds: 1,
    })
    first.end()
    expect((await reading).byteLength).toBe(50)
    expect(await failure(bodies.take(whole('y'.repeat(20)), 'a').bytes(1000))).toMatchObject({ code: 'internal_error' })
    body.release()
    body.release()
    expect((await bodies.take(whole('y'.repeat(60)), 'a').bytes(1000)).byteLength).toBe(60)
  })

  test('of one workspace leave room for those of others, and all together have a limit', async () => {
    const bodies = new Bodies(limits)
    await bodies.take(whole('x'.repeat(60)), 'a').bytes(1000)
    expect(await failure(bodies.take(whole('x'), 'a').bytes(1000))).toMatchObject({ code: 'internal_error' })
    const other = bodies.take(whole('x'.repeat(40)), 'b')
    await other.bytes(1000)
    expect(await failure(bodies.take(whole('x'), 'c').bytes(1000))).toMatchObject({ code: 'internal_error' })
    other.release()
    await bodies.take(whole('x'), 'c').bytes(1000)
  })

  test('that are refused half-way count no more', async () => {
    const bodies = new Bodies(limits)
    const large = arriving()
    const body = bodies.take(large.request, 'a')
    const reading = failure(body.bytes(40))
    large.send('x'.repeat(30))
    large.send('x'.repeat(30))
    expect(await reading).toMatchObject({ details: { body: expect.stringContaining('larger') } })
    body.release()
    await bodies.take(whole('y'.repeat(60)), 'a').bytes(1000)
  })

  test.each<[string, Record<string, string>]>([
    ['of unknown length', {}],
    ['of a declared length', { 'Content-Length': '1000' }],
  ])('%s must come in in time', async (_, headers) => {
    const bodies = new Bodies({ ...limits, maxMs: 50, maxBytes: 10_000, maxShare: 10_000 })
    const slow = arriving(headers)
    slow.send('x')
    const body = bodies.take(slow.request, 'a')
    expect(await failure(body.bytes(1000))).toMatchObject({
      code: 'malformed_request',
      headers: { Connection: 'close' },
    })
    body.release()
    slow.send('x'.repeat(100))
    await settled()
    await bodies.take(whole('y'.repeat(10_000)), 'a').bytes(10_000)
  })
})

describe('a body that becomes much larger than its text', () => {
  const mib = 1024 * 1024
  const ofLists = (bytes: number) => `{"data":[${'[],'.repeat((bytes - 15) / 3)}[]]}`

  test('counts as what it takes, before it is parsed and until it is released', async () => {
    const bodies = new Bodies()
    const first = bodies.take(whole(ofLists(mib)), 'a')
    expect(jsonObjectOf(await first.bytes(mib), first)).toMatchObject({ data: expect.any(Array) })
    const second = bodies.take(whole(ofLists(mib)), 'a')
    const bytes = await second.bytes(mib)
    expect(() => jsonObjectOf(bytes, second)).toThrow('Too much is being sent')
    const plain = bodies.take(whole(`{"text":"${'x'.repeat(mib - 20)}"}`), 'a')
    jsonObjectOf(await plain.bytes(mib), plain)
    first.release()
    jsonObjectOf(bytes, second)
  })

  test('of several workspaces is parsed as long as there is room for all', async () => {
    const bodies = new Bodies()
    const parse = async (who: string) => {
      const body = bodies.take(whole(ofLists(mib)), who)
      jsonObjectOf(await body.bytes(mib), body)
    }
    for (const who of ['a', 'b', 'c', 'd']) await parse(who)
    expect(await failure(parse('e'))).toMatchObject({ code: 'internal_error', retryAfterSeconds: 1 })
  })

  test('is judged as what it is where it is no JSON at all', async () => {
    const bodies = new Bodies()
    const body = bodies.take(whole(`{"data":[${','.repeat(mib - 20)}]}`), 'a')
    const bytes = await body.bytes(mib)
    expect(() => jsonObjectOf(bytes, body)).toThrow('not valid JSON')
  })

  test('of a few hundred bytes is not counted again', () => {
    const small = JSON.stringify({ type: 'order.created', data: { items: [{ sku: 'a' }, { sku: 'b' }] } })
    const body = {
      holds: () => {
        throw new Error('counted')
      },
    }
    expect(jsonObjectOf(Buffer.from(small), body)).toMatchObject({ type: 'order.created' })
  })
})

const whole = (text: string) => new Request('http://cafe.example/', { method: 'POST', body: text })

describe('the door', () => {
  const sql = (() => {
    throw new Error('a statement')
  }) as unknown as Database
  const lender = new Admission(sql, { places: 1, maxHeldEach: 1, maxWaiting: 1, maxWaitingEach: 1, maxWaitMs: 1000 })
  const opened = (limits: Partial<BodyLimits>) =>
    new Door(
      {
        sql,
        reads: lender,
        changes: lender,
        authenticator: new Authenticator({ recording: sql, chores: sql }, 'http://cafe.example'),
        limiter: new RateLimiter({
          sql,
          signInSql: sql,
          limits: { key: null, person: null, signInTries: null },
          onFailure: () => {},
        }),
        refusals: new RefusalLog(sql, () => {}),
        log: pino({ level: 'silent' }),
        addressOf: () => '127.0.0.1',
        onAnswer: () => {},
      },
      { bodies: limits },
    ).open(
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

  test('refuses with 503 and Retry-After what is beyond the limit, and takes it once there is room', async () => {
    const handle = opened({ maxBytes: 1000, maxShare: 1000 })
    const first = arriving()
    const answer = handle(first.request, {})
    first.send(`{"text":"${'x'.repeat(900)}`)
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

  test('closes the connection of a body that does not come in time', async () => {
    const slow = arriving()
    slow.send('{"text":')
    const answer = await opened({ maxMs: 50 })(slow.request, {})
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

  test('8 KiB are enough for whoever need not say who they are', async () => {
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

  test('whatever 1 MiB consists of, it is taken: alone at once, of many at once after a while', async () => {
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
    for (const key of keys) await eventually('it is taken', async () => [200, 201].includes((await send(key)).status))
  }, 60_000)

  test('a key that is revoked while its body comes in opens nothing', async () => {
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
    await eventually('there is an answer', () => answer.includes('\r\n\r\n'))
    socket.destroy()
    expect(answer).toStartWith('HTTP/1.1 401 ')
    const { data } = await world.expect(200, 'GET', '/v1/events?type=slow')
    expect(data).toEqual([])
  })
})
