/** Tests of SIGTERM under load. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { connect } from 'node:net'
import type { Database } from '../../src/platform/postgres/client.ts'
import { startProxy } from '../platform/postgres/proxy.ts'
import { testDatabase } from '../support/database.ts'
import { tell } from '../support/outbox.ts'
import { type Ending, endProcesses, startProcess } from '../support/process.ts'
import { type Behaviour, hang, respond, startReceiver } from '../support/receiver.ts'
import { startWorld } from '../support/world.ts'
import {
  after,
  connectionsLost,
  expectAllToldTo,
  expectBooksToBalance,
  expectDeliveriesToAgree,
  maxWait,
  openShop,
  pause,
  sendOrder,
  shopSettings,
  startLoad,
} from './support.ts'

setDefaultTimeout(60_000)

const cleanups: (() => unknown)[] = []
afterAll(async () => {
  await endProcesses()
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const setUp = async (behaviour: Behaviour, more: Record<string, string> = {}) => {
  const database = await testDatabase()
  database.expectErrors(...connectionsLost)
  const receiver = await startReceiver({ behaviour })
  cleanups.push(database.drop, receiver.stop)
  return { database, sql: database.sql, receiver, settings: shopSettings(database.url, [receiver], more) }
}

/** Started first and checked last, because they take the whole shutdown timeout. */
let longEnd: Promise<Ending & { afterMs: number }>
let longSql: Database
let silentEnd: Promise<Ending & { afterMs: number }>
beforeAll(async () => {
  const { sql, receiver, settings } = await setUp(hang(), { WEBHOOK_TIMEOUT: '60s' })
  const service = await startProcess(settings)
  const shop = await openShop(service.url, [receiver])
  await sendOrder(service.url, shop.key)
  await receiver.waitFor(1)
  longSql = sql
  longEnd = service.end()
})
beforeAll(async () => {
  const { database, receiver } = await setUp(respond())
  const proxy = await startProxy(database.url)
  cleanups.push(proxy.stop)
  const service = await startProcess(shopSettings(proxy.url, [receiver]))
  proxy.freeze()
  silentEnd = service.end()
})

test('finishes requests and deliveries when it is stopped under load, and hands over immediately', async () => {
  const { sql, receiver, settings } = await setUp(after(60))
  const [stopped, successor] = await Promise.all([startProcess(settings), startProcess(settings)])
  const shop = await openShop(stopped.url, [receiver])
  const load = startLoad(() => (stopped.running ? stopped.url : null), shop.key, 16, 0)
  await receiver.waitFor(200, 15_000)

  const signalAt = performance.now()
  const ending = await stopped.end()
  expect(ending).toMatchObject({ code: 0, signal: null })
  expect(ending.afterMs).toBeLessThan(5000)
  const sent = await load.stop()
  const before = sent.filter(({ sentAt }) => sentAt < signalAt)
  expect(before.filter(({ status }) => status !== 201)).toEqual([])

  await expectBooksToBalance(sql, sent)
  await expectAllToldTo(sql, [receiver])
  expect(await maxWait(sql, receiver)).toBeLessThan(3000)
  await expectDeliveriesToAgree(sql)
  const [leases] = await sql`
    select count(*)::integer as count from leases l where not exists (select 1 from processes p where p.id = l.holder)`
  expect(leases!.count).toBe(0)
  expect(successor.complaints + stopped.complaints).toBe('')
})

test('turns unready first with SHUTDOWN_DELAY, so that callers that leave then lose no request', async () => {
  const { receiver, settings } = await setUp(respond(), { SHUTDOWN_DELAY: '1500ms' })
  const service = await startProcess(settings)
  const shop = await openShop(service.url, [receiver])
  let isReady = true
  const load = startLoad(() => (isReady ? service.url : null), shop.key, 16, 0)
  /** Callers that ignore the readiness: they get a response or an error, and their connections are never reset. */
  const stubborn = startLoad(() => (service.running ? service.url : null), shop.key, 4, 5)
  await receiver.waitFor(100, 15_000)

  const ended = service.end()
  /** Polls like a load balancer, every 200 ms. */
  while (isReady) {
    await pause(200)
    const { status } = await fetch(`${service.url}/readyz`)
    isReady = status === 200
  }
  const answer = await fetch(`${service.url}/healthz`)
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close'])
  const sent = await load.stop()
  expect(sent.filter(({ status }) => status !== 201)).toEqual([])
  const ending = await ended
  expect(ending).toMatchObject({ code: 0, signal: null })
  expect(ending.afterMs).toBeGreaterThan(1500)
  const unanswered = (await stubborn.stop()).filter(({ status }) => status !== 201)
  expect(unanswered.filter(({ body }) => body.code !== 'ECONNREFUSED')).toEqual([])
  expect(service.complaints).toBe('')
})

