import { afterEach, expect, test } from 'bun:test'
import { healthProblem } from '../../src/cli/health.ts'
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

const asked = (HOST: string, port: number) => healthProblem(readConfig({ HOST, PORT: String(port) }))

test.each(['127.0.0.1', '0.0.0.0', '::1', '::'])('a service that listens on %s is found', async host => {
  expect(await asked(host, answering(host, 200))).toBeNull()
})

test('one that answers anything but well, or not at all, is not, and why is said in a sentence', async () => {
  const port = answering('127.0.0.1', 503)
  const url = `http://127.0.0.1:${port}/healthz`
  expect(await asked('127.0.0.1', port)).toBe(`${url} was answered with 503.`)
  servers.pop()!.stop(true)
  expect(await asked('127.0.0.1', port)).toBe(`${url} was not answered: no service can be reached there (HOST, PORT).`)
})

test('one that hangs is not, after two seconds', async () => {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Promise<Response>(() => {}) })
  servers.push(server)
  expect(await asked('127.0.0.1', server.port!)).toBe(
    `http://127.0.0.1:${server.port}/healthz was not answered within 2 seconds.`,
  )
})

test('no proxy of the environment is asked instead', async () => {
  const proxy = answering('127.0.0.1', 502)
  process.env.http_proxy = `http://127.0.0.1:${proxy}`
  const problem = await asked('127.0.0.1', answering('127.0.0.1', 200)).finally(() => delete process.env.http_proxy)
  expect(problem).toBeNull()
})
