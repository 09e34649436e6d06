import { afterEach, expect, test } from 'bun:test'
import { startWorld, type World } from '../support/world.ts'

const undo: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

const worldWith = async (settings: Record<string, string>): Promise<World> => {
  const world = await startWorld(settings)
  undo.push(() => world.stop())
  return world
}

const token = 'a-token-of-sixteen-or-more'
const bearer = (value: string) => ({ Authorization: `Bearer ${value}` })

test('METRICS_TOKEN restricts the metrics to callers with that token', async () => {
  const world = await worldWith({ METRICS_TOKEN: token, ROLES: 'http' })
  for (const as of [{}, bearer('another-token-altogether'), bearer(world.owner.token), { Authorization: token }]) {
    const { status, body, headers } = await world.call('GET', '/metrics', { as })
    expect(status).toBe(401)
    expect(body.error).toEqual({
      code: 'unauthorized',
      message: 'Send the token of METRICS_TOKEN as Authorization: Bearer.',
    })
    expect(body.request_id).toBe(headers.get('x-request-id'))
    expect(headers.get('www-authenticate')).toStartWith('Bearer')
  }
  const told = await world.call('GET', '/metrics', { as: bearer(token) })
  expect(told.status).toBe(200)
  expect(told.body).toContain('process_uptime_seconds')
})

test('METRICS_PORT serves only the metrics, which are not served elsewhere', async () => {
  const world = await worldWith({ METRICS_PORT: '0', METRICS_TOKEN: token, ROLES: 'http' })
  const { metricsPort } = world.service
  expect((await world.call('GET', '/metrics', { as: 'nobody' })).status).toBe(404)
  expect((await world.call('GET', '/healthz', { as: 'nobody' })).status).toBe(200)
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${metricsPort}${path}`, { headers: bearer(token), ...init })
  const told = await ask('/metrics?a=b')
  expect([told.status, told.headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(await told.text()).toContain('process_uptime_seconds')
  expect((await ask('/metrics', { headers: {} })).status).toBe(401)
  expect((await ask('/metrics', { method: 'POST' })).headers.get('allow')).toBe('GET, HEAD')
  for (const path of ['/', '/healthz', '/v1/customers', '/metrics/x']) expect((await ask(path)).status, path).toBe(404)
})
