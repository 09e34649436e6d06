import { afterEach, describe, expect, test } from 'bun:test'
import pino from 'pino'
import { type RunningService, startService } from '../../src/app/index.ts'
import { createPools, type Pools } from '../../src/app/pools.ts'
import { createReadiness } from '../../src/app/readiness.ts'
import { readConfig } from '../../src/config.ts'
import type { Database } from '../../src/platform/postgres/client.ts'
import { LeaseHolder } from '../../src/platform/postgres/lease.ts'
import { type Proxy as DatabaseProxy, startProxy } from '../platform/postgres/proxy.ts'
import { newWorkspace, openTransaction, testDatabase } from '../support/database.ts'
import { tell } from '../support/outbox.ts'
import { startReceiver } from '../support/receiver.ts'
import { use } from '../support/use.ts'
import { eventually, startWorld, useWorld } from '../support/world.ts'

const receiver = use(startReceiver)
const world = useWorld(() => ({ WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target }), { errors: ['42P01', '23514'] })

const undo: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

interface LogLine {
  msg: string
  [field: string]: unknown
}

/** Starts another process on the database of the world and returns it with its log. */
const startBeside = async (settings: Record<string, string>, databaseUrl = world.database.url, pools?: Pools) => {
  const lines: LogLine[] = []
  const log = pino(
    { level: 'debug', serializers: { error: pino.stdSerializers.err } },
    { write: line => lines.push(JSON.parse(line)) },
  )
  const config = readConfig({ PORT: '0', RATE_LIMIT_KEY: '0', RATE_LIMIT_PERSON: '0', ...settings })
  const service = await startService({ config, databaseUrl, log, ...(pools && { pools }) })
  undo.push(async () => {
    await service.stop(1000)
  })
  return { service, lines }
}

const ask = async ({ port }: Pick<RunningService, 'port'>, path: string, init?: RequestInit) => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, init)
  const text = await response.text()
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the answer holds
  const body: any = response.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : text
  return { status: response.status, body }
}

/** Returns the metrics of a process, with the name and labels as the key. */
const metricsOf = async (service: Pick<RunningService, 'port'>): Promise<Record<string, number>> => {
  const { status, body } = await ask(service, '/metrics')
  expect(status).toBe(200)
  const samples = (body as string).split('\n').filter(line => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(samples.map(line => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]))
}

const post = (service: Pick<RunningService, 'port'>, body: unknown, path = '/v1/events') =>
  ask(service, path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': world.key.value },
    body: JSON.stringify(body),
  })

