/**
 * Tests the runtime features that the service needs, in every runtime. `../webhooks/deliveries/attempt.test.ts` tests the
 * sending of deliveries.
 */
import { afterEach, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { createServer as createTlsServer } from 'node:tls'
import { runtime, type Server } from '../../src/platform/runtime.ts'
import { selfSignedCertificate } from '../support/certificate.ts'
import { startHttpServer } from '../support/http-server.ts'
import { closeBeforeAnswer, redirect, respond, startReceiver } from '../support/receiver.ts'
import { eventually } from '../support/world.ts'

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop(true)
})

type Handler = (request: Request) => Promise<Response>
const serving = (fetch: Handler, keepAliveMs = 75_000): { server: Server; url: string } => {
  const server = runtime.serve({ host: '127.0.0.1', port: 0, keepAliveMs, fetch })
  servers.push(server)
  return { server, url: `http://127.0.0.1:${server.port}` }
}

/** Sends a request over a socket. `seen` has the answer so far, and the times when the connection ended and closed. */
const request = (port: number) => {
  const socket = connect(port, '127.0.0.1')
  const seen = { answer: '', isEnded: false, closedAt: null as number | null, answeredAt: 0 }
  socket.on('data', chunk => {
    seen.answer += chunk
    seen.answeredAt = performance.now()
  })
  socket.on('end', () => {
    seen.isEnded = true
  })
  socket.on('close', () => {
    seen.closedAt = performance.now()
  })
  socket.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
  return { socket, seen }
}

