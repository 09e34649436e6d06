/** Helpers for fault tests: processes of a shop with a complete workflow, load for it, and checks of the recorded data. */
import { afterEach, expect } from 'bun:test'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifyAll } from '../../src/app/cli/verify.ts'
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/index.ts'
import { connect, type Database, withRetry } from '../../src/platform/postgres/client.ts'
import { startProxy } from '../platform/postgres/proxy.ts'
import { testDatabase, testServer } from '../support/database.ts'
import { endProcesses, startProcess } from '../support/process.ts'
import { type Behaviour, type Receiver, respond, startReceiver } from '../support/receiver.ts'
import {
  inbound,
  messagesBody,
  signWhatsApp,
  statusOf,
  type WhatsApp,
  type WrittenToWhatsApp,
} from '../support/whatsapp.ts'
import { eventually } from '../support/world.ts'

export const owner = { email: 'owner@shop.example', password: 'correct horse battery' }

/** Errors expected by tests that end connections or processes or stop the database. Used with `expectErrors`. */
export const connectionsLost = [
  ...'57P01 57P02 57P03 08006 ECONNREFUSED ECONNRESET CONNECTION_CLOSED CONNECTION_SILENT CONNECT_TIMEOUT'.split(' '),
  'tasks:',
  'request failed: {"type":"OutcomeUnknown"',
]

/** Settings of a process that creates the workspace on its first start and can reach the receivers. */
export const shopSettings = (databaseUrl: string, receivers: Receiver[], more: Record<string, string> = {}) => ({
  DATABASE_URL: databaseUrl,
  OWNER_EMAIL: owner.email,
  OWNER_PASSWORD: owner.password,
  WEBHOOK_ALLOWED_PRIVATE_TARGETS: receivers.map(({ target }) => target).join(','),
  ...more,
})

