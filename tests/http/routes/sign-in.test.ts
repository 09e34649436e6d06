/** Hundreds of sign-ins at once hold up nobody else, and whoever has gone is not worked for. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { lookup } from 'node:dns/promises'
import { connect, type Socket } from 'node:net'
import { hashPassword } from '../../../src/domain/users/index.ts'
import { startWorld, type World } from '../../support/world.ts'

let world: World
/** How long one sign-in takes while nothing else is asked of the service. */
let aloneMs = 0
beforeAll(async () => {
  world = await startWorld()
  // The owner of a world has a hash that takes no time.
  await world.database.sql`update users set password_hash = ${await hashPassword(world.owner.password)}`
  aloneMs = (await timed(() => signIn('127.0.0.1', world.owner))).ms
})
afterAll(() => world.stop())

interface Answer {
  status: number
  head: string
}

/** Asks from an address of this machine. `socket` is given up by whoever does not want to wait. */
const begin = (from: string, { email, password }: { email: string; password: string }) => {
  const body = JSON.stringify({ email, password })
  const socket: Socket = connect({ port: world.service.port, host: '127.0.0.1', localAddress: from })
  const answer = new Promise<Answer>(resolve => {
    let head = ''
    socket.setEncoding('latin1')
    socket.on('data', piece => {
      head += piece
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve({ status: Number(head.slice(9, 12)), head }))
  })
  socket.write(
    `POST /v1/auth/sign-in HTTP/1.1\r\nHost: cafe.example\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  return { socket, answer }
}

const signIn = (from: string, who: { email: string; password: string }): Promise<Answer> => begin(from, who).answer

const invented = (n: number) => ({ email: `nobody-${n}@invented.example`, password: 'no such password' })

const timed = async <T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> => {
  const startedAt = performance.now()
  const result = await work()
  return { result, ms: performance.now() - startedAt }
}

describe('while 300 sign in with invented addresses', () => {
  let crowd: ReturnType<typeof begin>[] = []
  beforeAll(() => {
    crowd = Array.from({ length: 300 }, (_, n) => begin('127.0.0.1', invented(n)))
  })

  test('most are told to come back, and neither a name nor a caller from elsewhere waits for the rest', async () => {
    const [name, other] = await Promise.all([
      timed(() => lookup('localhost', { all: true })),
      timed(() => signIn('127.0.0.2', world.owner)),
    ])
    expect(other.result.status).toBe(200)
    // With two threads, behind 300 hashes, each would wait for 150.
    expect(name.ms).toBeLessThan(20 * aloneMs + 1000)
    expect(other.ms).toBeLessThan(20 * aloneMs + 1000)
    for (const { socket } of crowd) socket.destroy()
    const answers = await Promise.all(crowd.map(({ answer }) => answer))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(100)
    // Nobody, refused, or gone before there was an answer.
    for (const { status } of answers) expect([401, 429, 0]).toContain(status)
    for (const { head } of refused) expect(head).toMatch(/^retry-after: [1-9]\d?\r$/im)
    expect(refused[0]!.head).toContain('"code":"rate_limited"')
  })
})

test('whoever has gone costs no hash', async () => {
  const crowd = Array.from({ length: 100 }, (_, n) => begin('127.0.0.1', invented(n)))
  // The line is full once the first are refused.
  await Promise.any(crowd.map(({ answer }) => answer.then(({ status }) => (status === 429 ? null : Promise.reject()))))
  for (const { socket } of crowd) socket.destroy()
  const { result, ms } = await timed(async () => {
    for (;;) {
      const answer = await signIn('127.0.0.1', world.owner)
      if (answer.status !== 429) return answer
    }
  })
  expect(result.status).toBe(200)
  // The one whose hash was running, and this one; not the twenty of a full line.
  expect(ms).toBeLessThan(8 * aloneMs + 500)
})
