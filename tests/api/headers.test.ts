/** Tests of the response headers for browsers, proxies and callers without a credential. */
import { expect, test } from 'bun:test'
import { type Asking, bearer, newPhone, startWorld, useWorld } from '../support/world.ts'

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

// The first one, because the table below ends the session.
test('a long answer to GET is compressed if the caller accepts it; others never are', async () => {
  const events = Array.from({ length: 50 }, () => ({
    type: 'order.created',
    phone: newPhone(),
    data: { orderId: crypto.randomUUID(), items: ['Lamp'] },
  }))
  await world.expect(200, 'POST', '/v1/events/batch', { as: 'key', body: { events } })
  const ask = (path: string, acceptEncoding: string, options: RequestInit = {}) => {
    const headers = { ...bearer(world.owner.token), ...options.headers, 'Accept-Encoding': acceptEncoding }
    return fetch(world.url + path, { ...options, headers, decompress: false })
  }
  const encodingOf = async (...asking: Parameters<typeof ask>) => (await ask(...asking)).headers.get('content-encoding')

  const list = '/v1/events?limit=50'
  const compressed = await ask(list, 'br, gzip')
  const [zipped, plain] = [await compressed.bytes(), await (await ask(list, 'identity')).bytes()]
  expect(Buffer.from(Bun.gunzipSync(zipped))).toEqual(Buffer.from(plain))
  expect(zipped.length).toBeLessThan(plain.length / 3)
  expect(Object.fromEntries(compressed.headers)).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' })
  expect((await ask(list, 'identity')).headers.get('vary')).toBe('Accept-Encoding')
  expect([await encodingOf(list, 'br'), await encodingOf(list, 'gzip;q=0, *')]).toEqual([null, null])
  expect(await encodingOf(list, 'gzip', { method: 'HEAD' })).toBeNull()
  expect(await encodingOf('/v1/events?limit=1', 'gzip')).toBeNull()
  const json = { 'Content-Type': 'application/json' }
  const again = { method: 'POST', headers: json, body: JSON.stringify({ events }) }
  expect(await encodingOf('/v1/events/batch', 'gzip', again)).toBeNull()
  const stream = await ask('/v1/stream', 'gzip')
  expect([stream.status, stream.headers.get('content-encoding')]).toEqual([200, null])
  await stream.body!.cancel()
})

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
