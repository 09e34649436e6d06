import { afterEach, expect, test } from 'bun:test'
import { healthProblem } from '../../../src/app/cli/health.ts'
import { readConfig } from '../../../src/config.ts'
import { type HttpServer, startHttpServer } from '../../support/http-server.ts'

const servers: HttpServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop()
})

/** Starts a server that answers every request with this status, or never. Returns its port. */
const answering = async (host: string, status: number | null): Promise<number> => {
  const server = await startHttpServer((_, response) => {
    if (status !== null) response.writeHead(status).end()
  }, host)
  servers.push(server)
  return server.port
}

const asked = (HOST: string, port: number) => healthProblem(readConfig({ HOST, PORT: String(port) }))

test('finds a service on any address, and explains an error status or a missing answer in one sentence', async () => {
  for (const host of ['127.0.0.1', '0.0.0.0', '::1', '::'])
    expect(await asked(host, await answering(host, 200)), host).toBeNull()
  const port = await answering('127.0.0.1', 503)
  const url = `http://127.0.0.1:${port}/healthz`
  expect(await asked('127.0.0.1', port)).toBe(`${url} responded with status 503.`)
  await servers.pop()!.stop()
  expect(await asked('127.0.0.1', port)).toBe(`${url} is not reachable. Check HOST and PORT.`)
})

test('gives up on a hanging service after two seconds', async () => {
  const port = await answering('127.0.0.1', null)
  expect(await asked('127.0.0.1', port)).toBe(`http://127.0.0.1:${port}/healthz did not respond within 2 seconds.`)
})

test('ignores the proxy settings of the environment', async () => {
  const proxy = await answering('127.0.0.1', 502)
  process.env.http_proxy = `http://127.0.0.1:${proxy}`
  const port = await answering('127.0.0.1', 200)
  const problem = await asked('127.0.0.1', port).finally(() => delete process.env.http_proxy)
  expect(problem).toBeNull()
})
