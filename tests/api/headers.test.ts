/** Tests of the response headers for browsers, proxies and callers without a credential. */
import { expect, test } from 'bun:test'
import { type Asking, startWorld, useWorld } from '../support/world.ts'

const world = useWorld()

const json = { 'Content-Type': 'application/json' }
const rows: [status: number, method: string, path: string, asking: Asking][] = [
  [200, 'GET', '/v1/customers', {}],
  [200, 'HEAD', '/v1/customers', {}],
  [201, 'POST', '/v1/customers', { body: { phone: '+4915112345600' } }],
  [400, 'POST', '/v1/customers', { raw: '{', headers: json }],
  [401, 'GET', '/v1/customers', { as: 'nobody' }],
  [401, 'GET', '/v1/customers', { as: { 'X-API-Key': 'ces_bad' } }],
  [401, 'GET', '/v1/nothing', { as: { Authorization: 'Bearer ses_bad' } }],
  [401, 'POST', '/v1/auth/sign-in', { as: 'nobody', body: { email: 'x@shop.example', password: 'no such' } }],
  [403, 'GET', '/v1/members', { as: 'key' }],
  [404, 'GET', '/v1/nothing', { as: 'nobody' }],
  [405, 'PUT', '/v1/events', { as: 'nobody' }],
  // The last one, because it ends the session.
  [204, 'POST', '/v1/auth/sign-out', {}],
]

test.each(rows)(
  '%i %s %s is not cached, not sniffed, sends no referrer, and a 401 names the scheme',
  async (status, method, path, asking) => {
    const { status: answered, headers } = await world.call(method, path, asking)
    expect(answered).toBe(status)
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
    expect(headers.get('strict-transport-security')).toBeNull()
    const scheme = 'Bearer realm="Customer Engagement Service"'
    expect(headers.get('www-authenticate')).toBe(status === 401 ? scheme : null)
  },
)

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
  await using behindHttps = await startWorld({ PUBLIC_URL: 'https://engage.example.com' })
  for (const path of ['/v1/customers', '/v1/nothing', '/docs', '/healthz']) {
    const { headers } = await behindHttps.call('GET', path)
    expect(headers.get('strict-transport-security'), path).toBe('max-age=31536000')
  }
})
