import { describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import pino from 'pino'
import { hashPassword } from '../../src/accounts/users/index.ts'
import { startService } from '../../src/app/index.ts'
import { readConfig } from '../../src/config.ts'
import { type Asking, bearer, eventually, startWorld, unknownId, useWorld, type World } from '../support/world.ts'

const world = useWorld()

test('pages carry X-Request-Id, and an unknown path repeats it in its envelope', async () => {
  for (const path of ['/healthz', '/docs', '/openapi.json', '/nothing']) {
    const { headers, body } = await world.call('GET', path, { as: 'nobody' })
    const id = headers.get('x-request-id')
    expect(id, path).toMatch(/^[0-9a-f-]{36}$/)
    if (path !== '/nothing') continue
    expect(body).toEqual({ error: { code: 'not_found', message: expect.stringContaining('/docs') }, request_id: id })
  }
})

const badKey = { 'X-API-Key': 'ces_nonsense' }

describe('checks run in the documented order', () => {
  const optOut = `/v1/customers/${unknownId}/opt-out`
  const malformed = { raw: '{', headers: { 'Content-Type': 'application/json' } }
  const badCookie = { Cookie: 'session=bad' }
  const invalid: Record<string, string>[] = [badKey, bearer('ses_bad'), badCookie, { Authorization: 'Basic abc' }]
  const rows: [name: string, expected: string, method: string, paths: string[], asking: Asking][] = [
    ...invalid.flatMap((as): typeof rows => [
      ['an invalid credential, before the path', '401 unauthorized', 'GET', ['/v1/nothing'], { as }],
      ['an invalid credential, before the method', '401 unauthorized', 'PUT', ['/v1/events'], { as }],
    ]),
    ['an invalid key, before any path', '401 unauthorized', 'GET', ['/nothing'], { as: badKey }],
    [
      'a valid key outside events and customers, whether or not the path exists',
      '403 forbidden',
      'GET',
      `/v1/api-keys /v1/webhooks /v1/nothing /v1/webhooks/${unknownId} /v1/auth/session /v1/eventsandmore /nothing`.split(
        ' ',
      ),
      { as: 'key' },
    ],
    ['a valid key', '403 forbidden', 'POST', ['/v1/auth/sign-in', '/healthz'], { as: 'key' }],
    ['an unknown path, without a credential', '404 not_found', 'GET', ['/v1/nothing', '/nothing'], { as: 'nobody' }],
    ['an unknown path, with a credential', '404 not_found', 'GET', ['/v1/nothing'], {}],
    ['an unknown path below those of a key', '404 not_found', 'GET', ['/v1/events/a/b/c'], { as: 'key' }],
    ['another method', '405 method_not_allowed', 'PATCH', ['/v1/events'], { as: 'key', body: {} }],
    [
      'no credential, before the body',
      '401 unauthorized',
      'POST',
      ['/v1/events', '/v1/webhooks'],
      { as: 'nobody', raw: '{' },
    ],
    ['no media type', '415 unsupported_media_type', 'POST', [optOut], { as: 'key', raw: '{' }],
    ['a malformed body', '400 malformed_request', 'POST', [optOut], { as: 'key', ...malformed }],
    ['an invalid body', '400 invalid_request reason', 'POST', [optOut], { as: 'key', body: {} }],
    ['an unknown record', '404 not_found', 'POST', [optOut], { as: 'key', body: { reason: 'asked' } }],
  ]
  test.each(rows)('%s: %s', async (_, expected, method, paths, asking) => {
    for (const path of paths) expect(await world.answer(method, path, asking), path).toBe(expected)
  })

  test('a feature that the plan lacks, before the body', async () => {
    const { sql } = world.database
    await sql`insert into plans (id, name, features, allowances) values ('bare', 'Bare', '{"api": false}', '{}')`
    await sql`update workspaces set plan_id = 'bare' where id = ${world.workspaceId}`
    expect(await world.answer('POST', '/v1/events', { as: 'key', raw: '{' })).toBe('403 feature_not_available')
    expect(await world.answer('POST', '/v1/webhooks', { raw: '{' })).toBe('403 feature_not_available')
    await sql`update workspaces set plan_id = 'unlimited' where id = ${world.workspaceId}`
  })
})

describe('an API key', () => {
  test('is shown once, is listed by its first 12 characters, and takes precedence over a session', async () => {
    const issued = await world.expect(201, 'POST', '/v1/api-keys', { body: { name: 'till' } })
    expect(issued.key).toMatch(/^ces_[A-Za-z0-9_-]{43}$/)
    expect(issued).toMatchObject({ name: 'till', prefix: issued.key.slice(0, 12), revoked: null, lastUsedAt: null })
    const { data } = await world.expect(200, 'GET', '/v1/api-keys')
    const { key: _, ...record } = issued
    expect(data[0]).toEqual(record)
    const both = { 'X-API-Key': 'ces_bad', Authorization: `Bearer ${world.owner.token}` }
    expect(await world.answer('GET', '/v1/api-keys', { as: both })).toBe('401 unauthorized')
  })

  test('names the owner who created it, and keeps their id after the account is deleted', async () => {
    const { id, as } = await world.person('owner')
    const key = await world.expect(201, 'POST', '/v1/api-keys', { as, body: { name: 'till' } })
    const { user } = await world.expect(200, 'GET', '/v1/auth/session', { as })
    expect(key.createdBy).toEqual({ id, name: user.name })
    await world.expect(204, 'DELETE', '/v1/auth/user', { as, body: { password: world.owner.password } })
    const { data } = await world.expect(200, 'GET', '/v1/api-keys')
    expect(data.find((one: { id: string }) => one.id === key.id).createdBy).toEqual({ id, name: null })
  })

  test('in the header of a session, or the reverse, is rejected with the name of the correct header', async () => {
    const said = async (as: Record<string, string>) => {
      const { status, body } = await world.call('GET', '/v1/events', { as })
      return `${status} ${body.error.code} ${body.error.message}`
    }
    const { key, owner } = world
    for (const value of [`Bearer ${key.value}`, key.value, `ApiKey ${key.value}`, 'Bearer ces_nonsense'])
      expect(await said({ Authorization: value })).toBe(
        '401 unauthorized This is an API key. Send it in the header X-API-Key, without Bearer.',
      )
    expect(await said({ Cookie: `session=${key.value}` })).toContain('This is an API key.')
    expect(await said({ 'X-API-Key': owner.token })).toBe(
      '401 unauthorized This is a session token. Send it as Authorization: Bearer, without X-API-Key.',
    )
    expect(await said({ Authorization: owner.token })).toBe(
      '401 unauthorized The header Authorization must have the form "Bearer <session token>".',
    )
  })

  test('is rejected from the moment its revocation is answered, and can be revoked again', async () => {
    const { id, key } = await world.expect(201, 'POST', '/v1/api-keys', { body: { name: 'old' } })
    const as = { 'X-API-Key': key }
    expect(await world.answer('GET', `/v1/customers/${unknownId}`, { as })).toBe('404 not_found')
    await world.expect(204, 'DELETE', `/v1/api-keys/${id}`)
    expect(await world.answer('GET', `/v1/customers/${unknownId}`, { as })).toBe('401 unauthorized')
    await world.expect(204, 'DELETE', `/v1/api-keys/${id}`)
    const { data } = await world.expect(200, 'GET', '/v1/api-keys')
    expect(data.find((one: { id: string }) => one.id === id).revoked).toMatch(/Z$/)
  })

  test('has a time of last use, written at least once a minute and when the service stops', async () => {
    const everyMinute: (() => unknown)[] = []
    const { setInterval } = globalThis
    globalThis.setInterval = ((work: (...given: unknown[]) => unknown, ms: number, ...given: unknown[]) => {
      if (ms <= 60_000) everyMinute.push(() => work(...given))
      return setInterval(work, ms, ...given)
    }) as typeof setInterval
    await using other = await startWorld().finally(() => {
      globalThis.setInterval = setInterval
    })
    const issue = () => other.expect(201, 'POST', '/v1/api-keys', { body: { name: 'till' } })
    const [used, usedLast, unused] = [await issue(), await issue(), await issue()]
    const use = async ({ key }: { key: string }) => {
      const from = Date.now()
      await other.expect(404, 'GET', `/v1/customers/${unknownId}`, { as: { 'X-API-Key': key } })
      return [from, Date.now() + 1] as const
    }
    const lastUse = async ({ id }: { id: string }): Promise<string | null> => {
      const { data } = await other.expect(200, 'GET', '/v1/api-keys')
      return data.find((one: { id: string }) => one.id === id).lastUsedAt
    }
    const first = await use(used)
    expect(await lastUse(used)).toBeNull()
    // Runs all work that is scheduled at least once a minute.
    for (const work of everyMinute) work()
    expect(Date.parse((await eventually('the use is recorded', () => lastUse(used)))!)).toBeWithin(...first)

    const last = await use(usedLast)
    await other.restart()
    expect(Date.parse((await lastUse(usedLast))!)).toBeWithin(...last)
    expect(Date.parse((await lastUse(used))!)).toBeWithin(...first)
    expect(await lastUse(unused)).toBeNull()
  })

  test('needs a name of 1 to 100 characters, and is listed in pages, newest first', async () => {
    const issue = (body: object) => world.answer('POST', '/v1/api-keys', { body })
    for (const name of ['', '   ', 'x'.repeat(101)]) expect(await issue({ name })).toBe('400 invalid_request name')
    for (const name of ['0', '1', 'x'.repeat(100)]) expect(await issue({ name })).toBe('201')
    const names = (await world.pages('/v1/api-keys?limit=2')).flat().map(key => key.name)
    expect(names.slice(0, 3)).toEqual(['x'.repeat(100), '1', '0'])
  })
})

describe('a session', () => {
  test('starts by e-mail and password, works as token or cookie, and ends with sign-out', async () => {
    const { email, password } = world.owner
    const reply = await world.call('POST', '/v1/auth/sign-in', {
      as: 'nobody',
      body: { email: email.toUpperCase(), password },
    })
    expect(reply.status).toBe(200)
    expect(reply.body).toMatchObject({
      user: { email },
      workspace: { id: world.workspaceId, name: 'Shop' },
      role: 'owner',
    })
    const cookie = reply.headers.get('set-cookie')!
    expect(cookie).toMatch(/^session=ses_[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Expires=/)
    const as = { Cookie: cookie.split(';')[0]! }
    const { token: _, ...session } = reply.body
    expect(await world.expect(200, 'GET', '/v1/auth/session', { as })).toEqual({ ...session, token: null })
    await world.expect(204, 'POST', '/v1/auth/sign-out', { as: bearer(reply.body.token) })
    expect(await world.answer('GET', '/v1/auth/session', { as })).toBe('401 unauthorized')
  })

  test('that has ended does not keep its user from signing in again, as token or as cookie', async () => {
    const { email, password } = world.owner
    const ways: Record<string, string>[] = [bearer('ses_ended'), { Cookie: 'session=ses_ended' }]
    for (const as of ways) {
      const { token } = await world.expect(200, 'POST', '/v1/auth/sign-in', { as, body: { email, password } })
      await world.expect(200, 'GET', '/v1/auth/session', { as: bearer(token) })
      const invited = `p-${crypto.randomUUID()}@shop.example`
      const { invitation } = await world.expect(201, 'POST', '/v1/members', { body: { email: invited, role: 'agent' } })
      const body = { token: invitation.token, name: 'Ben', password }
      await world.expect(200, 'POST', '/v1/auth/accept-invitation', { as, body })
    }
    const answer = await world.answer('POST', '/v1/auth/sign-in', { as: badKey, body: { email, password } })
    expect(answer).toBe('401 unauthorized')
  })

  test('by cookie writes only from the same origin', async () => {
    const as = { Cookie: `session=${world.owner.token}` }
    const write = (more = {}) =>
      world.answer('POST', '/v1/api-keys', { as: { ...as, ...more }, body: { name: 'page' } })
    expect(await write()).toBe('403 forbidden')
    expect(await write({ Origin: 'https://evil.example' })).toBe('403 forbidden')
    expect(await write({ Origin: world.url })).toBe('201')
  })

  test('rejects a wrong address and a wrong password with the same message', async () => {
    const errorFor = async (email: string) =>
      (await world.expect(401, 'POST', '/v1/auth/sign-in', { as: 'nobody', body: { email, password: 'wrong' } })).error
    expect(await errorFor('nobody@shop.example')).toEqual(await errorFor(world.owner.email))
  })

  test('takes equally long to reject a wrong address and a wrong password', async () => {
    const msOf = async (email: string) => {
      const startedAt = performance.now()
      await world.expect(401, 'POST', '/v1/auth/sign-in', { as: 'nobody', body: { email, password: 'wrong' } })
      return performance.now() - startedAt
    }
    // The owner of a test world has a hash that is fast to verify.
    const known = 'known@shop.example'
    const passwordHash = await hashPassword(world.owner.password)
    await world.database.sql`insert into users (email, name, password_hash) values (${known}, 'Known', ${passwordHash})`
    const times: { known: number[]; unknown: number[] } = { known: [], unknown: [] }
    // Alternates between both, so that other load on the machine slows both equally.
    for (let i = 0; i < 5; i++) {
      times.known.push(await msOf(known))
      times.unknown.push(await msOf(`nobody-${i}@shop.example`))
    }
    const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[2]!
    const ratio = median(times.unknown) / median(times.known)
    expect(ratio, JSON.stringify(times)).toBeWithin(0.5, 2)
  })

  test('with a workspace that the user is not in is 404', async () => {
    const as = { ...bearer(world.owner.token), 'X-Workspace-Id': unknownId }
    expect(await world.answer('GET', '/v1/api-keys', { as })).toBe('404 not_found')
    await world.expect(200, 'GET', '/v1/api-keys', { as: { ...as, 'X-Workspace-Id': world.workspaceId } })
  })
})

/** Sends a request over a bare socket with any path and Host. `null` sends HTTP/1.0, which needs no Host. */
const askWithHost = (
  host: string | null,
  path: string,
  method = 'GET',
  headers: Record<string, string> = bearer(world.owner.token),
  body = '',
  localAddress = '127.0.0.1',
  { url }: World = world,
) =>
  new Promise<string>((resolve, reject) => {
    const lines = [`${method} ${path} HTTP/${host === null ? '1.0' : '1.1'}`, 'Connection: close']
    if (host !== null) lines.push(`Host: ${host}`)
    for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
    let received = ''
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress }, () =>
      socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`),
    )
    socket.on('data', chunk => {
      received += chunk
    })
    socket.on('end', () => resolve(received))
    socket.on('error', reject)
  })

test.each([
  ['/v1/customers/%zz', 404],
  ['/v1/customers#part', 200],
  ['/v1/customers/%00', 404],
  ['/v1/customers/a%2Fb', 404],
  ['//v1/api-keys', 404],
  ['/V1/api-keys', 404],
  ['/aa/v1/api-keys', 404],
  ['/v1/api-keys/', 200],
  ['/v1/api-keys?limit=1#x', 200],
])('the unusual path %s is answered with %d and the envelope', async (path, status) => {
  for (const host of ['localhost', 'x']) {
    const text = await askWithHost(host, path)
    expect(text).toStartWith(`HTTP/1.1 ${status} `)
    expect(text.toLowerCase()).toContain('x-request-id: ')
    if (status === 404) expect(text).toContain('"code":"not_found"')
  }
})

test('dots in a path are resolved before the key is authorized', async () => {
  for (const path of ['/v1/events/../api-keys', '/v1/customers/%2e%2e/api-keys'])
    expect(await askWithHost('x', path, 'GET', { 'X-API-Key': world.key.value }), path).toStartWith('HTTP/1.1 403 ')
})

test('a request without a Host reaches only the path it names', async () => {
  expect(await askWithHost(null, '/healthz')).toContain(' 200 ')
  expect(await askWithHost(null, '/v1/api-keys')).toContain(' 200 ')
  expect(await askWithHost(null, '/v1/abcd/v1/api-keys')).toContain(' 404 ')
})

test('a Host that is not valid in a URL is ignored', async () => {
  const cookie = { Cookie: `session=${world.owner.token}`, Origin: 'https://elsewhere.example' }
  for (const host of ['a:b:c', 'x:99999', '[::1', 'a b', '%', 'x@y', '?', '#', 'ü']) {
    expect(await askWithHost(host, '/v1/events?limit=1'), host).toContain(' 200 ')
    expect(await askWithHost(host, '/v1/nothing?a#b'), host).toContain(' 404 ')
    expect(await askWithHost(host, '/v1/auth/sign-out', 'POST', cookie), host).toContain(' 403 ')
  }
})

test.each(['x', '[::1', 'a b'])('with the Host %s a chunked body is answered, at any size', async host => {
  const megabytes = `${(1_300_000).toString(16)}\r\n${'x'.repeat(1_300_000)}\r\n0\r\n\r\n`
  const key = { 'X-API-Key': world.key.value, 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' }
  expect(await askWithHost(host, '/v1/events', 'POST', key, megabytes)).toStartWith('HTTP/1.1 400 ')
  const event = JSON.stringify({ type: 'a', phone: '+4915112345678', data: { text: 'x'.repeat(1_000_000) } })
  const inChunks = `${event.length.toString(16)}\r\n${event}\r\n0\r\n\r\n`
  expect(await askWithHost(host, '/v1/events', 'POST', key, inChunks)).toStartWith('HTTP/1.1 201 ')
})

test('a sign-in attempt counts for the address of its caller with any Host', async () => {
  await using strict = await startWorld({ RATE_LIMIT_SIGN_IN: '1' })
  const body = JSON.stringify({ email: 'nobody@invented.example', password: 'no such password' })
  const headers = { 'Content-Type': 'application/json', 'Content-Length': String(body.length) }
  const tryFrom = (from: string, host: string) =>
    askWithHost(host, '/v1/auth/sign-in', 'POST', headers, body, from, strict)
  expect(await tryFrom('127.0.0.2', 'cafe.example')).toStartWith('HTTP/1.1 401 ')
  expect(await tryFrom('127.0.0.2', '[::1')).toStartWith('HTTP/1.1 429 ')
  expect(await tryFrom('127.0.0.3', 'x')).toStartWith('HTTP/1.1 401 ')
})

test('HEAD answers like GET, without a body', async () => {
  const { status, headers, body } = await world.call('HEAD', '/v1/api-keys')
  expect([status, headers.get('content-type'), body]).toEqual([200, 'application/json', ''])
})

test('a process of the role worker serves health and metrics, and no API', async () => {
  const worker = await startService({
    config: readConfig({ PORT: '0', ROLES: 'worker' }),
    databaseUrl: world.database.url,
    log: pino({ level: 'silent' }),
  })
  try {
    const ask = (path: string) => fetch(`http://127.0.0.1:${worker.port}${path}`)
    for (const path of ['/healthz', '/readyz', '/metrics']) expect((await ask(path)).status, path).toBe(200)
    const refused = await ask('/v1/api-keys')
    expect(refused.status).toBe(404)
    expect(await refused.json()).toMatchObject({
      error: { code: 'not_found' },
      request_id: refused.headers.get('x-request-id'),
    })
  } finally {
    await worker.stop()
  }
})