describe('/metrics', () => {
  test('counts requests, events, attempts by outcome and notifications, and reports the listener and resources', async () => {
    const before = await metricsOf(world.service)
    await world.expect(201, 'POST', '/v1/webhooks', { body: { url: receiver.url, events: ['customer.opted_out'] } })
    const { status, body } = await post(world.service, { type: 'counted', phone: '+4915112345678' })
    expect(status).toBe(201)
    await world.expect(200, 'POST', `/v1/customers/${body.event.customerId}/opt-out`, { body: { reason: 'asked' } })
    await receiver.waitFor(1)
    // Emits an event as a process without workers does.
    await tell(world.database.sql, world.workspaceId, 'campaign.completed')
    const metrics = await eventually('an attempt and a notification are counted', async () => {
      const now = await metricsOf(world.service)
      return (
        now['engagement_deliveries_total{outcome="delivered"}'] === 1 && now.engagement_notifications_total! > 0 && now
      )
    })
    const growth = (name: string) => metrics[name]! - (before[name] ?? 0)
    expect(growth('engagement_http_requests_total{method="POST",route="/v1/events",status="201"}')).toBe(1)
    expect([growth('engagement_ingest_batch_events_count'), growth('engagement_ingest_batch_events_sum')]).toEqual([
      1, 1,
    ])
    expect(metrics.engagement_listener_connected).toBe(1)
    expect(metrics.engagement_actors_active).toBeNumber()
    expect(metrics.process_resident_memory_bytes).toBeGreaterThan(10_000_000)
    expect(metrics.process_heap_bytes).toBeGreaterThan(1_000_000)
    expect(metrics.process_uptime_seconds).toBeGreaterThan(0)
    expect(growth('process_cpu_seconds_total')).toBeGreaterThan(0)
  })

  test('counts pending deliveries of a deleted endpoint as dropped', async () => {
    const dropped = async () => (await metricsOf(world.service))['engagement_deliveries_total{outcome="dropped"}']!
    const before = await dropped()
    const { id } = await world.expect(201, 'POST', '/v1/webhooks', {
      body: { url: receiver.url, events: ['sale.created'] },
    })
    await world.database.sql`
      insert into deliveries (workspace_id, webhook_id, event_id, due_at)
      select ${world.workspaceId}, ${id}, uuidv7(), now() + interval '1 hour' from generate_series(1, 3)`
    await world.expect(204, 'DELETE', `/v1/webhooks/${id}`)
    await eventually('they are counted', async () => (await dropped()) === before + 3)
  })

  test('reports the lag of each queue in seconds for enabled endpoints, and omits it without the database', async () => {
    await using idle = await startWorld({ ROLES: 'http' })
    idle.database.expectErrors('55P03')
    const { sql } = idle.database
    const lag = async (queue: string) =>
      (await metricsOf(idle.service))[`engagement_queue_oldest_age_seconds{queue="${queue}"}`]
    // The mail about the API key of the world.
    await sql`delete from graphile_worker._private_jobs`
    const queues = { deliveries: 100, 'outbound events': 400, messages: 200, runs: 300, mails: 500 }
    for (const queue of Object.keys(queues)) expect(await lag(queue)).toBe(0)

    await lateRows(sql, idle.workspaceId)
    // Mails have a cache of their own, because the depth reads them too.
    await eventually(
      'the second of both caches is over',
      async () => (await lag('runs')) !== 0 && (await lag('mails')) !== 0,
    )
    for (const [queue, seconds] of Object.entries(queues))
      expect(await lag(queue), queue).toBeWithin(seconds, seconds + 20)
    // One of them is due later.
    await eventually('both mails are counted', async () => {
      const metrics = await metricsOf(idle.service)
      return metrics['engagement_queue_depth{queue="mails"}'] === 2
    })

    const receiverLag = async (queue = 'deliveries') =>
      (await metricsOf(idle.service))[`engagement_receiver_oldest_age_seconds{queue="${queue}"}`]
    expect(await receiverLag()).toBe(0)
    await sql`
      insert into deliveries (workspace_id, webhook_id, event_id, status, attempts, status_code, duration_ms, last_attempt_at)
      select workspace_id, webhook_id, event_id, 'delivered', 1, 200, 1500, now() from deliveries where due_at is not null`
    await eventually('the lag counts as lag of the receiver', async () => (await lag('deliveries')) === 0)
    expect(await receiverLag()).toBeGreaterThanOrEqual(100)
    await sql`update deliveries set duration_ms = 20 where status = 'delivered'`
    await eventually('a fast receiver means lag of the service', async () => (await lag('deliveries'))! >= 100)
    expect(await receiverLag()).toBe(0)
    await sql`update webhooks set max_concurrency = 1`
    await eventually('the limit of the owner delays the receiver', async () => (await receiverLag())! >= 100)

    expect(await receiverLag('messages')).toBe(0)
    for (const channel of [
      { paused_until: new Date(Date.now() + 3_600_000), status: 'connected' },
      { paused_until: null, status: 'failing' },
    ]) {
      await sql`update channels set ${sql(channel)}`
      await eventually('the message waits for its provider', async () => (await lag('messages')) === 0)
      expect(await receiverLag('messages')).toBeWithin(200, 400)
      await sql`update channels set status = 'connected', paused_until = now() - interval '1 minute'`
      await eventually('the message waits for the service', async () => (await lag('messages'))! >= 200)
      expect(await receiverLag('messages')).toBe(0)
    }

    const unlock = await openTransaction(sql, tx => tx`lock table outbound_events in access exclusive mode`)
    await eventually('the metrics are reset', async () => (await lag('runs')) === undefined)
    const askedAt = performance.now()
    const [metrics] = await Promise.all([metricsOf(idle.service), metricsOf(idle.service)])
    expect(performance.now() - askedAt).toBeLessThan(5000)
    expect(Object.keys(metrics).filter(name => name.startsWith('engagement_receiver_oldest_age'))).toEqual([])
    expect(metrics.process_uptime_seconds).toBeGreaterThan(0)
    await unlock()
    await eventually('they are reported again', async () => (await lag('runs')) !== undefined)
  })
})

/**
 * Inserts one late row per queue, two for endpoints, and later ones of a disabled and a removed endpoint. Another mail is
 * due in an hour.
 */
