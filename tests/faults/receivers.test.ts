/** Tests of misbehaving receivers: the recorded attempts, the retry times, and the isolation of other endpoints. */
import { afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { tell as tellAs } from '../support/outbox.ts'
import {
  type Behaviour,
  closeAfterHeaders,
  closeBeforeAnswer,
  endlessBody,
  gzipBomb,
  hang,
  hangAfterHeaders,
  interimAnswers,
  type Receiver,
  raw,
  redirect,
  respond,
  slowHeaders,
  startReceiver,
} from '../support/receiver.ts'
import { use } from '../support/use.ts'
import { eventually, type Settings, startWorld, useWorld, type World } from '../support/world.ts'
import { after, eventIdOf } from './support.ts'

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
    await world.stop()
  }
  return { receivers, world, stop, [Symbol.asyncDispose]: stop }
}

describe('an attempt', () => {
  const receiver = use(startReceiver)
  const world = useWorld(() => ({
    WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target,
    WEBHOOK_TIMEOUT: '300ms',
    WEBHOOK_RETRY_WAITS: waits('100ms'),
  }))
  let webhook: string
  beforeAll(async () => {
    webhook = (await subscribe(world, [receiver]))[0]!
  })

  const notOk = 'answered with a status other than 2xx'
  const badly: [string, Behaviour, number | null, string][] = [
    ['hangs', hang(), null, 'timed out'],
    ['sends its headers for ever', slowHeaders(), null, 'timed out'],
    ['announces an answer for ever', interimAnswers(), null, 'timed out'],
    ['redirects', redirect('https://example.com/'), 302, 'redirected; redirects are not followed'],
    ['redirects to itself, for good', redirect('/hook', 308), 308, 'redirected; redirects are not followed'],
    ['answers with 500 and an endless body', endlessBody(500), 500, notOk],
    ['answers with 404', respond(404), 404, notOk],
    ['answers with 410', respond(410), 410, notOk],
    ['answers with 429', respond(429, 'slow down', { 'Retry-After': '3600' }), 429, notOk],
    ['answers with nonsense', raw('HTTP/1.1 2OO OK\r\n\r\n'), null, 'answer not valid HTTP'],
    ['closes early', closeBeforeAnswer(), null, 'connection closed before an answer'],
  ]
  test.each(badly)('at a receiver that %s is recorded as failed and repeated', async (_, behaviour, status, error) => {
    // A connection closed without a response is tried again within the same attempt.
    if (error.startsWith('connection closed')) receiver.behave(behaviour, behaviour, respond())
    else receiver.behave(behaviour, respond())
    const { id } = await world.expect(202, 'POST', `/v1/webhooks/${webhook}/test`)
    const delivery = await untilIs(world, 'delivered', webhook, id)
    expect(delivery).toMatchObject({ status: 'delivered', attempts: 2, statusCode: 200, error: null })
    const [first, second] = delivery.attemptLog
    expect(first).toMatchObject({ statusCode: status, error })
    expect(first.durationMs).toBeLessThan(1000)
    expect(second).toMatchObject({ statusCode: 200, error: null })
    const [pause] = pausesOf(delivery)
    expect(pause).toBeGreaterThan(80)
    expect(pause).toBeLessThan(1500)
  })

  const wellEnough: [string, Behaviour][] = [
    ['an endless body', endlessBody()],
    ['a small compressed body that expands to 64 MiB', gzipBomb()],
    ['a body that hangs', hangAfterHeaders()],
    ['a body that is cut off', closeAfterHeaders()],
    ['no body', respond(204, '')],
  ]
  test.each(wellEnough)('with a 2xx response and %s counts as delivered', async (_, behaviour) => {
    receiver.behave(behaviour)
    const before = process.memoryUsage().rss
    const { id } = await world.expect(202, 'POST', `/v1/webhooks/${webhook}/test`)
    const delivery = await untilIs(world, 'delivered', webhook, id)
    expect(delivery).toMatchObject({ attempts: 1, error: null })
    expect(delivery.attemptLog[0].responseBody.length).toBeLessThanOrEqual(1024)
    expect(process.memoryUsage().rss - before).toBeLessThan(32 * 1024 * 1024)
  })

  test('is recorded as refused when nothing listens on the port', async () => {
    await receiver.stop()
    const { id } = await world.expect(202, 'POST', `/v1/webhooks/${webhook}/test`)
    const delivery = await untilIs(world, 'failed', webhook, id)
    expect(delivery).toMatchObject({ attempts: 8, statusCode: null, error: 'connection refused', nextAttemptAt: null })
  })
})

