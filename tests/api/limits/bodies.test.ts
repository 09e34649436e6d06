import { describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { parseJsonObject } from '../../../src/api/body.ts'
import { Bodies, type BodyLimits, type Sender } from '../../../src/api/limits/bodies.ts'
import { runSync } from '../../../src/platform/slices.ts'
import { eventually, useWorld } from '../../support/world.ts'

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

const whole = (text: string) =>
  new Request('http://cafe.example/', {
    method: 'POST',
    headers: { 'Content-Length': String(text.length) },
    body: text,
  })

const workspace = (id: string): Sender => ({ kind: 'workspace', id })
const [a, b] = [workspace('a'), workspace('b')]
const anyone = (address: string): Sender => ({ kind: 'anyone', address })

const settled = () => new Promise(resolve => setTimeout(resolve))
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    error => error,
  )
const overloaded = { code: 'internal_error', details: { reason: 'overloaded' }, retryAfterSeconds: 1 }

const kib = 1024
const mib = 1024 * kib

/**
 * Sends whole bodies and returns whether each is accepted. `a*60` are 60 bytes of the workspace `a`, `@192.0.2.1*60` of
 * a caller without a credential, `^192.0.2.1*60` of a callback, `!192.0.2.1*60` of one from an address that sent a valid signature. `-a` releases the last accepted body of a workspace.
 */
const acceptedOf = async (limits: Partial<BodyLimits>, script: string): Promise<string> => {
  const bodies = new Bodies(limits)
  const open = new Map<string, { release(): void }>()
  const seen: string[] = []
  for (const step of script.split(' ')) {
    const [name, size] = step.split('*') as [string, string?]
    if (name.startsWith('-')) open.get(name.slice(1))!.release()
    if (!size) continue
    const address = name.slice(1)
    const sender =
      name[0] === '@'
        ? anyone(address)
        : /[!^]/.test(name[0]!)
          ? ({ kind: 'callbacks', id: 'a', address, isVerified: name[0] === '!' } as const)
          : workspace(name)
    const body = bodies.open(whole('x'.repeat(Number(size))), sender)
    const error = await failure(body.bytes(mib))
    if (error) {
      body.release()
      expect(error).toMatchObject(overloaded)
    } else open.set(name, body)
    seen.push(error ? 'no' : 'yes')
  }
  return seen.join(' ')
}

test.each<[string, Partial<BodyLimits>, script: string, accepted: string]>([
  [
    'have a limit per workspace, which leaves space for others, and a limit in total',
    { maxBytes: 100, maxPerWorkspace: 60, reserved: 0 },
    'a*60 a*1 b*40 c*1 -b c*1',
    'yes no yes no yes',
  ],
  [
    'without a credential have a share per network',
    { maxPerNetwork: 100 },
    '@2001:db8::1*100 @2001:db8::2*1 @2001:db8:0:1::1*100',
    'yes no yes',
  ],
  [
    'without a credential have a share per IPv6 network of 48 bits',
    { maxPerSite: 100 },
    '@2001:db8:5:0::1*50 @2001:db8:5:1::1*50 @2001:db8:5:2::1*1 @2001:db8:6::1*50',
    'yes yes no yes',
  ],
  [
    'without a credential leave space for workspaces, from any number of addresses',
    { maxBytes: 200, maxAnonymous: 100, reservedAnonymous: 0, maxPerNetwork: 60, reserved: 0 },
    '@192.0.2.1*60 @192.0.2.2*40 @192.0.2.3*1 a*100',
    'yes yes no yes',
  ],
  [
    'rejected by one of two limits count in neither',
    { maxBytes: 100, maxAnonymous: 100, reservedAnonymous: 0, reserved: 0 },
    'a*100 @192.0.2.1*50 @192.0.2.1*50 @192.0.2.1*50 -a @192.0.2.1*100',
    'yes no no no yes',
  ],
  [
    'of callbacks have a limit per network address',
    { maxCallbacks: 100, maxPerCallbackNetwork: 50 },
    '^192.0.2.1*50 ^192.0.2.1*1 ^192.0.2.2*50',
    'yes no yes',
  ],
  [
    'of callbacks from addresses without a valid signature leave space for those with one',
    { maxCallbacks: 100, maxPerCallbackNetwork: 50 },
    '^192.0.2.1*50 ^192.0.2.2*50 ^192.0.2.3*1 !192.0.2.4*50 !192.0.2.5*50 !192.0.2.6*1',
    'yes yes no yes yes no',
  ],
  [
    'without a credential have a reserve for addresses that hold few bytes',
    { maxAnonymous: 100, reservedAnonymous: 50, maxSmallAnonymous: 10 },
    '@192.0.2.1*50 @192.0.2.2*11 @192.0.2.2*10 @192.0.2.2*1 @192.0.2.3*10',
    'yes no yes no yes',
  ],
  [
    'of callbacks have a share separate from their workspace',
    { maxCallbacks: 100, maxPerWorkspace: 50 },
    '^192.0.2.1*100 ^192.0.2.1*1 a*50',
    'yes no yes',
  ],
  [
    'have a reserve for senders that hold few bytes',
    { maxBytes: 200, maxPerWorkspace: 100, reserved: 50, maxSmall: 10 },
    'a*100 b*50 c*11 c*10 @192.0.2.1*10',
    'yes yes no yes yes',
  ],
])('bodies %s', async (_, limits, script, accepted) => {
  expect(await acceptedOf(limits, script)).toBe(accepted)
})