const lateRows = async (sql: Database, workspaceId: string) => {
  const webhook = async (enabled: boolean) => {
    const [row] = await sql<{ id: string }[]>`
      insert into webhooks (workspace_id, url, events, enabled, secret)
      values (${workspaceId}, 'https://x.example', '{}', ${enabled}, 's') returning id`
    return row!.id
  }
  const delivery = (webhookId: string, seconds: number) => sql`
    insert into deliveries (workspace_id, webhook_id, event_id, due_at)
    values (${workspaceId}, ${webhookId}, uuidv7(), now() - make_interval(secs => ${seconds}))`
  await delivery(await webhook(false), 1000)
  const removed = await webhook(true)
  await delivery(removed, 2000)
  await sql`update webhooks set deleted_at = now() where id = ${removed}`
  await delivery(await webhook(true), 50)
  await delivery(await webhook(true), 100)
  const [channel] =
    await sql`insert into channels (workspace_id, kind, name) values (${workspaceId}, 'sandbox', 'c') returning id`
  const [conversation] = await sql`
    insert into conversations (workspace_id, channel_id, customer_id, handle)
    values (${workspaceId}, ${channel!.id}, uuidv7(), '+49') returning id, customer_id`
  await sql`
    insert into messages (workspace_id, channel_id, conversation_id, customer_id, direction, status, due_at)
    values (${workspaceId}, ${channel!.id}, ${conversation!.id}, ${conversation!.customer_id}, 'outbound', 'queued',
      now() - interval '200 seconds')`
  await sql`
    insert into workflow_runs (workspace_id, workflow_id, version, customer_id, event_id, wake_at)
    values (${workspaceId}, uuidv7(), 1, uuidv7(), uuidv7(), now() - interval '300 seconds')`
  await sql`
    insert into outbound_events (workspace_id, type, data, created_at)
    values (${workspaceId}, 'ping', '{}', now() - interval '400 seconds')`
  for (const age of ['500 seconds', '-1 hour'])
    await sql`select graphile_worker.add_job('send_mail', '{}', run_at := now() - ${age}::interval)`
}

