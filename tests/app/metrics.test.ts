/** Tests of the token and the separate port of the metrics. */
import { expect, test } from 'bun:test'
import { bearer, startWorld } from '../support/world.ts'

const METRICS_TOKEN = 'a-token-of-sixteen-or-more'

test('METRICS_TOKEN restricts the metrics to callers with that token', async () => {
  await using world = await startWorld({ METRICS_TOKEN, ROLES: 'http' })
  const others = [{}, bearer('another-token-altogether'), bearer(world.owner.token), { Authorization: METRICS_TOKEN }]
  for (const as of others) {
    const { status, body, headers } = await world.call('GET', '/metrics', { as })
    const message = 'Send the token of METRICS_TOKEN as Authorization: Bearer.'
    expect([status, body.error]).toEqual([401, { code: 'unauthorized', message }])
    expect(body.request_id).toBe(headers.get('x-request-id'))
    expect(headers.get('www-authenticate')).toStartWith('Bearer')
  }
  const { status, body } = await world.call('GET', '/metrics', { as: bearer(METRICS_TOKEN) })
  expect([status, body]).toEqual([200, expect.stringContaining('process_uptime_seconds')])
})

test('METRICS_PORT serves only the metrics, which are not served elsewhere', async () => {
  await using world = await startWorld({ METRICS_PORT: '0', METRICS_TOKEN, ROLES: 'http' })
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${world.service.metricsPort}${path}`, { headers: bearer(METRICS_TOKEN), ...init })
  expect((await world.call('GET', '/metrics', { as: 'nobody' })).status).toBe(404)
  expect((await world.call('GET', '/healthz', { as: 'nobody' })).status).toBe(200)
  const metrics = await ask('/metrics?a=b')
  expect([metrics.status, metrics.headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(await metrics.text()).toContain('process_uptime_seconds')
  expect((await ask('/metrics', { headers: {} })).status).toBe(401)
  expect((await ask('/metrics', { method: 'POST' })).headers.get('allow')).toBe('GET, HEAD')
  for (const path of ['/', '/healthz', '/v1/customers', '/metrics/x']) expect((await ask(path)).status, path).toBe(404)
})
