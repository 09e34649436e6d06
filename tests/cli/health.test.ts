import { afterEach, expect, test } from 'bun:test'
import { health } from '../../src/cli/health.ts'
import { readConfig } from '../../src/config.ts'

const servers: { stop(now: boolean): unknown }[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.stop(true)
})

/** Something that answers every request with this status; answers its port. */
const answering = (hostname: string, status: number): number => {
  const server = Bun.serve({ hostname, port: 0, fetch: () => new Response(null, { status }) })
  servers.push(server)
  return server.port!
}

const asked = (HOST: string, port: number) => health(readConfig({ HOST, PORT: String(port) }))

test.each(['127.0.0.1', '0.0.0.0', '::1', '::'])('a service that listens on %s is found', async host => {
  expect(await asked(host, answering(host, 200))).toBe(0)
})

test('one that answers anything but well, or not at all, is not', async () => {
  const port = answering('127.0.0.1', 503)
  expect(await asked('127.0.0.1', port)).toBe(1)
  servers.pop()!.stop(true)
  expect(await asked('127.0.0.1', port)).toBe(1)
})
