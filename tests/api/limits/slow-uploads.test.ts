/** Tests an attack with slow bodies over real sockets. Other callers must still be served. */
import { expect, test } from 'bun:test'
import { once } from 'node:events'
import { connect } from 'node:net'
import { eventually, useWorld } from '../../support/world.ts'

const world = useWorld()

/** Sends the beginning of a sign-in from a separate loopback address. `answer` is the response received so far. */
const startSignIn = async () => {
  const port = Number(new URL(world.url).port)
  const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' })
  const upload = { answer: '', socket }
  socket.on('data', piece => {
    upload.answer += piece
  })
  socket.on('error', () => {})
  await once(socket, 'connect')
  const headers = 'Host: x\r\nContent-Type: application/json\r\nContent-Length: 8192'
  socket.write(`POST /v1/auth/sign-in HTTP/1.1\r\n${headers}\r\n\r\n{"email":"`)
  return upload
}

test('thousands of slow sign-ins from one address do not stop a sign-in from another', async () => {
  const uploads: Awaited<ReturnType<typeof startSignIn>>[] = []
  const attack = async () => {
    for (let n = 0; n < 205; n++) uploads.push(await startSignIn())
  }
  await Promise.all(Array.from({ length: 20 }, attack))
  const { email, password } = world.owner
  for (let n = 0; n < 10; n++)
    await world.expect(200, 'POST', '/v1/auth/sign-in', { as: 'nobody', body: { email, password } })
  const isRejected = (answer: string) => answer.startsWith('HTTP/1.1 503')
  const rejected = () => uploads.filter(({ answer }) => isRejected(answer)).length
  await eventually('uploads beyond the share of the address are rejected', () => rejected() >= 4100 - 256)
  expect(uploads.filter(({ answer }) => answer === '').length).toBeGreaterThan(200)
  await eventually('the other uploads are too slow', () => uploads.every(({ answer }) => answer !== ''), 20_000)
  for (const { answer, socket } of uploads) {
    socket.destroy()
    if (!isRejected(answer)) expect(answer).toMatch(/^HTTP\/1.1 400 .*Connection: close.*"malformed_request"/is)
  }
}, 60_000)