test('"queues --watch" lists due rows with their rates every two seconds, until a signal', async () => {
  const database = await testDatabase()
  undo.push(() => database.drop())
  const { sql } = database
  const workspaceId = await newWorkspace(sql)
  await lateRows(sql, workspaceId)
  // Messages of a failing channel are listed with their age.
  await sql`update channels set status = 'failing'`
  const worker = new LeaseHolder(sql)
  await worker.renew()
  const child = Bun.spawn([process.execPath, 'src/main.ts', 'queues', '--watch', '--json'], {
    env: { PATH: process.env.PATH!, HOME: process.env.HOME!, DATABASE_URL: database.url },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  undo.push(async () => child.kill('SIGKILL'))
  const outputs: { queue: string; depth: number; oldestSeconds: number; perSecond: number | null }[][] = []
  for await (const line of child.stdout.pipeThrough(new TextDecoderStream())) {
    outputs.push(JSON.parse(line))
    if (outputs.length === 2) child.kill('SIGTERM')
    else {
      await sql`
        insert into hourly_stat_changes (workspace_id, hour, attempts, messages_sent, runs_started)
        values (${workspaceId}, date_trunc('hour', now(), 'UTC'), 500, 200000, 8000000)`
      await sql`
        insert into outbound_events (workspace_id, type, data, fanned_out_at)
        select ${workspaceId}, 'ping', '{}', clock_timestamp() from generate_series(1, 12000)`
      Object.assign(worker.counts, { settledRecipients: 20, mailAttempts: 1e9 })
      await worker.renew()
    }
  }
  expect(await child.exited).toBe(0)
  const [first, second] = outputs
  expect(first!.map(({ queue, depth }) => [queue, depth])).toEqual([
    ['deliveries', 2],
    ['outbound events', 1],
    ['messages', 1],
    ['runs', 1],
    ['campaigns', 0],
    ['mails', 1],
  ])
  for (const [index, seconds] of [100, 400, 200, 300].entries())
    expect(first![index]!.oldestSeconds).toBeWithin(seconds, seconds + 30)
  expect(first![5]!.oldestSeconds).toBeWithin(500, 530)
  expect(first![4]!.oldestSeconds).toBeNull()
  expect(first!.map(({ perSecond }) => perSecond)).toEqual([0, 0, 0, 0, 0, 0])
  // Two seconds passed, or more on a busy machine. Work of a process has the time between its heartbeats.
  for (const [index, count] of [500, 12_000, 200_000, 8_000_000, 20, 1e9].entries())
    expect(second![index]!.perSecond, second![index]!.queue).toBeWithin(count / 30, count / 1.9)
  expect(second![0]!.perSecond).toBeGreaterThan(50)
})

describe('/readyz', () => {
  const readiness = async (service: Pick<RunningService, 'port'>) => {
    const { status, body } = await ask(service, '/readyz')
    return `${status} ${body.problem ?? body.status}`
  }
  const becomes = (service: Pick<RunningService, 'port'>, expected: string) =>
    eventually(expected, async () => (await readiness(service)) === expected)

  const proxied = async (): Promise<DatabaseProxy> => {
    const proxy = await startProxy(world.database.url)
    undo.push(() => proxy.stop())
    return proxy
  }

  test('returns 200 with each role, as do /healthz and /metrics, but only the role http serves the API', async () => {
    for (const roles of ['http', 'worker', 'http,worker']) {
      const { service } = await startBeside({ ROLES: roles })
      expect(await readiness(service)).toBe('200 ready')
      expect((await ask(service, '/healthz')).status).toBe(200)
      expect((await metricsOf(service)).process_uptime_seconds).toBeGreaterThan(0)
      expect((await ask(service, '/v1/entitlements')).status).toBe(roles === 'worker' ? 404 : 401)
    }
  })

  test('reports an unreachable and an unresponsive database with each role, and recovers', async () => {
    const proxy = await proxied()
    const services = await Promise.all(['http', 'worker'].map(ROLES => startBeside({ ROLES }, proxy.url)))
    const allBecome = (expected: string) => Promise.all(services.map(({ service }) => becomes(service, expected)))
    await proxy.refuse()
    proxy.reset()
    await allBecome('503 The database cannot be reached.')
    for (const { service } of services) expect((await ask(service, '/healthz')).status).toBe(200)
    await proxy.accept()
    await allBecome('200 ready')
    await eventually('the database is reported as unresponsive', async () => {
      // Also freezes connections that were opened since.
      proxy.freeze()
      const all = await Promise.all(services.map(({ service }) => readiness(service)))
      return all.every(one => one === '503 The database has not answered within 2 seconds.')
    })
    proxy.reset()
    await allBecome('200 ready')
  })

  test('reports that notifications are not received', async () => {
    const proxy = await proxied()
    const direct = createPools(world.database.url)
    const { service } = await startBeside({ ROLES: 'worker' }, proxy.url, direct)
    await proxy.refuse()
    proxy.reset()
    await becomes(service, '503 Notifications are not being received from the database.')
    expect((await metricsOf(service)).engagement_listener_connected).toBe(0)
    await proxy.accept()
    await becomes(service, '200 ready')
    expect((await metricsOf(service)).engagement_listener_connected).toBe(1)
  })

  test('reports a read-only database, as do rejected requests, and recovers with it', async () => {
    const other = await startWorld()
    other.database.expectErrors('57P01', '25006', 'tasks:')
    undo.push(() => other.stop())
    const { sql } = other.database
    const name = new URL(other.database.url).pathname.slice(1)
    const restart = (setting: string) =>
      sql.unsafe(`alter database "${name}" ${setting};
        select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and pid <> pg_backend_pid()`)
    await restart('set default_transaction_read_only = on')
    await becomes(other.service, '503 The database does not accept writes.')
    const refused = await other.call('POST', '/v1/customers', { body: { phone: '+4915112345678' } })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    await restart('reset default_transaction_read_only')
    await becomes(other.service, '200 ready')
  })

  test('reports with each role that there is no workspace, until one is created', async () => {
    const empty = await testDatabase()
    undo.push(() => empty.drop())
    const start = (ROLES: string) => startBeside({ ROLES }, empty.url, createPools(empty.url))
    const services = [(await start('http')).service, (await start('worker')).service]
    const problem = 'There are no workspaces yet. Set OWNER_EMAIL and OWNER_PASSWORD, or run "workspace create".'
    for (const service of services) expect(await readiness(service)).toBe(`503 ${problem}`)
    await newWorkspace(empty.sql)
    for (const service of services) await becomes(service, '200 ready')
  })

  test('reports missing migrations, or a build that is too old for the database', async () => {
    const { sql } = world.database
    const { service } = await startBeside({ ROLES: 'http' })
    const [last] =
      await sql`delete from schema_migrations where name = (select max(name) from schema_migrations) returning *`
    await becomes(service, '503 The database lacks migrations. Run "migrate".')
    await sql`insert into schema_migrations ${sql(last!)}`
    await sql`insert into schema_migrations (name) values ('999_of_tomorrow')`
    await becomes(service, '200 ready')
    await sql`update schema_migrations set least_compatible = '999' where name = '999_of_tomorrow'`
    await eventually('it is too old', async () => /^503 .*999_of_tomorrow.* newer build/.test(await readiness(service)))
    await sql`delete from schema_migrations where name = '999_of_tomorrow'`
    await becomes(service, '200 ready')
  })

  test('queries the database at most once per second, for any number of callers', async () => {
    let statements = 0
    const counted = new Proxy(world.database.sql, {
      apply: (sql, self, given) => {
        statements += 1
        return Reflect.apply(sql as never, self, given)
      },
    })
    const readinessOf = createReadiness({
      sql: counted,
      stopping: () => false,
      diskFull: () => false,
      worker: () => null,
    })
    const began = performance.now()
    expect(await readinessOf()).toEqual({ ready: true })
    const once = statements
    expect(once).toBeGreaterThan(0)
    for (let i = 0; i < 20; i++) await Promise.all(Array.from({ length: 50 }, () => readinessOf()))
    const seconds = Math.ceil((performance.now() - began) / 1000)
    expect(statements).toBeLessThanOrEqual(once * seconds)
  })
})

describe('the log', () => {
  test('has a line per request with its caller and level, and the stack, caller request id and trace of a failure', async () => {
    const { service, lines } = await startBeside({ ROLES: 'http' })
    const { body: recorded } = await post(service, { type: 'logged', phone: '+4915112345678' })
    const refused = await post(service, { type: 'logged' })
    const call = { method: 'POST', path: '/v1/events', workspaceId: world.workspaceId, caller: world.key.id }
    expect(lines.filter(({ request_id }) => request_id === refused.body.request_id)).toMatchObject([
      { msg: 'request', ...call, status: 400, code: 'invalid_request', ms: expect.any(Number) },
    ])
    await world.database.sql`alter table api_keys rename to away`
    undo.push(async () => world.database.sql`alter table away rename to api_keys`)
    const { status, body } = await post(service, { type: 'logged', phone: '+4915112345678' })
    expect(status).toBe(500)
    expect(body.error).toEqual({ code: 'internal_error', message: expect.not.stringContaining('api_keys') })
    const requests = lines.filter(({ msg }) => msg === 'request')
    expect(requests.map(({ status, level, request_id }) => [status, level, request_id])).toEqual([
      [201, 20, expect.any(String)],
      [400, 30, refused.body.request_id],
      [500, 40, body.request_id],
    ])
    expect(recorded.recorded).toBe(true)
    const fault = lines.find(({ msg, request_id }) => msg === 'request failed' && request_id === body.request_id)
    expect(fault).toMatchObject({ level: 50, error: { message: expect.stringContaining('api_keys') } })
    expect((fault!.error as { stack: string }).stack).toMatch(/\n +at /)

    const trace = '0af7651916cd43dd8448eb211c80319c'
    const send = (headers: Record<string, string>) =>
      fetch(`http://127.0.0.1:${service.port}/v1/events`, {
        method: 'POST',
        headers: { 'X-API-Key': world.key.value, ...headers },
      })
    const answer = await send({ 'X-Request-Id': 'shop-42:7f', traceparent: `00-${trace}-b7ad6b7169203331-01` })
    const requestId = answer.headers.get('x-request-id')
    expect(requestId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    const about = lines.filter(line => line.request_id === requestId)
    expect(about.map(({ msg, callerRequestId, trace_id }) => [msg, callerRequestId, trace_id])).toEqual([
      ['request failed', 'shop-42:7f', trace],
      ['request', 'shop-42:7f', trace],
    ])
    expect(JSON.stringify(lines)).not.toContain(world.key.value)
    lines.length = 0
    await send({ 'X-Request-Id': `a"b${'x'.repeat(200)}`, traceparent: `00-${'0'.repeat(32)}-b7ad6b7169203331-01` })
    expect(lines).toHaveLength(2)
    for (const line of lines)
      for (const field of ['callerRequestId', 'trace_id']) expect(line).not.toHaveProperty(field)
  })

  test('has a line at debug for each request for a page, which is counted under one name for each kind of page', async () => {
    const { service, lines } = await startBeside({ ROLES: 'http' })
    const html = { Accept: 'text/html' }
    const home = await ask(service, '/', { headers: html })
    const file = /\/assets\/[^"]+\.js/.exec(home.body)![0]
    const routes: Record<string, string> = {
      '/healthz': '/healthz',
      '/readyz': '/readyz',
      '/docs': '/docs',
      '/docs/start': '/docs',
      '/docs/nothing': '/docs',
      '/customers/any': '/',
      [file]: '/assets/:file',
    }
    for (const [path, route] of Object.entries(routes)) {
      lines.length = 0
      const response = await fetch(`http://127.0.0.1:${service.port}${path}`, {
        headers: { ...html, 'X-Request-Id': 'probe-1' },
      })
      await response.bytes()
      expect(
        lines.filter(({ msg }) => msg === 'request'),
        path,
      ).toMatchObject([
        {
          level: 20,
          request_id: response.headers.get('x-request-id'),
          callerRequestId: 'probe-1',
          method: 'GET',
          path: route,
          status: response.status,
          ms: expect.any(Number),
        },
      ])
    }
    const metrics = await metricsOf(service)
    const counted = Object.entries(metrics).filter(([name]) => name.startsWith('engagement_http_requests_total'))
    const count = (route: string, status: number) => [
      `engagement_http_requests_total{method="GET",route="${route}",status="${status}"}`,
      1,
    ]
    expect(Object.fromEntries(counted)).toEqual(
      Object.fromEntries([
        ...['/healthz', '/readyz', '/assets/:file'].map(route => count(route, 200)),
        [count('/docs', 200)[0], 2],
        count('/docs', 404),
        [count('/', 200)[0], 2],
      ]),
    )
  })

  test('contains the network address of a failed sign-in, with and without an account, and of no other request', async () => {
    const { service, lines } = await startBeside({ ROLES: 'http', RATE_LIMIT_SIGN_IN: '3' })
    const headers = { 'Content-Type': 'application/json' }
    const statuses: number[] = []
    for (const [email, password] of [
      ['nobody@spray.example', 'wrong password'],
      [world.owner.email, 'wrong password'],
      [world.owner.email, 'wrong password'],
      [world.owner.email, world.owner.password],
      [world.owner.email, 'wrong password'],
    ]) {
      const init = { method: 'POST', headers, body: JSON.stringify({ email, password }) }
      statuses.push((await ask(service, '/v1/auth/sign-in', init)).status)
    }
    await post(service, { type: 'logged' })
    expect(statuses).toEqual([401, 401, 401, 200, 429])
    const requests = lines.filter(({ msg }) => msg === 'request')
    expect(requests.map(({ address }) => address)).toEqual([
      ...Array(3).fill('127.0.0.1'),
      undefined,
      '127.0.0.1',
      undefined,
    ])
  })

  test('contains the error of one event of a batch, and the answer reports it without details', async () => {
    const { service, lines } = await startBeside({ ROLES: 'http' })
    const { sql } = world.database
    await sql`alter table events add constraint unforeseen check (type <> 'cursed') not valid`
    undo.push(async () => sql`alter table events drop constraint unforeseen`)
    const events = ['blessed', 'cursed', 'blessed'].map(type => ({ type, phone: '+4915112345678' }))
    const { status, body } = await post(service, { events }, '/v1/events/batch')
    expect([status, body.data.map((one: { status: number }) => one.status)]).toEqual([200, [201, 500, 201]])
    expect(body.data[1]).toEqual({
      status: 500,
      error: { code: 'internal_error', message: expect.not.stringContaining('unforeseen') },
    })
    const { request_id } = lines.find(({ msg }) => msg === 'request')!
    const failure = lines.find(({ msg }) => msg === 'part of a request failed')
    const error = { message: expect.stringContaining('unforeseen') }
    expect(failure).toMatchObject({ level: 50, request_id, error })
    const asOwner = { headers: { Authorization: `Bearer ${world.owner.token}` } }
    const { body: notAccepted } = await ask(service, '/v1/activity/not-accepted', asOwner)
    expect(notAccepted.data.filter((one: { code: string }) => one.code === 'internal_error')).toEqual([])
  })
})
