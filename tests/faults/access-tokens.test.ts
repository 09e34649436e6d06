/** Tests that the end of an access token takes effect in every process. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { once } from 'node:events'
import { connect } from 'node:net'
import { runCommand } from '../support/command.ts'
import { readStream } from '../support/stream.ts'
import { bearer, eventually } from '../support/world.ts'
import { owner, pause, type Started, useProcesses } from './support.ts'

setDefaultTimeout(60_000)

const processes = useProcesses(afterAll)
/** Two processes. The last test disables their owner. */
let started: Started
beforeAll(async () => {
  started = await processes.start({ processes: 2 })
})

/** A stream ends within ten seconds after its credential (contract 14.7). */
const streamEndMs = 10_000

/** Creates a token at the first process, and returns what calls the second process with it. */
const withToken = async () => {
  const { ask, services } = started
  const { id, token } = await ask(201, 'POST', '/v1/auth/tokens', { name: 'pipeline', access: 'read' })
  const { url } = services[1]!
  const statusElsewhere = async () => (await fetch(`${url}/v1/workflows`, { headers: bearer(token) })).status
  const streams = await Promise.all(services.map(service => readStream(service.url, bearer(token))))
  expect(streams.map(({ status }) => status)).toEqual([200, 200])
  return { id, statusElsewhere, streams }
}

const expectStreamsToEnd = (streams: Awaited<ReturnType<typeof withToken>>['streams']) =>
  eventually('both streams have ended', () => streams.every(stream => stream.ended()), streamEndMs)

test('a token revoked in one process is rejected immediately in the other, and its streams end', async () => {
  const kept = await withToken()
  for (let round = 0; round < 20; round++) {
    const { id, statusElsewhere, streams } = await withToken()
    // The second process has used the token, so a cached copy of it would be accepted.
    expect(await statusElsewhere()).toBe(200)
    await started.ask(204, 'DELETE', `/v1/auth/tokens/${id}`)
    expect(await statusElsewhere()).toBe(401)
    if (round === 0) await expectStreamsToEnd(streams)
    for (const stream of streams) stream.close()
  }
  expect(await kept.statusElsewhere()).toBe(200)
  expect(kept.streams.map(stream => stream.ended())).toEqual([false, false])
  for (const stream of kept.streams) stream.close()
  for (const { complaints } of started.services) expect(complaints).toBe('')
})

/**
 * A call that took more than a second authorizes its caller again before it acts or answers (contract 4.1, 10.3). A
 * slow machine can admit the call a second after it was sent.
 */
const longCallMs = 2500

/** Begins an upload with the token and returns a function that sends the rest of it and waits for the status. */
const beginUpload = async (url: string, token: string) => {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  let answer = ''
  socket.on('data', bytes => {
    answer += bytes
  })
  await once(socket, 'connect')
  const headers = `Host: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nConnection: close`
  const body = JSON.stringify({ phone: `+49151${10_000_000 + Math.floor(Math.random() * 1e7)}` })
  socket.write(`POST /v1/customers HTTP/1.1\r\n${headers}\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`)
  return async () => {
    socket.write(body.slice(5))
    await once(socket, 'close')
    return Number(answer.split(' ')[1])
  }
}

test('a token revoked in one process ends the uploads and the waiting pulls of another with 401', async () => {
  const { ask, services } = started
  const { url } = services[1]!
  const begin = async (access: string) => {
    const { id, token } = await ask(201, 'POST', '/v1/auth/tokens', { name: access, access })
    const pulled = fetch(`${url}/v1/outbound-events/pull?wait=4`, { headers: bearer(token) })
    return { id, token, pulled }
  }
  const [revoked, kept] = [await begin('write'), await begin('write')]
  const uploads = await Promise.all([revoked, kept].map(({ token }) => beginUpload(url, token)))
  await pause(longCallMs)
  await ask(204, 'DELETE', `/v1/auth/tokens/${revoked.id}`)
  expect(await Promise.all(uploads.map(finish => finish()))).toEqual([401, 201])
  const pulls = await Promise.all([revoked.pulled, kept.pulled])
  expect(pulls.map(({ status }) => status)).toEqual([401, 200])
  expect(Object.keys(await pulls[0]!.json())).toEqual(['error', 'request_id'])
  for (const { complaints } of services) expect(complaints).toBe('')
})

test('a disabled account loses its tokens in every process, and their streams end', async () => {
  const { statusElsewhere, streams } = await withToken()
  expect(await statusElsewhere()).toBe(200)
  const user = async (action: string) => {
    const { status, error } = await runCommand(['user', action, '--email', owner.email], started.settings)
    expect({ status, error }).toEqual({ status: 0, error: '' })
  }
  await user('disable')
  expect(await statusElsewhere()).toBe(401)
  await expectStreamsToEnd(streams)
  for (const { complaints } of started.services) expect(complaints).toBe('')
})