export interface Shop {
  /** API key. */
  key: string
  /** Ids of the endpoints, one per receiver. */
  webhooks: string[]
  /** Calls an operation as the owner at this URL. Fails unless the response has the status. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the answer holds, and fails where it does not
  expect(status: number, url: string, method: string, path: string, body?: unknown): Promise<any>
}

/**
 * Creates a workflow that sends a message for every `order.created`, and an endpoint per receiver for the message
 * statuses. Everything is stored in the database, so any process on it can be used afterwards.
 */
export const openShop = async (url: string, receivers: Receiver[]): Promise<Shop> => {
  let token = ''
  const ask: Shop['expect'] = async (status, at, method, path, body) => {
    const headers = {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    }
    const response = await fetch(`${at}${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (response.status !== status) throw new Error(`${method} ${path}: ${response.status}, not ${status}: ${text}`)
    return text === '' ? null : JSON.parse(text)
  }
  token = (await ask(200, url, 'POST', '/v1/auth/sign-in', owner)).token
  const { key } = await ask(201, url, 'POST', '/v1/api-keys', { name: 'shop system' })
  await ask(201, url, 'POST', '/v1/channels', { kind: 'sandbox', name: 'Sandbox' })
  const steps = { thanks: { type: 'send_message', text: 'Thank you', next: null } }
  const definition = { trigger: { eventType: 'order.created' }, start: 'thanks', steps }
  const workflow = await ask(201, url, 'POST', '/v1/workflows', { name: 'Thanks', definition })
  await ask(200, url, 'POST', `/v1/workflows/${workflow.id}/publish`)
  await ask(200, url, 'PATCH', `/v1/workflows/${workflow.id}`, { enabled: true })
  const webhooks: string[] = []
  for (const receiver of receivers) {
    const webhook = await ask(201, url, 'POST', '/v1/webhooks', { url: receiver.url, events: ['message.status'] })
    webhooks.push(webhook.id)
  }
  return { key, webhooks, expect: ask }
}

interface Wanted {
  /** Behaviour of each receiver. Defaults to one that answers 200. */
  behaviours?: Behaviour[]
  /** Number of processes. Defaults to 1. */
  processes?: number
  settings?: Record<string, string>
  /** Errors that the database and the processes may log, as for `expectErrors`. */
  errors?: string[]
  /** Database to use instead of a new test database. It remains afterwards. */
  url?: string
  empty?: boolean
  proxied?: boolean
  /** Stand-in to connect a channel with. */
  whatsapp?: WhatsApp
}

export type Started = Awaited<ReturnType<ReturnType<typeof useProcesses>['start']>>

/**
 * Fails if records of the database are incomplete or do not match the counters. It can run at any time. A restart of
 * the server has ended the idle connections.
 */
export const expectVerified = async (sql: Database): Promise<void> => {
  const { differing, differences } = await withRetry(() => verifyAll(sql))
  expect({ differing, differences }).toEqual({ differing: zeroFor(differing), differences: [] })
}

const zeroFor = <T extends object>(counts: T) => Object.fromEntries(Object.keys(counts).map(name => [name, 0])) as T

/**
 * Starts processes for tests. Ends all processes, and then everything that was passed to `atEnd` in reverse order, when
 * `hook` runs: by default after each test. Before that, it verifies the records of each database.
 */
export const useProcesses = (hook: (end: () => Promise<void>) => void = afterEach) => {
  const ends: (() => unknown)[] = []
  const atEnd = (...more: (() => unknown)[]) => void ends.push(...more)
  const verified: Database[] = []
  hook(async () => {
    await endProcesses()
    try {
      for (const sql of verified.splice(0)) await expectVerified(sql)
    } finally {
      for (const end of ends.splice(0).reverse()) await end()
    }
  })
  /** Makes the database, the receivers and the settings of processes. */
  const prepare = async ({ behaviours = [respond()], proxied = false, whatsapp, ...wanted }: Wanted = {}) => {
    const { url, sql } = await databaseFor(wanted)
    if (!wanted.empty) verified.push(sql)
    const receivers = await Promise.all(behaviours.map(behaviour => startReceiver({ behaviour })))
    atEnd(...receivers.map(receiver => receiver.stop))
    const proxy = proxied ? await startProxy(url) : null
    if (proxy) atEnd(proxy.stop)
    const settings: Record<string, string> = {
      ...shopSettings(proxy?.url ?? url, receivers, wanted.settings),
      ...(whatsapp && whatsAppSettings(whatsapp)),
    }
    return { sql, receivers, receiver: receivers[0]!, proxy: proxy!, settings }
  }
  /** Starts processes on one database, with a shop and a WhatsApp channel if one is wanted. */
  const start = async (wanted: Wanted = {}) => {
    const prepared = await prepare(wanted)
    const { settings, receivers } = prepared
    const services = await Promise.all(Array.from({ length: wanted.processes ?? 1 }, () => startProcess(settings)))
    const service = services[0]!
    const shop = await openShop(service.url, receivers)
    const channel = wanted.whatsapp && (await connectWhatsApp(shop.expect, service.url, wanted.whatsapp))
    return {
      ...prepared,
      services,
      service,
      shop,
      /** Calls an operation as the owner at the first process. */
      ask: (status: number, method: string, path: string, body?: unknown) =>
        shop.expect(status, service.url, method, path, body),
      /** Starts load at a process while it runs. */
      load: (at = service, callers?: number, pauseMs?: number) =>
        startLoad(() => (at.running ? at.url : null), shop.key, callers, pauseMs),
      /** URL of the callbacks of the WhatsApp channel at each process. */
      callbackUrls: channel ? services.map(({ url }) => url + channel.path) : [],
    }
  }
  const databaseFor = async ({ url, empty = false, errors = [] }: Wanted) => {
    if (url === undefined && !empty) {
      const database = await testDatabase()
      database.expectErrors(...errors)
      atEnd(database.drop)
      return database
    }
    const server = await testServer()
    const name = `empty_${crypto.randomUUID().replaceAll('-', '')}`
    const found = url ?? (await server.ensureDatabase(name))
    const sql = connect({ url: found, applicationName: 'test', max: 4 })
    if (url === undefined) atEnd(() => server.dropDatabase(name))
    atEnd(() => sql.end({ timeout: 1 }))
    return { url: found, sql }
  }
  return { prepare, start, atEnd }
}

/** Result of one request of the load. */
export interface Sent {
  order: Order
  /** Milliseconds, from performance.now(). */
  sentAt: number
  answeredAt: number
  /** null = the connection ended without a response. */
  status: number | null
  retryAfter: string | null
  // biome-ignore lint/suspicious/noExplicitAny: as above
  body: any
}

export type Load = ReturnType<typeof startLoad>

let orders = 0

/** Overrides of an order. By default it has a unique idempotency key and a unique customer. */
interface Order {
  idempotencyKey?: string
  phone?: string
}

/** Sends one order. */
export const sendOrder = async (url: string, key: string, wanted: Order = {}): Promise<Sent> => {
  const number = ++orders
  const order = { idempotencyKey: `order-${number}`, phone: `+49151${String(10_000_000 + number)}`, ...wanted }
  const headers = { 'Content-Type': 'application/json', 'X-API-Key': key }
  const body = JSON.stringify({ type: 'order.created', ...order, data: { number } })
  const sentAt = performance.now()
  const answer = await fetch(`${url}/v1/events`, { method: 'POST', headers, body })
    .then(async response => ({
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      body: await response.json(),
    }))
    .catch(error => ({ status: null, retryAfter: null, body: error }))
  return { order, sentAt, answeredAt: performance.now(), ...answer }
}

/** Starts callers that repeat the work. Returns a function that stops them and waits for the end of their work. */
export const repeat = (callers: number, work: () => Promise<unknown>) => {
  let going = true
  const caller = async () => {
    while (going) await work()
  }
  const done = Promise.all(Array.from({ length: callers }, caller))
  // The caller of the returned function gets the rejection. After a failed test there is no such caller.
  done.catch(() => {})
  return async () => {
    going = false
    await done
  }
}

/** Starts callers that send orders one after the other to the URL that `url` returns. null = wait. */
export const startLoad = (url: () => string | null, key: string, callers = 8, pauseMs = 5) => {
  const sent: Sent[] = []
  let inFlight = 0
  const stop = repeat(callers, async () => {
    const at = url()
    if (at !== null) {
      inFlight++
      sent.push(await sendOrder(at, key))
      inFlight--
    }
    await pause(pauseMs)
  })
  return {
    sent: sent as readonly Sent[],
    /** Returns the number of requests without a response yet. */
    inFlight: () => inFlight,
    /** Stops sending. Resolves once every request has a response or has failed. */
    stop: async (): Promise<readonly Sent[]> => {
      await stop()
      return sent
    },
  }
}

/** Returns the requests answered with 201. */
export const recordedOf = (sent: readonly Sent[]): Sent[] => sent.filter(({ status }) => status === 201)

/**
 * Fails unless each order answered with 201 exists exactly once, with exactly one run, one message and one outbound
 * event. Also fails if an order exists twice. Waits until the service has processed everything.
 */
export const expectBooksToBalance = async (sql: Database, sent: readonly Sent[], withinMs = 10_000): Promise<void> => {
  const ids = recordedOf(sent).map(({ body }) => body.event.id as string)
  expect(new Set(ids).size).toBe(ids.length)
  const count = async () => {
    const [row] = await sql`
      select count(*)::integer as lines, count(distinct e.id)::integer as events, count(distinct r.id)::integer as runs,
        count(distinct m.id)::integer as messages, count(distinct o.id)::integer as outbound
      from events e
      left join workflow_runs r on r.workspace_id = e.workspace_id and r.event_id = e.id
      left join messages m on m.workspace_id = r.workspace_id and m.run_id = r.id
      left join outbound_events o on o.workspace_id = m.workspace_id and o.data ->> 'providerMessageId' = m.provider_message_id
      where e.id = any(${ids}::uuid[])`
    return row!
  }
  const n = ids.length
  await eventually('every order is processed', async () => (await count()).outbound >= n, withinMs).catch(() => {})
  expect({ ...(await count()) }).toEqual({ lines: n, events: n, runs: n, messages: n, outbound: n })
  const [twice] = await sql`
    select count(*)::integer as count from (
      select 1 from events where idempotency_key is not null group by idempotency_key having count(*) > 1) as t`
  expect(twice!.count).toBe(0)
  await expectVerified(sql)
}

/** Condition on `o`. Faults of receivers also cause operational events, which no endpoint of these tests gets. */
const isSubscribed = (sql: Database) => sql`exists (
  select from webhooks w where w.workspace_id = o.workspace_id and o.type = any(w.events))`

/** Fails unless every receiver gets every outbound event of a subscribed type at least once, including those that are still due. */
export const expectAllToldTo = async (sql: Database, receivers: Receiver[], withinMs = 15_000): Promise<void> => {
  const nothingDue = async () => {
    const [row] = await sql`
      select not exists (select 1 from workflow_runs where wake_at is not null)
        and not exists (select 1 from messages where due_at is not null) as done`
    return row!.done as boolean
  }
  await eventually('every run and every message is done', nothingDue, withinMs)
  const rows = await sql<{ id: string }[]>`select id from outbound_events o where ${isSubscribed(sql)}`
  for (const receiver of receivers) {
    const missing = () => {
      const told = new Set(receiver.requests.map(eventIdOf))
      return rows.filter(({ id }) => !told.has(id)).length
    }
    await eventually('every outbound event arrived', () => missing() === 0, withinMs).catch(error => {
      throw new Error(`${error.message}; ${missing()} of ${rows.length} are missing at ${receiver.target}`)
    })
  }
}

/** Returns the longest time from recording an order to the arrival of its webhook, in milliseconds. */
export const maxWait = async (sql: Database, receiver: Receiver): Promise<number> => {
  const rows = await sql<{ id: string; recordedAt: Date }[]>`
    select o.id, e.created_at as "recordedAt"
    from outbound_events o
    join messages m on m.workspace_id = o.workspace_id and m.provider_message_id = o.data ->> 'providerMessageId'
    join workflow_runs r on r.workspace_id = m.workspace_id and r.id = m.run_id
    join events e on e.workspace_id = r.workspace_id and e.id = r.event_id`
  const firstArrivals = new Map<string, number>()
  for (const request of receiver.requests.toReversed())
    firstArrivals.set(eventIdOf(request), request.receivedAt.getTime())
  return Math.max(0, ...rows.map(({ id, recordedAt }) => (firstArrivals.get(id) ?? Infinity) - recordedAt.getTime()))
}

/** Returns the outbound event id of a request. */
export const eventIdOf = (request: { headers: Record<string, string> }): string =>
  request.headers['x-service-event-id']!

/**
 * Fails unless every delivery is delivered, its attempts are numbered without a gap, and only the last one succeeded.
 */
export const expectDeliveriesToAgree = async (sql: Database, withinMs = 15_000): Promise<void> => {
  const allDone = async () => {
    const [row] = await sql`
      select exists (select 1 from deliveries) and not exists (select 1 from deliveries where status <> 'delivered')
        and not exists (select 1 from outbound_events o where fanned_out_at is null and ${isSubscribed(sql)}) as done`
    return row!.done as boolean
  }
  await eventually('every delivery is recorded as delivered', allDone, withinMs)
  const odd = await sql`
    select d.id, d.attempts, a.* from deliveries d cross join lateral (
      select count(*)::integer as made, min(number)::integer as first, max(number)::integer as last,
        (count(*) filter (where error is null))::integer as good, max(number) filter (where error is null) as good_number
      from delivery_attempts a where a.workspace_id = d.workspace_id and a.delivery_id = d.id) as a
    where a.made <> d.attempts or a.first <> 1 or a.last <> d.attempts or a.good <> 1 or a.good_number <> d.attempts`
  expect([...odd]).toEqual([])
}

/** Fails unless everything that was recorded was processed once, and reached every receiver. */
export const expectNothingLost = async ({ sql, receivers }: Started, sent: readonly Sent[]): Promise<void> => {
  await expectBooksToBalance(sql, sent)
  await expectAllToldTo(sql, receivers)
  await expectDeliveriesToAgree(sql)
}

/** Fails unless every response is a recorded event, or a 503 that asks the caller to retry. */
export const expectOnlyRecordsOrEnvelopes = (sent: readonly Sent[]): void => {
  for (const { status, retryAfter, body } of sent.filter(({ status }) => status !== 201)) {
    expect({ status, retryAfter, body }).toEqual({
      status: 503,
      retryAfter: '1',
      body: {
        error: {
          code: 'internal_error',
          message: expect.any(String),
          details: { reason: expect.stringMatching(/^(overloaded|database_unavailable)$/) },
        },
        request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    })
  }
}

/** Settings with which a process can reach this WhatsApp and encrypt its credentials. */
export const whatsAppSettings = (whatsapp: WhatsApp): Record<string, string> => ({
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  WHATSAPP_API_URL: whatsapp.apiUrl,
})

/** Connects a WhatsApp channel and returns its id and the callback path, which is the same on every process. */
export const connectWhatsApp = async (ask: Shop['expect'], url: string, whatsapp: WhatsApp) => {
  const body = { kind: 'whatsapp_cloud', name: 'WhatsApp', credentials: whatsapp.credentials }
  const { id } = await ask(201, url, 'POST', '/v1/channels', body)
  return { id: id as string, path: `/v1/inbound/whatsapp/${id}` }
}

/** Returns a callback with these messages, in this order. */
export const callbackOf = (whatsapp: WhatsApp, ...messages: WrittenToWhatsApp[]): string =>
  messagesBody(...messages.map(message => inbound(whatsapp, message)))

/** Returns a callback with one status. */
export const callbackOfStatus = (whatsapp: WhatsApp, message: WhatsApp['sent'][number], status: string): string =>
  messagesBody(statusOf(whatsapp, message, status, {}))

/** Response to a callback. A null status means that the connection ended without a response. */
export interface CalledBack {
  status: number | null
  retryAfter: string | null
  tookMs: number
}

/** Posts a callback once, with a WhatsApp signature. */
export const callBack = async (url: string, whatsapp: WhatsApp, body: string): Promise<CalledBack> => {
  const from = performance.now()
  const headers = {
    'Content-Type': 'application/json',
    'X-Hub-Signature-256': signWhatsApp(whatsapp.credentials.appSecret, body),
  }
  const answer = await fetch(url, { method: 'POST', headers, body })
    .then(async response => {
      await response.text()
      return { status: response.status, retryAfter: response.headers.get('retry-after') }
    })
    .catch(() => ({ status: null, retryAfter: null }))
  return { ...answer, tookMs: since(from) }
}

/** Fails unless the callback was recorded, must be retried, or got no response. */
export const expectTakenOrToComeAgain = ({ status, retryAfter }: CalledBack): void => {
  if (status === 200 || status === null) return
  expect({ status, retryAfter }).toEqual({ status: 503, retryAfter: expect.stringMatching(/^[1-9][0-9]*$/) })
}

/** Returns the counts of customers' messages, of their conversations and customers, and of their events. */
export const booksOfMessages = async (sql: Database, ids: readonly string[]) => {
  const [row] = await sql`
    select count(*)::integer as messages, count(distinct provider_message_id)::integer as distinct,
      count(distinct conversation_id)::integer as conversations, count(distinct customer_id)::integer as customers,
      (select count(*)::integer from conversations where last_inbound_at is not null) as "allConversations",
      (select count(*)::integer from customers c where exists (select from conversations o where o.customer_id = c.id
        and o.last_inbound_at is not null)) as "allCustomers",
      (select coalesce(sum(unread), 0)::integer from conversations) as unread,
      (select count(*)::integer from outbound_events where type = 'message.received') as told
    from messages where provider_message_id = any(${[...ids]}::text[])`
  return { ...row! }
}

const repeatMs = 50

/** Posts a callback until it is answered with 200, as the provider would, at the current URL of the service. */
export const callBackUntilTaken = async (
  url: () => string | null,
  whatsapp: WhatsApp,
  body: string,
  withinMs = 60_000,
): Promise<void> => {
  const from = performance.now()
  for (;;) {
    const at = url()
    const answer = at === null ? null : await callBack(at, whatsapp, body)
    if (answer) expectTakenOrToComeAgain(answer)
    if (answer?.status === 200) return
    if (since(from) > withinMs) throw new Error(`a callback was not taken within ${withinMs} ms`)
    await pause(repeatMs)
  }
}

/** Returns the milliseconds since `at`, from performance.now(). */
export const since = (at: number): number => Math.round(performance.now() - at)

/** Behaviour that answers after `ms` milliseconds. */
export const after =
  (ms: number, status = 200): Behaviour =>
  (socket, request) =>
    setTimeout(() => respond(status)(socket, request), ms)

/** Ends every database connection of the application, like an administrator, and returns their number. */
export const terminate = async (sql: Database, applicationName: string): Promise<number> => {
  const ended = await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name like ${applicationName} and pid <> pg_backend_pid()`
  return ended.length
}

/** Waits for a fixed time, when there is no event to wait for. */
export const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

/** Starts a PostgreSQL server that no other test uses. */
export const startOwnPostgres = async (durable = true) => {
  const dataDir = newDataDir()
  const postgres = await startEmbeddedPostgres({ dataDir, durable })
  const stop = async () => {
    await postgres.release()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { ...postgres, dataDir, stop }
}

/**
 * Creates a data folder for a separate embedded PostgreSQL. It is accessible to all, because under root the server runs
 * as another user.
 */
export const newDataDir = (): string => {
  const dataDir = mkdtempSync(join(tmpdir(), 'faults-'))
  chmodSync(dataDir, 0o755)
  return dataDir
}