test.each(['500', '5000'])('a body shorter than its Content-Length of %s is rejected', async length => {
  const { request, send, end } = arriving({ 'Content-Length': length })
  const read = new Bodies().open(request, a).bytes(mib)
  send('{}')
  end()
  expect(await failure(read)).toMatchObject({ code: 'malformed_request' })
})

describe('bodies in memory', () => {
  const limits = { maxBytes: 100 * kib, maxPerWorkspace: 60 * kib, reserved: 0 }

  test('count while they arrive and until they are released', async () => {
    const bodies = new Bodies(limits)
    const read = async (size: number) => {
      const another = bodies.open(whole('y'.repeat(size)), a)
      return another.bytes(mib).finally(() => another.release())
    }
    const first = arriving()
    const body = bodies.open(first.request, a)
    const reading = body.bytes(mib)
    first.send('x'.repeat(50 * kib))
    await settled()
    expect(await failure(read(20 * kib))).toMatchObject(overloaded)
    first.end()
    expect((await reading).byteLength).toBe(50 * kib)
    expect(await failure(read(20 * kib))).toMatchObject(overloaded)
    body.release()
    body.release()
    expect((await read(60 * kib)).byteLength).toBe(60 * kib)
  })

  test('that are rejected half-way no longer count after release', async () => {
    const bodies = new Bodies(limits)
    const large = arriving()
    const body = bodies.open(large.request, a)
    const reading = failure(body.bytes(40 * kib))
    large.send('x'.repeat(30 * kib))
    large.send('x'.repeat(30 * kib))
    expect(await reading).toMatchObject({ details: { body: 'Must have at most 40 KiB.' } })
    body.release()
    await bodies.open(whole('y'.repeat(60 * kib)), a).bytes(mib)
  })

  test('count 1 KiB before they arrive and their received bytes afterwards', async () => {
    const bodies = new Bodies({ maxBytes: 10_000, reserved: 0 })
    const declared = () => arriving({ 'Content-Length': '8000' })
    const waiting = Array.from({ length: 9 }, declared)
    const reading = waiting.map(({ request }) => failure(bodies.open(request, a).bytes(8000)))
    await settled()
    expect(await failure(bodies.open(declared().request, b).bytes(8000))).toMatchObject(overloaded)
    waiting[0]!.send('x'.repeat(1500))
    await settled()
    expect(await failure(bodies.open(whole('x'.repeat(400)), b).bytes(8000))).toMatchObject(overloaded)
    await bodies.open(whole('x'.repeat(200)), b).bytes(8000)
    for (const { end } of waiting) end()
    for (const error of await Promise.all(reading)) expect(error).toMatchObject({ code: 'malformed_request' })
  })

  test('count at least 256 bytes per chunk, which is the size of its object', async () => {
    const bodies = new Bodies({ maxPerWorkspace: 2000 })
    const inPieces = arriving()
    const reading = failure(bodies.open(inPieces.request, a).bytes(8000))
    for (let n = 0; n < 8; n++) {
      inPieces.send('x')
      await settled()
    }
    expect(await reading).toMatchObject(overloaded)
  })
})