/** Returns a handler that answers after `release`. */
const blocked = () => {
  const [started, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const handler = async () => {
    started.resolve()
    await release.promise
    return new Response('answered')
  }
  return { handler, started: started.promise, release: release.resolve }
}

describe('a server', () => {
  test('knows the network address of a request, and answers 500 after an error in the handler', async () => {
    const { server, url } = serving(async request => new Response(server.addressOf(request)))
    expect(await (await fetch(url)).text()).toBe('127.0.0.1')
    const failing = serving(() => Promise.reject(new Error('on purpose')))
    expect((await fetch(failing.url)).status).toBe(500)
  })

  test('answers and counts in-flight requests during a stop, and accepts no new ones', async () => {
    const { handler, started, release } = blocked()
    const { server, url } = serving(handler)
    expect(server.pending).toBe(0)
    const answer = fetch(url)
    await started
    expect(server.pending).toBe(1)
    const stopped = server.stop()
    await eventually('no connection is accepted', () => refuses(server.port))
    expect(await Promise.race([stopped, 'not yet'])).toBe('not yet')
    release()
    expect(await (await answer).text()).toBe('answered')
    await stopped
    expect(server.pending).toBe(0)
  })

  test('does not wait for in-flight requests during a forced stop', async () => {
    const { handler, started, release } = blocked()
    const { server, url } = serving(handler)
    const answer = fetch(url).catch(() => null)
    await started
    await server.stop(true)
    release()
    await answer
  })

  test('sends Connection: close with an answer, and under Bun ends the connection itself', async () => {
    const { server } = serving(async () => new Response('answered', { headers: { Connection: 'close' } }))
    const { socket, seen } = request(server.port)
    await eventually('the response has arrived', () => seen.answer.endsWith('answered'))
    expect(seen.answer.toLowerCase()).toContain('connection: close\r\n')
    if ('Bun' in globalThis) await eventually('the connection is ended', () => seen.isEnded)
    socket.destroy()
  })

  test('cannot have a port in use or an address of another machine, and the error has a code for it', async () => {
    const { server } = serving(async () => new Response())
    const errorOf = (host: string, port: number) => {
      try {
        servers.push(runtime.serve({ host, port, keepAliveMs: 75_000, fetch: async () => new Response() }))
      } catch (error) {
        return error
      }
    }
    expect(errorOf('127.0.0.1', server.port)).toMatchObject({ code: 'EADDRINUSE' })
    expect(errorOf('192.0.2.1', 0)).toMatchObject({ code: 'EADDRNOTAVAIL' })
  })
})

test('a pinned POST uses the given TLS server name regardless of the header Host', async () => {
  const asked: string[] = []
  const server = createTlsServer({
    ...selfSignedCertificate('hooks.example.com'),
    SNICallback: (name, answer) => {
      asked.push(name)
      answer(null)
    },
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as { port: number }
  const url = `https://127.0.0.1:${port}/`
  const headers = { Host: 'other.example.com' }
  const signal = AbortSignal.timeout(5000)
  const post = runtime.post({ url, serverName: 'hooks.example.com', headers, body: '{}', signal })
  // No authority signed the certificate. Every network error has a code.
  await expect(post).rejects.toHaveProperty('code', 'DEPTH_ZERO_SELF_SIGNED_CERT')
  expect(asked).toEqual(['hooks.example.com'])
  server.close()
})
describe('a request to a host name', () => {
  const asking = { headers: {}, signal: AbortSignal.timeout(10_000) }

  test('sends method, headers and body, and does not follow redirects', async () => {
    const receiver = await startReceiver({ behaviour: redirect('http://127.0.0.1:9/') })
    const request = { ...asking, url: receiver.url, headers: { 'X-Said': 'hello' } }
    expect((await runtime.fetchOnce({ ...request, method: 'POST', body: 'grüß dich' })).status).toBe(302)
    expect((await runtime.fetchOnce({ ...request, method: 'GET' })).status).toBe(302)
    const posted = { method: 'POST', path: '/hook', body: 'grüß dich', headers: { 'x-said': 'hello' } }
    expect(receiver.requests).toMatchObject([posted, { method: 'GET', body: '' }])
    await receiver.stop()
  })

  test('uses a new connection, and is not repeated if it ends without an answer', async () => {
    const receiver = await startReceiver()
    receiver.behave(respond(), respond(), closeBeforeAnswer(), respond())
    const ask = async () => {
      const answer = await runtime.fetchOnce({ ...asking, method: 'POST', url: receiver.url, body: 'x' })
      return new TextDecoder().decode(await answer.arrayBuffer())
    }
    expect([await ask(), await ask()]).toEqual(['ok', 'ok'])
    await expect(ask()).rejects.toHaveProperty('code', 'ECONNRESET')
    expect(receiver.requests).toHaveLength(3)
    expect(receiver.connections).toBe(3)
    await receiver.stop()
  })
})

describe('a call on this machine', () => {
  test('sends method, headers and body, and returns the answer', async () => {
    const server = await startHttpServer(async (request, response) => {
      const said = `${request.method} ${request.url} ${request.headers['x-said']} ${await text(request)}`
      response.writeHead(418, { 'X-Answer': 'yes' }).end(said)
    })
    const options = { method: 'PUT', headers: { 'X-Said': 'hello' }, body: 'grüß dich' }
    const response = await runtime.fetchDirectly(`http://127.0.0.1:${server.port}/a?b=c`, options)
    expect([response.status, response.headers.get('x-answer')]).toEqual([418, 'yes'])
    expect(await response.text()).toBe('PUT /a?b=c hello grüß dich')
    await server.stop()
  })

  test('rejects with the reason of its signal', async () => {
    const server = await startHttpServer(() => {})
    const reason = new Error('enough')
    const ending = new AbortController()
    const call = runtime.fetchDirectly(`http://127.0.0.1:${server.port}/`, { signal: ending.signal })
    ending.abort(reason)
    await expect(call).rejects.toBe(reason)
    await server.stop()
  })
})

const refuses = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(false)
    })
    socket.on('error', () => resolve(true))
  })

// Last in this file, because it takes longer than the others may.
test('a server keeps an idle connection for the configured time, and under Bun closes it soon afterwards', async () => {
  const { server } = serving(async () => new Response('answered'), 3000)
  const { socket, seen } = request(server.port)
  await eventually('it is answered', () => seen.answeredAt > 0)
  const isOver = () => seen.closedAt !== null || performance.now() - seen.answeredAt > 12_000
  await eventually('it has ended', isOver, 20_000)
  if ('Bun' in globalThis) expect(seen.closedAt).toBeNumber()
  if (seen.closedAt !== null) expect(seen.closedAt - seen.answeredAt).toBeWithin(3000, 12_000)
  socket.destroy()
})