describe('a delivery', () => {
  let world: World
  let receiver: Receiver
  let stop: () => Promise<void>
  afterEach(() => stop())

  const setUp = async (retryWaits: string) => {
    const all = await startAll([respond(503)], { WEBHOOK_RETRY_WAITS: retryWaits })
    ;({ world, stop } = all)
    receiver = all.receivers[0]!
    return (await subscribe(world, [receiver]))[0]!
  }

  test('is attempted eight times on schedule, fails, and is sent again on request', async () => {
    const webhook = await setUp('50ms,100ms,150ms,200ms,250ms,300ms,350ms')
    const { id } = await world.expect(202, 'POST', `/v1/webhooks/${webhook}/test`)
    const failed = await untilIs(world, 'failed', webhook, id)
    expect(failed).toMatchObject({ attempts: 8, statusCode: 503, nextAttemptAt: null })
    expect(failed.attemptLog.length).toBe(8)
    const pauses = pausesOf(failed)
    pauses.forEach((pause, index) => {
      expect(pause).toBeGreaterThan(50 * (index + 1) - 10)
      expect(pause).toBeLessThan(50 * (index + 1) + 1000)
    })
    expect(receiver.requests.length).toBe(8)

    const retry = (status: number) =>
      world.expect(status, 'POST', `/v1/webhooks/${webhook}/deliveries/${id}/retry`).then(body => body)
    expect(await retry(202)).toMatchObject({ status: 'retrying', attempts: 8 })
    await receiver.waitFor(9)
    expect(await untilIs(world, 'failed', webhook, id)).toMatchObject({ attempts: 9, nextAttemptAt: null })

    receiver.behave(respond())
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => world.call('POST', `/v1/webhooks/${webhook}/deliveries/${id}/retry`)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 422, 422, 422, 422])
    expect(await untilIs(world, 'delivered', webhook, id)).toMatchObject({ attempts: 10, statusCode: 200, error: null })
    await retry(422)
    expect(receiver.requests.length).toBe(10)
    expect(new Set(receiver.requests.map(eventIdOf)).size).toBe(1)
  })

  test('is attempted on time although its actor sleeps until a task wakes it', async () => {
    const webhook = await setUp(waits('4s'))
    const { id } = await world.expect(202, 'POST', `/v1/webhooks/${webhook}/test`)
    await receiver.waitFor(1)
    receiver.behave(respond())
    await eventually('the actor sleeps', async () =>
      (await (await fetch(`${world.url}/metrics`)).text()).includes('actors_awake 0'),
    )
    await eventually('the wake-up is set', async () => {
      const tasks = await world.database.sql`
        select 1 from graphile_worker.jobs where key = ${`endpoint:${webhook}`} and run_at > now()`
      return tasks.length === 1
    })
    const [pause] = pausesOf(await untilIs(world, 'delivered', webhook, id))
    expect(pause).toBeGreaterThan(3990)
    expect(pause).toBeLessThan(5500)
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

const misbehaviours: [number, string, Behaviour][] = [
  [1, 'hangs', hang()],
  [1, 'answers with a body that never ends', endlessBody()],
  [1, 'closes without an answer', closeBeforeAnswer()],
  [5, 'hangs', hang()],
  [5, 'answers after 4 seconds', after(4000)],
]
test.each(misbehaviours)(
  'healthy endpoints get events without delay next to %i that was quick and now %s',
  async (illOnes, _, behaviour) => {
    await using all = await startAll(Array.from({ length: 10 }, () => respond()))
    const { world, receivers } = all
    const [ill, healthy] = [receivers.slice(0, illOnes), receivers.slice(illOnes)]
    await subscribe(world, receivers)
    // Enough events for the concurrency limits of the misbehaving endpoints to reach their maximum before the trouble
    // begins.
    const before = 200
    await tell(world, before)
    for (const receiver of receivers) await receiver.waitFor(before)

    for (const receiver of ill) receiver.behave(behaviour)
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
  },
)

/** Bun's default limit of concurrent requests. A few of them are not used for attempts. */
const maxOutbound = 256

test('600 hanging endpoints take no permits from healthy ones, and polling reaches each of them', async () => {
  const [hanging, healthy] = [600, 5]
  const settings = { WEBHOOK_TIMEOUT: '60s', BUN_CONFIG_MAX_HTTP_REQUESTS: String(maxOutbound) }
  await using all = await startAll([hang(), respond()], settings)
  const [hangs, answers] = all.receivers as [Receiver, Receiver]
  const { workspaceId, database } = all.world
  const { sql } = database
  const endpoints = async (count: number, url: string): Promise<string[]> => {
    const rows = await sql<{ id: string }[]>`
      insert into webhooks (workspace_id, url, events, secret)
      select ${workspaceId}, ${url}, '{workflow.run}', 'whsec_x' from generate_series(1, ${count}::integer) returning id`
    return rows.map(({ id }) => id)
  }
  const [eventId] = await tell(all.world, 1)
  /** Inserts deliveries without a wake-up, so that only polling finds them. */
  const makeDue = (webhooks: string[], each: number) => sql`
    insert into deliveries (workspace_id, webhook_id, event_id, due_at)
    select ${workspaceId}, webhook_id, ${eventId!}, now()
    from unnest(${webhooks}::uuid[]) webhook_id, generate_series(1, ${each}::integer)`
  const stuck = await endpoints(hanging, hangs.url)
  const well = await endpoints(healthy, answers.url)

  await makeDue(well, 1)
  await answers.waitFor(healthy)
  await makeDue(stuck, 3)
  await eventually('the maximum number hangs', () => hangs.requests.length >= (maxOutbound - 16) / 2)
  for (let round = 1; round <= 3; round++) {
    await makeDue(well, 10)
    await answers.waitFor(healthy * (1 + 10 * round))
  }
  await eventually('each hanging endpoint has an actor', async () => {
    const [row] = await sql<{ awake: number }[]>`
      select count(*)::integer as awake from leases where actor_id = any(${stuck}::uuid[])`
    return row!.awake === hanging
  })
  expect(hangs.openConnections).toBeLessThanOrEqual((3 / 4) * maxOutbound)
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
