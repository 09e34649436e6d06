/** Tests of the response headers for browsers, proxies and callers without a credential. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startWorld, type World } from '../support/world.ts'

let world: World
let behindHttps: World
beforeAll(async () => {
  ;[world, behindHttps] = await Promise.all([startWorld(), startWorld({ PUBLIC_URL: 'https://engage.example.com' })])
})
afterAll(async () => {
  await world.stop()
  await behindHttps.stop()
})

const answers: [string, number, Parameters<World['call']>[0], string, Parameters<World['call']>[2]][] = [
  ['a list', 200, 'GET', '/v1/customers', {}],
  ['its head', 200, 'HEAD', '/v1/customers', {}],
  ['a new record', 201, 'POST', '/v1/customers', { body: { phone: '+4915112345600' } }],
  ['an answer without a body', 204, 'POST', '/v1/auth/sign-out', {}],
  [
    'a body that is no JSON',
    400,
    'POST',
    '/v1/customers',
    { raw: '{', headers: { 'Content-Type': 'application/json' } },
  ],
  ['a missing credential', 401, 'GET', '/v1/customers', { as: 'nobody' }],
  ['a key where none opens anything', 403, 'GET', '/v1/members', { as: 'key' }],
  ['an unknown path', 404, 'GET', '/v1/nothing', { as: 'nobody' }],
  ['a method that is not possible', 405, 'PUT', '/v1/events', { as: 'nobody' }],
]

describe.each(answers)('%s', (_, status, method, path, asking) => {
  test(`${status}: is not cached, is not sniffed, and sends no referrer`, async () => {
    // Signing out uses a separate session, because it ends the session.
    const { email, password } = world.owner
    const token =
      path === '/v1/auth/sign-out'
        ? (await world.expect(200, 'POST', '/v1/auth/sign-in', { as: 'nobody', body: { email, password } })).token
        : null
    const reply = await world.call(method, path, {
      ...asking,
      ...(token && { as: { Authorization: `Bearer ${token}` } }),
    })
    expect(reply.status).toBe(status)
    expect(reply.headers.get('cache-control')).toBe('no-store')
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
    expect(reply.headers.get('referrer-policy')).toBe('no-referrer')
    expect(reply.headers.get('strict-transport-security')).toBeNull()
  })
})

test('only 401 names the scheme of a credential', async () => {
  const asked: [number, string, string, Parameters<World['call']>[2]][] = [
    [401, 'GET', '/v1/customers', { as: 'nobody' }],
    [401, 'GET', '/v1/customers', { as: { 'X-API-Key': 'ces_bad' } }],
    [401, 'GET', '/v1/nothing', { as: { Authorization: 'Bearer ses_bad' } }],
    [
      401,
      'POST',
      '/v1/auth/sign-in',
      { as: 'nobody', body: { email: 'x@shop.example', password: 'no such password' } },
    ],
    [403, 'GET', '/v1/members', { as: 'key' }],
    [200, 'GET', '/v1/customers', {}],
  ]
  for (const [status, method, path, asking] of asked) {
    const reply = await world.call(method, path, asking)
    expect(reply.status, path).toBe(status)
    expect(reply.headers.get('www-authenticate'), path).toBe(
      status === 401 ? 'Bearer realm="Customer Engagement Service"' : null,
    )
  }
})

test('pages are not sniffed, documentation can be cached, and health and metrics cannot', async () => {
  for (const path of ['/healthz', '/readyz', '/metrics', '/openapi.json', '/docs', '/docs/docs.css']) {
    const { headers } = await world.call('GET', path, { as: 'nobody' })
    expect(headers.get('x-content-type-options'), path).toBe('nosniff')
    expect(headers.get('referrer-policy'), path).toBe('no-referrer')
    const isOfTheMoment = ['/healthz', '/readyz', '/metrics'].includes(path)
    expect(headers.get('cache-control') === 'no-store', path).toBe(isOfTheMoment)
  }
})

test('every response has Strict-Transport-Security behind HTTPS', async () => {
  for (const path of ['/v1/customers', '/v1/nothing', '/docs', '/healthz']) {
    const { headers } = await behindHttps.call('GET', path)
    expect(headers.get('strict-transport-security'), path).toBe('max-age=31536000')
  }
})
