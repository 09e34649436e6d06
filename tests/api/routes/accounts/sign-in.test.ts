/**
 * Tests that hundreds of concurrent sign-ins do not delay other callers, and that disconnected callers cost no hash.
 */
import { beforeAll, expect, test } from 'bun:test'
import { lookup } from 'node:dns/promises'
import { connect, type Socket } from 'node:net'
import { hashPassword } from '../../../../src/accounts/users/index.ts'
import { useWorld } from '../../../support/world.ts'

const world = useWorld()
/** Duration of one sign-in on an idle service, in milliseconds. */
let aloneMs = 0
beforeAll(async () => {
  // The owner of a test world has a hash that is fast to verify, so it is replaced.
  await world.database.sql`update users set password_hash = ${await hashPassword(world.owner.password)}`
  aloneMs = (await timed(() => signIn('127.0.0.1', world.owner))).ms
})

/** Signs in from an address of this machine. Destroying `socket` abandons the call. */
const begin = (from: string, { email, password }: { email: string; password: string }) => {
  const body = JSON.stringify({ email, password })
  const socket: Socket = connect({ port: world.service.port, host: '127.0.0.1', localAddress: from })
  const answer = new Promise<{ status: number; head: string }>(resolve => {
    let head = ''
    socket.setEncoding('latin1')
    socket.on('data', piece => (head += piece))
    socket.on('error', () => {})
    socket.on('close', () => resolve({ status: Number(head.slice(9, 12)), head }))
  })
  socket.write(
    `POST /v1/auth/sign-in HTTP/1.1\r\nHost: cafe.example\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  return { socket, answer }
}

const signIn = (from: string, who: { email: string; password: string }) => begin(from, who).answer

const invented = (n: number) => ({ email: `nobody-${n}@invented.example`, password: 'no such password' })

const timed = async <T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> => {
  const startedAt = performance.now()
  const result = await work()
  return { result, ms: performance.now() - startedAt }
}

test('while 300 calls sign in, most get 429, and nobody else waits for them or for those who disconnected', async () => {
  const crowd = Array.from({ length: 300 }, (_, n) => begin('127.0.0.1', invented(n)))
  const [name, other] = await Promise.all([
    timed(() => lookup('localhost', { all: true })),
    timed(() => signIn('127.0.0.2', world.owner)),
  ])
  expect(other.result.status).toBe(200)
  // With two threads and 300 hashes in the queue, each would wait for 150 hashes.
  for (const { ms } of [name, other]) expect(ms).toBeLessThan(20 * aloneMs + 1000)
  for (const { socket } of crowd) socket.destroy()
  const { result, ms } = await timed(async () => {
    for (;;) {
      const answer = await signIn('127.0.0.1', world.owner)
      if (answer.status !== 429) return answer
    }
  })
  expect(result.status).toBe(200)
  // The hashes that were running and this one, but not the twenty of a full queue.
  expect(ms).toBeLessThan(8 * aloneMs + 500)
  const answers = await Promise.all(crowd.map(({ answer }) => answer))
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(100)
  // Unknown account, too many attempts, or no response before the disconnect.
  for (const { status } of answers) expect([401, 429, 0]).toContain(status)
  for (const { head } of refused) expect(head).toMatch(/^retry-after: [1-9]\d?\r$/im)
  expect(refused[0]!.head).toContain('"code":"rate_limited"')
})
