/** Tests of a process with a wrong clock. The database decides what is due. */
import { afterEach, expect, setDefaultTimeout, test } from 'bun:test'
import { clock } from '../../src/platform/clock.ts'
import { type Receiver, respond, startReceiver, verifySignature } from '../support/receiver.ts'
import { startWorld, type World } from '../support/world.ts'
import { report } from './faults.ts'
import { eventIdOf, expectDeliveriesToAgree, expectVerified } from './support.ts'

setDefaultTimeout(60_000)

const endpoints = 8
const RightDate = globalThis.Date
let receiver: Receiver
let world: World
afterEach(async () => {
  globalThis.Date = RightDate
  await clock.compare(async () => Date.now())
  await expectVerified(world.database.sql)
  await world.stop()
  await receiver.stop()
})

/** Shifts the clock of this process by `byMs` milliseconds. A negative value sets it back. */
const shiftClock = (byMs: number) => {
  const now = () => RightDate.now() + byMs
  globalThis.Date = new Proxy(RightDate, {
    construct: (date, given) => Reflect.construct(date, given.length === 0 ? [now()] : given),
    get: (date, name) => (name === 'now' ? now : Reflect.get(date, name)),
  })
}

const transactions = async (): Promise<number> => {
  await world.database.sql`select pg_stat_force_next_flush()`
  const [row] = await world.database.sql`
    select (xact_commit + xact_rollback)::integer as count from pg_stat_database where datname = current_database()`
  return row!.count
}

test.each([
  ['clock one hour ahead', 3_600_000],
  ['clock one hour behind', -3_600_000],
] as const)('%s: the process works by database time, and is not ready', async (fault, byMs) => {
  shiftClock(byMs)
  /** Arrival times by event. */
  const arrivals = new Map<string, number[]>()
  receiver = await startReceiver()
  receiver.behave((socket, request) => {
    const times = arrivals.get(eventIdOf(request)) ?? []
    arrivals.set(eventIdOf(request), [...times, performance.now()])
    respond(times.length < 2 ? 500 : 200)(socket, request)
  })
  // A timer of the process keeps the first wait, a task keeps the second.
  const waits = [300, 2700]
  world = await startWorld({
    WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target,
    WEBHOOK_RETRY_WAITS: `${waits.map(wait => `${wait}ms`)},1h,1h,1h,1h,1h`,
  })
  const readiness = await world.call('GET', '/readyz', { as: 'nobody' })
  expect([readiness.status, readiness.body.problem]).toEqual([503, expect.stringContaining('3600 seconds')])
  const now = () => RightDate.now() / 1000
  /** Endpoints with their secrets, by path. */
  const webhooks = new Map<string, { id: string; secret: string }>()
  for (let count = 0; count < endpoints; count++) {
    const body = { url: `${receiver.url}/${count}`, events: ['message.status'] }
    webhooks.set(`/hook/${count}`, await world.expect(201, 'POST', '/v1/webhooks', { body }))
    await world.expect(202, 'POST', `/v1/webhooks/${webhooks.get(`/hook/${count}`)!.id}/test`)
  }
  for (const { headers, body, path } of await receiver.waitFor(endpoints))
    expect(verifySignature(headers['x-service-signature']!, body, webhooks.get(path)!.secret, now())).toBe(true)
  const order = { type: 'order.paid', phone: '+4915112345678' }
  const { event } = await world.expect(201, 'POST', '/v1/events', { as: 'key', body: order })
  for (const id of [webhooks.get('/hook/0')!.id, event.id]) {
    const madeAt = Number.parseInt(id.slice(0, 13).replace('-', ''), 16) / 1000
    expect(Math.abs(madeAt - now())).toBeLessThan(60)
  }

  const [from, began] = [await transactions(), performance.now()]
  await receiver.waitFor(3 * endpoints)
  const seconds = (performance.now() - began) / 1000
  expect((await transactions()) - from).toBeLessThan(250 * seconds)
  for (const times of arrivals.values())
    for (const [index, wait] of waits.entries()) {
      const waited = times[index + 1]! - times[index]!
      expect(waited).toBeGreaterThan(wait)
      expect(waited).toBeLessThan(wait + 3000)
    }
  await expectDeliveriesToAgree(world.database.sql)
  report(fault, arrivals.size, [receiver.requests], receiver.requests[endpoints - 1]!.receivedAt.getTime())
})