test('waits for a hanging receiver at most its timeout and records the attempt', async () => {
  const { sql, receiver, settings } = await setUp(hang(), { WEBHOOK_TIMEOUT: '1s' })
  const service = await startProcess(settings)
  const shop = await openShop(service.url, [receiver])
  await sendOrder(service.url, shop.key)
  await receiver.waitFor(1)
  const ending = await service.end()
  expect(ending).toMatchObject({ code: 0 })
  expect(ending.afterMs).toBeLessThan(2000)
  const [delivery] = await sql`select status, attempts, error from deliveries`
  expect(delivery).toMatchObject({ status: 'retrying', attempts: 1, error: 'timed out' })
})

test('aborts and does not count an attempt that outlasts the shutdown timeout', async () => {
  const receiver = await startReceiver({ behaviour: hang() })
  cleanups.push(receiver.stop)
  const world = await startWorld({ WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target, WEBHOOK_TIMEOUT: '60s' })
  world.database.expectErrors(...connectionsLost)
  cleanups.push(world.stop)
  await world.expect(201, 'POST', '/v1/webhooks', { body: { url: receiver.url, events: ['message.status'] } })
  await tell(world.database.sql, world.workspaceId, 'message.status')
  await receiver.waitFor(1)
  const askedAt = performance.now()
  await world.service.stop(500)
  expect(performance.now() - askedAt).toBeLessThan(1500)
  expect([...(await world.database.sql`select status, attempts from deliveries`)]).toEqual([
    { status: 'pending', attempts: 0 },
  ])

  receiver.behave(respond())
  const next = await startProcess(shopSettings(world.database.url, [receiver]))
  await receiver.waitFor(2)
  await expectDeliveriesToAgree(world.database.sql)
  await next.end()
})

test('exits immediately on a second signal', async () => {
  const { receiver, settings } = await setUp(hang())
  const service = await startProcess(settings)
  const shop = await openShop(service.url, [receiver])
  await sendOrder(service.url, shop.key)
  await receiver.waitFor(1)
  service.signal('SIGTERM')
  // Two signals within half a second count as one, because the terminal and the script runner both send Ctrl-C.
  await service.waitForLine('stopping')
  await pause(600)
  expect(service.running).toBe(true)
  const ending = await service.end('SIGINT')
  expect(ending).toMatchObject({ code: 1 })
  expect(ending.afterMs).toBeLessThan(500)
})

test('exits cleanly when the terminal is closed, unless it was started with nohup', async () => {
  const { settings } = await setUp(respond())
  const service = await startProcess(settings)
  expect(await service.end('SIGHUP')).toMatchObject({ code: 0 })
  expect(service.lines.at(-1)?.msg).toBe('stopped')

  const outliving = await startProcess(settings, undefined, ['nohup'])
  outliving.signal('SIGHUP')
  expect((await fetch(`${outliving.url}/healthz`)).status).toBe(200)
  expect(await outliving.end('SIGTERM')).toMatchObject({ code: 0 })
})

test('does not wait for idle connections or an incomplete request', async () => {
  const { settings } = await setUp(respond())
  const service = await startProcess(settings)
  const { port } = new URL(service.url)
  const sockets = await Promise.all(
    ['', 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n', 'POST /v1/events HTTP/1.1\r\nHost: x\r\nContent-Le'].map(
      start =>
        new Promise<ReturnType<typeof connect>>(resolve => {
          const socket = connect(Number(port), '127.0.0.1', () => socket.write(start, () => resolve(socket)))
          socket.on('error', () => {})
        }),
    ),
  )
  cleanups.push(() => sockets.forEach(socket => void socket.destroy()))
  await fetch(`${service.url}/healthz`)
  const ending = await service.end()
  expect(ending).toMatchObject({ code: 0 })
  expect(ending.afterMs).toBeLessThan(2000)
})

test('exits cleanly while the database is unreachable', async () => {
  const { database, receiver } = await setUp(respond())
  const proxy = await startProxy(database.url)
  cleanups.push(proxy.stop)
  const service = await startProcess(shopSettings(proxy.url, [receiver]))
  const shop = await openShop(service.url, [receiver])
  await sendOrder(service.url, shop.key)
  await receiver.waitFor(1)
  await proxy.refuse()
  const inFlight = sendOrder(service.url, shop.key)
  const ending = await service.end()
  expect(ending).toMatchObject({ code: 0 })
  expect(ending.afterMs).toBeLessThan(10_000)
  expect((await inFlight).status).toBe(503)
})

test('exits although an attempt lasts longer than the shutdown timeout of 15 seconds', async () => {
  const ending = await longEnd
  expect(ending).toMatchObject({ code: 0, signal: null })
  expect(ending.afterMs).toBeGreaterThan(14_000)
  expect(ending.afterMs).toBeLessThan(17_000)
  expect([...(await longSql`select status, attempts from deliveries`)]).toEqual([{ status: 'pending', attempts: 0 }])
})

test('exits with little extra delay when the database has stopped responding', async () => {
  const ending = await silentEnd
  expect(ending).toMatchObject({ code: 0, signal: null })
  expect(ending.afterMs).toBeLessThan(25_000)
})