describe('a slow body', () => {
  const close = { Connection: 'close' }

  test.each<[string, Record<string, string>]>([
    ['of unknown length', {}],
    ['of a small declared length', { 'Content-Length': '1000' }],
    ['of a large declared length', { 'Content-Length': '2000' }],
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

  test.each<[string, Partial<BodyLimits>, Sender, seconds: number]>([
    ['its total time is over', { maxIdleMs: 100, maxMs: 400 }, a, 0.4],
    ['its shorter time without a credential is over', { maxAnonymousMs: 50 }, anyone('192.0.2.1'), 0.05],
  ])('is read while parts arrive, and rejected when %s', async (_, limits, sender, seconds) => {
    const slow = arriving()
    const startedAt = performance.now()
    const reading = failure(new Bodies(limits).open(slow.request, sender).bytes(1000))
    const pieces = setInterval(() => slow.send('x'), 20)
    const message = expect.stringContaining(`within ${seconds} seconds`)
    expect(await reading).toMatchObject({ message, headers: close })
    clearInterval(pieces)
    expect(performance.now() - startedAt).toBeGreaterThan(seconds * 1000 - 10)
  })
})

describe('a body that expands when parsed', () => {
  const ofLists = (bytes: number) => `{"data":[${'[],'.repeat((bytes - 15) / 3)}[]]}`

  test('counts its parsed size before it is parsed and until it is released', async () => {
    const bodies = new Bodies()
    const first = bodies.open(whole(ofLists(mib)), a)
    expect(runSync(parseJsonObject(await first.bytes(mib), first))).toMatchObject({ data: expect.any(Array) })
    const second = bodies.open(whole(ofLists(mib)), a)
    const bytes = await second.bytes(mib)
    expect(() => runSync(parseJsonObject(bytes, second))).toThrow('Too many concurrent uploads.')
    const plain = bodies.open(whole(`{"text":"${'x'.repeat(mib - 20)}"}`), a)
    runSync(parseJsonObject(await plain.bytes(mib), plain))
    first.release()
    runSync(parseJsonObject(bytes, second))
  })

  test('of a few hundred bytes is not counted a second time', () => {
    const small = JSON.stringify({ type: 'order.created', data: { items: [{ sku: 'a' }, { sku: 'b' }] } })
    const acquire = () => {
      throw new Error('counted')
    }
    expect(runSync(parseJsonObject(Buffer.from(small), { acquire }))).toMatchObject({ type: 'order.created' })
  })
})

describe('over the wire', () => {
  const world = useWorld()

  test('accepts at most 8 KiB where no credential is needed', async () => {
    const large = `{"email":"${'x'.repeat(9000)}"}`
    const headers = { 'Content-Type': 'application/json' }
    for (const path of ['/v1/auth/sign-in', '/v1/auth/accept-invitation'])
      for (const raw of [large, new Blob([large]).stream()]) {
        const { error } = await world.expect(400, 'POST', path, { as: 'nobody', raw, headers })
        expect(error.details, path).toEqual({ body: 'Must have at most 8 KiB.' })
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
    const startedAt = performance.now()
    const headers = ['X-API-Key', 'Content-Type', 'Content-Length']
    const values = [issued.key, 'application/json', event.length]
    const head = headers.map((name, n) => `${name}: ${values[n]}`).join('\r\n')
    socket.write(`POST /v1/events HTTP/1.1\r\nHost: cafe.example\r\n${head}\r\n\r\n{`)
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
