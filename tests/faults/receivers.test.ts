/** Tests of misbehaving and slow receivers: recorded attempts, retry times, and the isolation of other endpoints. */
import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { tell as tellAs } from '../support/outbox.ts'
import {
  type Behaviour,
  endlessBody,
  hang,
  interimAnswers,
  type Receiver,
  raw,
  redirect,
  respond,
  startReceiver,
} from '../support/receiver.ts'
import { eventually, type Settings, startWorld, type World } from '../support/world.ts'
import { eventIdOf, expectVerified } from './support.ts'

setDefaultTimeout(60_000)

const waits = (wait: string) => Array.from({ length: 7 }, () => wait).join(',')

/** Creates an endpoint for each receiver and returns the ids. */
const subscribe = (world: World, receivers: Receiver[]): Promise<string[]> =>
  Promise.all(
    receivers.map(async ({ url }) => {
      const { id } = await world.expect(201, 'POST', '/v1/webhooks', { body: { url, events: ['message.status'] } })
      return id as string
    }),
  )

/** Emits `count` events to every endpoint. */
const tell = ({ database, workspaceId }: World, count: number): Promise<string[]> =>
  tellAs(database.sql, workspaceId, 'message.status', { count })

/** Receivers and a world that can reach them. The receivers stop first, so that the world does not wait for them. */
const startAll = async (behaviours: Behaviour[], settings: Settings = {}) => {
  const receivers = await Promise.all(behaviours.map(behaviour => startReceiver({ behaviour })))
  const targets = receivers.map(({ target }) => target).join(',')
  const world = await startWorld({ WEBHOOK_ALLOWED_PRIVATE_TARGETS: targets, ...settings })
  const stop = async () => {
    await Promise.all(receivers.map(receiver => receiver.stop()))
    await expectVerified(world.database.sql)
    await world.stop()
  }
  return { receivers, world, stop, [Symbol.asyncDispose]: stop }
}

describe('a delivery', () => {
  let world: World
  let receiver: Receiver
  let stop: () => Promise<void>
  afterEach(() => stop())

  const setUp = async (retryWaits: string) => {
    const all = await startAll([respond(503)], { WEBHOOK_RETRY_WAITS: retryWaits, WEBHOOK_TIMEOUT: '300ms' })
    ;({ world, stop } = all)
    receiver = all.receivers[0]!
    return (await subscribe(world, [receiver]))[0]!
  }

  test('is attempted eight times on schedule, fails with each error recorded, and is sent again on request', async () => {
    const webhook = await setUp('50ms,100ms,150ms,200ms,250ms,300ms,350ms')
    const notOk = 'answered with a status other than 2xx'
    const badly: [Behaviour, number | null, string][] = [
      [hang(), null, 'timed out'],
      [interimAnswers(), null, 'timed out'],
      [redirect('/hook', 308), 308, 'redirected; redirects are not followed'],
      [endlessBody(500), 500, notOk],
      [respond(404), 404, notOk],
      [respond(429, 'slow down', { 'Retry-After': '3600' }), 429, notOk],
      [raw('HTTP/1.1 2OO OK\r\n\r\n'), null, 'answer not valid HTTP'],
      [respond(503), 503, notOk],
    ]
    receiver.behave(...(badly.map(([behaviour]) => behaviour) as [Behaviour, ...Behaviour[]]))
    const { id } = await world.expect(202, 'POST', `/v1/webhooks/${webhook}/test`)
    const failed = await untilIs(world, 'failed', webhook, id)
    expect(failed).toMatchObject({ attempts: 8, statusCode: 503, nextAttemptAt: null })
    expect(failed.attemptLog).toMatchObject(badly.map(([, statusCode, error]) => ({ statusCode, error })))
    pausesOf(failed).forEach((pause, index) => {
      expect(pause).toBeGreaterThan(50 * (index + 1) - 10)
      expect(pause).toBeLessThan(50 * (index + 1) + 1000)
    })
    expect(receiver.requests.length).toBe(8)

    const retry = () => world.call('POST', `/v1/webhooks/${webhook}/deliveries/${id}/retry`)
    expect(await retry()).toMatchObject({ status: 202, body: { status: 'retrying', attempts: 8 } })
    await receiver.waitFor(9)
    expect(await untilIs(world, 'failed', webhook, id)).toMatchObject({ attempts: 9, nextAttemptAt: null })

    receiver.behave(respond())
    const answers = await Promise.all(Array.from({ length: 5 }, retry))
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 422, 422, 422, 422])
    expect(await untilIs(world, 'delivered', webhook, id)).toMatchObject({ attempts: 10, statusCode: 200, error: null })
    expect((await retry()).status).toBe(422)
    expect(receiver.requests.length).toBe(10)
    expect(new Set(receiver.requests.map(eventIdOf)).size).toBe(1)
  })

  test('is attempted on time although its actor sleeps until a task wakes it', async () => {
    const webhook = await setUp(waits('3s'))
    const { id } = await world.expect(202, 'POST', `/v1/webhooks/${webhook}/test`)
    await receiver.waitFor(1)
    receiver.behave(respond())
    await actorsSleep(world)
    await eventually('the wake-up is set', async () => {
      const tasks = await world.database.sql`
        select 1 from graphile_worker.jobs where key = ${`endpoint:${webhook}`} and run_at > now()`
      return tasks.length === 1
    })
    const [waited] = pausesOf(await untilIs(world, 'delivered', webhook, id))
    expect(waited).toBeGreaterThan(2990)
    expect(waited).toBeLessThan(4500)
  })
})

