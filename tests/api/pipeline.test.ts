import { describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import pino from 'pino'
import { hashPassword } from '../../src/accounts/users/index.ts'
import { startService } from '../../src/app/index.ts'
import { readConfig } from '../../src/config.ts'
import { eventually, startWorld, unknownId, useWorld, type World } from '../support/world.ts'

const world = useWorld()

describe('every response', () => {
  test('carries X-Request-Id, and an error repeats it in its envelope', async () => {
    const good = await world.call('GET', '/v1/api-keys')
    expect(good.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    const bad = await world.call('GET', '/v1/nothing')
    expect(bad.body).toEqual({
      error: { code: 'not_found', message: expect.any(String) },
      request_id: bad.headers.get('x-request-id'),
    })
    for (const page of ['/healthz', '/docs', '/openapi.json']) {
      expect((await world.call('GET', page, { as: 'nobody' })).headers.get('x-request-id'), page).toMatch(
        /^[0-9a-f-]{36}$/,
      )
    }
  })
})

describe('checks run in the documented order', () => {
  const badKey = { 'X-API-Key': 'ces_nonsense' }
  const staleSession = { Authorization: 'Bearer ses_nonsense' }

  test('401 for an invalid credential, before the path is checked', async () => {
    for (const as of [badKey, staleSession, { Cookie: 'session=nonsense' }, { Authorization: 'Basic abc' }]) {
      expect(await world.answer('GET', '/v1/nothing', { as })).toBe('401 unauthorized')
      expect(await world.answer('PUT', '/v1/events', { as })).toBe('401 unauthorized')
    }
  })

  test('403 for a valid key outside events and customers, whether or not the path exists', async () => {
    for (const path of [
      '/v1/api-keys',
      '/v1/webhooks',
      '/v1/nothing',
      `/v1/webhooks/${unknownId}`,
      '/v1/auth/session',
    ]) {
      expect(await world.answer('GET', path, { as: 'key' }), path).toBe('403 forbidden')
    }
    expect(await world.answer('POST', '/v1/auth/sign-in', { as: 'key', body: {} })).toBe('403 forbidden')
    expect(await world.answer('GET', '/v1/eventsandmore', { as: 'key' })).toBe('403 forbidden')
  })

  test('404 for an unknown path, with or without a credential, and for a key under its own paths', async () => {
    expect(await world.answer('GET', '/v1/nothing', { as: 'nobody' })).toBe('404 not_found')
    expect(await world.answer('GET', '/v1/nothing')).toBe('404 not_found')
    expect(await world.answer('GET', '/v1/events/a/b/c', { as: 'key' })).toBe('404 not_found')
    expect((await world.call('GET', '/nothing', { as: 'nobody' })).body.error.message).toContain('/docs')
  })

  test('405 names the allowed methods', async () => {
    const reply = await world.call('PUT', '/v1/webhooks', { as: 'nobody' })
    expect(reply.status).toBe(405)
    expect(reply.body.error.code).toBe('method_not_allowed')
    expect(reply.headers.get('allow')).toBe('GET, HEAD, POST')
    expect(await world.answer('PATCH', '/v1/events', { as: 'key', body: {} })).toBe('405 method_not_allowed')
    expect(await world.answer('POST', '/healthz', { as: 'nobody' })).toBe('405 method_not_allowed')
    const page = await world.call('POST', '/', { as: 'nobody' })
    expect([page.status, page.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  test('401 without a credential, before the body is read', async () => {
    expect(await world.answer('POST', '/v1/events', { as: 'nobody', raw: '{' })).toBe('401 unauthorized')
    expect(await world.answer('POST', '/v1/webhooks', { as: 'nobody', raw: '{' })).toBe('401 unauthorized')
  })

  test('415, then malformed_request, then invalid_request, then 404 for the record', async () => {
    const optOut = `/v1/customers/${unknownId}/opt-out`
    expect(await world.answer('POST', optOut, { as: 'key', raw: '{' })).toBe('415 unsupported_media_type')
    const json = { 'Content-Type': 'application/json' }
    expect(await world.answer('POST', optOut, { as: 'key', raw: '{', headers: json })).toBe('400 malformed_request')
    expect(await world.answer('POST', optOut, { as: 'key', body: {} })).toBe('400 invalid_request reason')
    expect(await world.answer('POST', optOut, { as: 'key', body: { reason: 'asked' } })).toBe('404 not_found')
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

  test('in the header of a session, or the reverse, is rejected with the name of the correct header', async () => {
    const said = async (as: Record<string, string>) => {
      const { status, body } = await world.call('GET', '/v1/events', { as })
      return `${status} ${body.error.code} ${body.error.message}`
    }
    expect(await said({ Authorization: `Bearer ${world.key.value}` })).toBe(
      '401 unauthorized This is an API key. Send it in the header X-API-Key, without Bearer.',
    )
    expect(await said({ Authorization: 'Bearer ces_nonsense' })).toBe(await said({ Authorization: world.key.value }))
    expect(await said({ 'X-API-Key': world.owner.token })).toBe(
      '401 unauthorized This is a session token. Send it as Authorization: Bearer, without X-API-Key.',
    )
    expect(await said({ Authorization: world.owner.token })).toBe(
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
    const other = await startWorld().finally(() => {
      globalThis.setInterval = setInterval
    })
    try {
      const issue = () => other.expect(201, 'POST', '/v1/api-keys', { body: { name: 'till' } })
      const [used, usedLast, unused] = [await issue(), await issue(), await issue()]
      const use = async ({ key }: { key: string }) => {
        const from = Date.now()
        await other.expect(404, 'GET', `/v1/customers/${unknownId}`, { as: { 'X-API-Key': key } })
        return { from, until: Date.now() }
      }
      const lastUse = async ({ id }: { id: string }): Promise<string | null> => {
        const { data } = await other.expect(200, 'GET', '/v1/api-keys')
        return data.find((one: { id: string }) => one.id === id).lastUsedAt
      }
      const { from, until } = await use(used)
      expect(await lastUse(used)).toBeNull()
      // Runs all work that is scheduled at least once a minute.
      for (const work of everyMinute) work()
      expect(Date.parse((await eventually('the use is recorded', () => lastUse(used)))!)).toBeWithin(from, until + 1)
      expect(await lastUse(unused)).toBeNull()

      const { from: fromLast, until: untilLast } = await use(usedLast)
      await other.restart()
      expect(Date.parse((await lastUse(usedLast))!)).toBeWithin(fromLast, untilLast + 1)
      expect(Date.parse((await lastUse(used))!)).toBeWithin(from, until + 1)
      expect(await lastUse(unused)).toBeNull()
    } finally {
      await other.stop()
    }
  })

  test('needs a name of 1 to 100 characters', async () => {
    for (const body of [
      {},
      { name: '' },
      { name: '   ' },
      { name: 'x'.repeat(101) },
      { name: 7 },
      { name: 'a', role: 'owner' },
    ]) {
      expect(await world.answer('POST', '/v1/api-keys', { body }), JSON.stringify(body)).toStartWith(
        '400 invalid_request',
      )
    }
    await world.expect(201, 'POST', '/v1/api-keys', { body: { name: 'x'.repeat(100) } })
  })

  test('is listed in pages, newest first', async () => {
    for (let i = 0; i < 3; i++) await world.expect(201, 'POST', '/v1/api-keys', { body: { name: `page ${i}` } })
    const names = (await world.pages('/v1/api-keys?limit=2')).flat().map(key => key.name)
    expect(names.slice(0, 3)).toEqual(['page 2', 'page 1', 'page 0'])
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
    expect(cookie).toContain('HttpOnly')
    expect(cookie).toContain('SameSite=Lax')
    expect(cookie).not.toContain('Secure')
    const as = { Cookie: cookie.split(';')[0]! }
    const { token: _, ...session } = reply.body
    expect(await world.expect(200, 'GET', '/v1/auth/session', { as })).toEqual(session)
    await world.expect(204, 'POST', '/v1/auth/sign-out', { as: { Authorization: `Bearer ${reply.body.token}` } })
    expect(await world.answer('GET', '/v1/auth/session', { as })).toBe('401 unauthorized')
  })

  test.each([
    ['https://engage.example.com', true],
    ['http://engage.example.com', false],
  ])('has a cookie, which with the public URL %s has Secure set to %p', async (publicUrl, secure) => {
    await using other = await startWorld({ PUBLIC_URL: publicUrl })
    const { email, password } = other.owner
    const asking = { as: 'nobody', body: { email, password } } as const
    const signedIn = await other.call('POST', '/v1/auth/sign-in', asking)
    const signedOut = await other.call('POST', '/v1/auth/sign-out', {
      as: { Authorization: `Bearer ${signedIn.body.token}` },
    })
    for (const { headers } of [signedIn, signedOut]) {
      const [cookie, ...attributes] = headers.get('set-cookie')!.split('; ')
      expect(cookie).toStartWith(secure ? '__Host-session=' : 'session=')
      expect(attributes.includes('Secure')).toBe(secure)
      expect(attributes).toEqual(expect.arrayContaining(['HttpOnly', 'SameSite=Lax', 'Path=/']))
    }
  })

  test('that has ended does not keep its user from signing in again, as token or as cookie', async () => {
    const { email, password } = world.owner
    const ways: Record<string, string>[] = [{ Authorization: 'Bearer ses_ended' }, { Cookie: 'session=ses_ended' }]
    for (const ended of ways) {
      expect(await world.answer('GET', '/v1/auth/session', { as: ended })).toBe('401 unauthorized')
      const { token } = await world.expect(200, 'POST', '/v1/auth/sign-in', { as: ended, body: { email, password } })
      await world.expect(200, 'GET', '/v1/auth/session', { as: { Authorization: `Bearer ${token}` } })
      const invited = `p-${crypto.randomUUID()}@shop.example`
      const { invitation } = await world.expect(201, 'POST', '/v1/members', { body: { email: invited, role: 'agent' } })
      const joining = { token: invitation.token, name: 'Ben', password }
      await world.expect(200, 'POST', '/v1/auth/accept-invitation', { as: ended, body: joining })
    }
    const badKey = { 'X-API-Key': 'ces_nonsense' }
    expect(await world.answer('POST', '/v1/auth/sign-in', { as: badKey, body: { email, password } })).toBe(
      '401 unauthorized',
    )
  })

  test('by cookie writes only from the same origin', async () => {
    const as = { Cookie: `session=${world.owner.token}` }
    const body = { name: 'from the page' }
    expect(await world.answer('POST', '/v1/api-keys', { as, body })).toBe('403 forbidden')
    expect(await world.answer('POST', '/v1/api-keys', { as: { ...as, Origin: 'https://evil.example' }, body })).toBe(
      '403 forbidden',
    )
    await world.expect(201, 'POST', '/v1/api-keys', { as: { ...as, Origin: world.url }, body })
  })

  test('rejects a wrong address and a wrong password with the same message', async () => {
    const wrongPassword = await world.call('POST', '/v1/auth/sign-in', {
      as: 'nobody',
      body: { email: world.owner.email, password: 'wrong' },
    })
    const wrongAddress = await world.call('POST', '/v1/auth/sign-in', {
      as: 'nobody',
      body: { email: 'nobody@shop.example', password: 'wrong' },
    })
    expect(wrongPassword.status).toBe(401)
    expect(wrongAddress.status).toBe(401)
    expect(wrongAddress.body.error).toEqual(wrongPassword.body.error)
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
    for (let i = 0; i < 7; i++) {
      times.known.push(await msOf(known))
      times.unknown.push(await msOf(`nobody-${i}@shop.example`))
    }
    const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[3]!
    const ratio = median(times.unknown) / median(times.known)
    expect(ratio, JSON.stringify(times)).toBeWithin(0.5, 2)
  })

  test('with a workspace that the user is not in is 404', async () => {
    const as = { Authorization: `Bearer ${world.owner.token}`, 'X-Workspace-Id': unknownId }
    expect(await world.answer('GET', '/v1/api-keys', { as })).toBe('404 not_found')
    await world.expect(200, 'GET', '/v1/api-keys', { as: { ...as, 'X-Workspace-Id': world.workspaceId } })
  })
})

describe('limits', () => {
  test('429 with Retry-After for a key over its burst, and for the eleventh sign-in attempt', async () => {
    await using limited = await startWorld({ RATE_LIMIT_KEY: '1/3', RATE_LIMIT_SIGN_IN: '10' })
    const statuses: number[] = []
    for (let i = 0; i < 5; i++)
      statuses.push((await limited.call('GET', `/v1/customers/${unknownId}`, { as: 'key' })).status)
    expect(statuses).toEqual([404, 404, 404, 429, 429])
    const refused = await limited.call('GET', `/v1/customers/${unknownId}`, { as: 'key' })
    expect(refused.body.error.code).toBe('rate_limited')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)

    const body = { email: 'guess@shop.example', password: 'wrong' }
    const tries = await Promise.all(
      Array.from({ length: 11 }, () => limited.call('POST', '/v1/auth/sign-in', { as: 'nobody', body })),
    )
    expect(tries.map(({ status }) => status).sort()).toEqual([...Array(10).fill(401), 429])
  })

  test('403 feature_not_available where the plan lacks the capability', async () => {
    const { sql } = world.database
    await sql`insert into plans (id, name, features, allowances) values ('bare', 'Bare', '{"api": false}', '{}')`
    await sql`update workspaces set plan_id = 'bare' where id = ${world.workspaceId}`
    try {
      expect(await world.answer('POST', '/v1/events', { as: 'key', raw: '{' })).toBe('403 feature_not_available')
      expect(await world.answer('POST', '/v1/webhooks', { body: {} })).toBe('403 feature_not_available')
    } finally {
      await sql`update workspaces set plan_id = 'unlimited' where id = ${world.workspaceId}`
    }
  })
})

test('a short host name does not shift the path', async () => {
  const response = await fetch(`${world.url}/aa/v1/api-keys`, {
    headers: { Host: 'x', Authorization: `Bearer ${world.owner.token}` },
  })
  expect(response.status).toBe(404)
  const good = await fetch(`${world.url}/v1/api-keys`, {
    headers: { Host: 'x', Authorization: `Bearer ${world.owner.token}` },
  })
  expect(good.status).toBe(200)
})

/** Sends the path unchanged over a socket, because clients normalise paths. Returns the whole response. */
const getAsWritten = (path: string, credential: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let received = ''
    const socket = connect(Number(new URL(world.url).port), '127.0.0.1', () =>
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${credential}\r\nConnection: close\r\n\r\n`),
    )
    socket.on('data', chunk => {
      received += chunk
    })
    socket.on('end', () => resolve(received))
    socket.on('error', reject)
  })

describe('unusual paths', () => {
  test.each([
    ['/v1/customers/%zz', 404],
    ['/v1/customers#part', 200],
    ['/v1/customers/%00', 404],
    ['/v1/customers/a%2Fb', 404],
    ['//v1/api-keys', 404],
    ['/V1/api-keys', 404],
    ['/v1/api-keys/', 200],
    ['/v1/api-keys?limit=1#x', 200],
  ])('%s is answered with %d and the envelope', async (path, status) => {
    const text = await getAsWritten(path, `Authorization: Bearer ${world.owner.token}`)
    expect(text).toStartWith(`HTTP/1.1 ${status} `)
    expect(text.toLowerCase()).toContain('x-request-id: ')
    if (status === 404) expect(text).toContain('"code":"not_found"')
  })
})

test('dots in a path are resolved before the key is authorized', async () => {
  for (const path of ['/v1/events/../api-keys', '/v1/customers/%2e%2e/api-keys']) {
    expect(await getAsWritten(path, `X-API-Key: ${world.key.value}`), path).toStartWith('HTTP/1.1 403 ')
  }
})

/** Sends a request over a bare socket with any Host. `null` sends HTTP/1.0, which needs no Host. */
const askWithHost = (
  host: string | null,
  path: string,
  method = 'GET',
  headers: Record<string, string> = { Authorization: `Bearer ${world.owner.token}` },
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

test('outside /v1 an invalid key is rejected before the path, and a valid key reaches nothing', async () => {
  expect(await world.answer('GET', '/nothing', { as: { 'X-API-Key': 'ces_bad' } })).toBe('401 unauthorized')
  expect(await world.answer('GET', '/nothing', { as: 'key' })).toBe('403 forbidden')
  expect(await world.answer('POST', '/healthz', { as: 'key' })).toBe('403 forbidden')
  expect(await world.answer('GET', '/nothing', { as: 'nobody' })).toBe('404 not_found')
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
