/** Tests of SIGTERM under load. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { connect } from 'node:net'
import { openTransaction } from '../support/database.ts'
import { tell } from '../support/outbox.ts'
import { type Ending, type ServiceProcess, startProcess } from '../support/process.ts'
import { hang, respond, startReceiver } from '../support/receiver.ts'
import { eventually, startWorld } from '../support/world.ts'
import {
  after,
  connectionsLost,
  expectDeliveriesToAgree,
  expectNothingLost,
  expectVerified,
  maxWait,
  pause,
  sendOrder,
  shopSettings,
  startLoad,
  useProcesses,
} from './support.ts'

setDefaultTimeout(60_000)

const { start, atEnd } = useProcesses(afterAll)

/** Fails unless the process ends with status 0 after this many milliseconds. */
const expectEnd = async (ending: Promise<Ending & { afterMs: number }>, atMostMs: number, atLeastMs = 0) => {
  const { afterMs, ...end } = await ending
  expect(end).toEqual({ code: 0, signal: null })
  expect(afterMs).toBeLessThan(atMostMs)
  expect(afterMs).toBeGreaterThanOrEqual(atLeastMs)
}

/** Started first and checked last, because it takes the whole shutdown timeout of 15 seconds. */
let silentEnd: ReturnType<ServiceProcess['end']>
beforeAll(async () => {
  const { service, proxy } = await start({ behaviours: [], errors: connectionsLost, proxied: true })
  proxy.freeze()
  silentEnd = service.end()
})

test('finishes requests and deliveries when it is stopped under load, and hands over immediately', async () => {
  const started = await start({ behaviours: [after(60)], processes: 2 })
  const { sql, receiver, services } = started
  const [stopped, successor] = services as [ServiceProcess, ServiceProcess]
  const load = started.load(stopped, 16, 0)
  await receiver.waitFor(200, 15_000)

  const signalAt = performance.now()
  await expectEnd(stopped.end(), 5000)
  const sent = await load.stop()
  const before = sent.filter(({ sentAt }) => sentAt < signalAt)
  expect(before.filter(({ status }) => status !== 201)).toEqual([])

  await expectNothingLost(started, sent)
  expect(await maxWait(sql, receiver)).toBeLessThan(3000)
  const [leases] = await sql`
    select count(*)::integer as count from leases l where not exists (select 1 from processes p where p.id = l.holder)`
  expect(leases!.count).toBe(0)
  expect(successor.complaints + stopped.complaints).toBe('')
})

test('turns unready first with SHUTDOWN_DELAY, so that callers that leave then lose no request', async () => {
  const started = await start({ settings: { SHUTDOWN_DELAY: '1500ms' } })
  const { service, shop, receiver } = started
  let isReady = true
  const load = startLoad(() => (isReady ? service.url : null), shop.key, 16, 0)
  /** Callers that ignore the readiness: they get a response or an error, and their connections are never reset. */
  const stubborn = started.load(service, 4)
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
  await expectEnd(ended, 30_000, 1500)
  const unanswered = (await stubborn.stop()).filter(({ status }) => status !== 201)
  expect(unanswered.filter(({ body }) => body.code !== 'ECONNREFUSED')).toEqual([])
  expect(service.complaints).toBe('')
})

test('answers requests that it already has, and aborts and does not count an attempt that outlasts the shutdown timeout', async () => {
  const receiver = await startReceiver({ behaviour: hang() })
  const world = await startWorld({ WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target, WEBHOOK_TIMEOUT: '60s' })
  const { database, workspaceId } = world
  database.expectErrors(...connectionsLost)
  atEnd(receiver.stop, world.stop, () => expectVerified(database.sql))
  await world.expect(201, 'POST', '/v1/webhooks', { body: { url: receiver.url, events: ['message.status'] } })
  await tell(database.sql, workspaceId, 'message.status')
  await receiver.waitFor(1)
  const unlock = await openTransaction(database.sql, tx => tx`lock table customers in access exclusive mode`)
  const inFlight = world.call('GET', '/v1/customers')
  await eventually('the request waits', async () => {
    const waiting = await database.sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return waiting.length > 0
  })
  const askedAt = performance.now()
  const stopped = world.service.stop(500)
  await pause(100)
  await unlock()
  expect((await inFlight).status).toBe(200)
  await stopped
  expect(performance.now() - askedAt).toBeLessThan(1500)
  const deliveries = await database.sql`select status, attempts, error from deliveries`
  expect([...deliveries]).toEqual([{ status: 'pending', attempts: 0, error: null }])

  receiver.behave(respond())
  const next = await startProcess(shopSettings(database.url, [receiver]))
  await receiver.waitFor(2)
  await expectDeliveriesToAgree(database.sql)
  await next.end()
})

test('exits immediately on a second signal', async () => {
  const { service, shop, receiver } = await start({ behaviours: [hang()] })
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

test('exits cleanly on SIGHUP despite idle and incomplete requests, unless it was started with nohup', async () => {
  const { service, settings } = await start()
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
  atEnd(() => sockets.forEach(socket => void socket.destroy()))
  await fetch(`${service.url}/healthz`)
  // The terminal is closed.
  await expectEnd(service.end('SIGHUP'), 2000)
  expect(service.lines.at(-1)?.msg).toBe('stopped')

  const outliving = await startProcess(settings, undefined, ['nohup'])
  outliving.signal('SIGHUP')
  expect((await fetch(`${outliving.url}/healthz`)).status).toBe(200)
  // A process that is stopping is not ready.
  expect((await fetch(`${outliving.url}/readyz`)).status).toBe(200)
  await expectEnd(outliving.end(), 2000)
})

test('exits with little extra delay when the database has stopped responding', () => expectEnd(silentEnd, 25_000))