test('sends waiting deliveries to the new address of an endpoint whose old receiver hangs', async () => {
  const settings = { WEBHOOK_TIMEOUT: '1s', WEBHOOK_RETRY_WAITS: waits('1h') }
  await using all = await startAll([hang(), respond()], settings)
  const [hanging, healthy] = all.receivers as [Receiver, Receiver]
  const [webhook] = await subscribe(all.world, [hanging])
  await tell(all.world, 60)
  await hanging.waitFor(5)
  await all.world.expect(200, 'PATCH', `/v1/webhooks/${webhook}`, { body: { url: healthy.url } })
  await healthy.waitFor(40)
})

test('delivers the events of its own calls immediately, without notifications', async () => {
  await using all = await startAll([respond()])
  const { world, receivers } = all
  await world.database.sql`alter table outbound_events disable trigger outbound_events_notify`
  const body = { url: receivers[0]!.url, events: ['customer.opted_out'] }
  await world.expect(201, 'POST', '/v1/webhooks', { body })
  let tookMs = 0
  for (let n = 0; n < 6; n++) {
    const { id } = await world.expect(201, 'POST', '/v1/customers', { body: { phone: `+49151000000${n}` } })
    await actorsSleep(world)
    const from = performance.now()
    await world.expect(200, 'POST', `/v1/customers/${id}/opt-out`, { body: { reason: 'stop' } })
    await receivers[0]!.waitFor(n + 1)
    tookMs += performance.now() - from
  }
  // Polling would take up to a second for each.
  expect(tookMs).toBeLessThan(1000)
})

test('healthy endpoints get events without delay next to others that were quick and now hang or never end', async () => {
  await using all = await startAll(Array.from({ length: 10 }, () => respond()))
  const { world, receivers } = all
  const [ill, healthy] = [receivers.slice(0, 5), receivers.slice(5)]
  await subscribe(world, receivers)
  // Enough events for the concurrency limits of the misbehaving endpoints to reach their maximum before the trouble
  // begins.
  const before = 200
  await tell(world, before)
  for (const receiver of receivers) await receiver.waitFor(before)

  for (const [index, receiver] of ill.entries()) receiver.behave(index === 0 ? endlessBody() : hang())
  const [bursts, each] = [10, 20]
  for (let burst = 1; burst <= bursts; burst++) {
    await tell(world, each)
    await Promise.all(healthy.map(receiver => receiver.waitFor(before + each * burst)))
  }
  const rows = await world.database.sql<{ id: string; at: Date }[]>`
      select id, created_at as at from outbound_events order by id offset ${before}`
  const arrivals = healthy.map(({ requests }) => new Map(requests.map(r => [eventIdOf(r), r.receivedAt.getTime()])))
  const latencies = rows.flatMap(({ id, at }) => arrivals.map(arrival => arrival.get(id)! - at.getTime()))
  const sorted = latencies.sort((left, right) => left - right)
  expect(sorted[Math.floor(sorted.length * 0.95)]!).toBeLessThan(1000)
})

test('limits deliveries in progress to maxConcurrency and applies changes to waiting ones', async () => {
  const count = { now: 0, most: 0, answered: 0 }
  const behaviour: Behaviour = (socket, request) => {
    count.most = Math.max(count.most, ++count.now)
    setTimeout(() => {
      count.now--
      count.answered++
      respond()(socket, request)
    }, 50)
  }
  await using all = await startAll([behaviour])
  const [webhook] = await subscribe(all.world, all.receivers)
  const limit = (maxConcurrency: number | null) =>
    all.world.expect(200, 'PATCH', `/v1/webhooks/${webhook}`, { body: { maxConcurrency } })
  await limit(2)
  await tell(all.world, 40)
  await eventually('half were delivered', () => count.answered >= 20)
  expect(count.most).toBe(2)
  await limit(null)
  await tell(all.world, 60)
  await eventually('all were delivered', () => count.answered === 100)
  expect(count.most).toBeGreaterThan(2)
})

test('does not count an attempt without a free connection as a failure of the receiver', async () => {
  const receiver = await startReceiver({ behaviour: hang() })
  try {
    const program = join(import.meta.dir, 'open-files.ts')
    const script = `ulimit -n 200 && exec ${process.execPath} ${program} ${receiver.url} ${receiver.target} 300`
    const env = { PATH: '', BUN_CONFIG_MAX_HTTP_REQUESTS: '4096' }
    const { stdout } = await promisify(execFile)('sh', ['-c', script], { env })
    const ends = JSON.parse(stdout) as Record<string, number>
    expect(Object.keys(ends).toSorted()).toEqual(['ours: EMFILE', 'receiver: timed out'])
    expect(ends['ours: EMFILE']).toBeGreaterThan(100)
  } finally {
    await receiver.stop()
  }
})

const actorsSleep = ({ url }: World) =>
  eventually('the actors sleep', async () =>
    (await (await fetch(`${url}/metrics`)).text()).includes('engagement_actors_active 0'),
  )

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the answer holds, and fails where it does not
const untilIs = (world: World, status: string, webhook: string, id: string): Promise<any> =>
  eventually(`the delivery is ${status}`, async () => {
    const found = await world.expect(200, 'GET', `/v1/webhooks/${webhook}/deliveries/${id}`)
    return found.status === status && found
  })

/** Returns the milliseconds from the end of each attempt to the start of the next. */
const pausesOf = ({ attemptLog }: { attemptLog: { at: string; durationMs: number }[] }): number[] =>
  attemptLog.slice(1).map(({ at }, index) => {
    const before = attemptLog[index]!
    return Date.parse(at) - Date.parse(before.at) - before.durationMs
  })
