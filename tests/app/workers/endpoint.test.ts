/** Tests the actors of endpoints: what a new process learns from the rows of earlier ones, and the lines of attempts. */
import { afterEach, beforeAll, expect, test } from 'bun:test'
import pino from 'pino'
import { classifyResponse, endpointActors } from '../../../src/app/workers/endpoint.ts'
import { HealthRecorder } from '../../../src/app/workers/health.ts'
import { readTransactionSnapshot, Watermark } from '../../../src/platform/postgres/watermark.ts'
import type { Tracer } from '../../../src/platform/tracing.ts'
import { newWorkspace, useDatabase } from '../../support/database.ts'
import { eventually } from '../../support/world.ts'

const database = useDatabase()
let workspaceId: string
beforeAll(async () => {
  workspaceId = await newWorkspace(database.sql)
})

const stop: AbortController[] = []
afterEach(() => {
  for (const controller of stop.splice(0)) controller.abort()
})

const permits = 16

type ActorDeps = Partial<Parameters<typeof endpointActors>[0]>

/** Starts the actors of a separate process. By default, their attempts do not end before the test. */
const startActors = (deps: ActorDeps = {}) => {
  const { sql } = database
  const controller = new AbortController()
  stop.push(controller)
  const under: string[] = []
  const kind = endpointActors({
    sql,
    watermark: new Watermark(() => readTransactionSnapshot(sql)),
    attempt: async ({ url, signal }) => {
      under.push(url)
      await new Promise(resolve => signal?.addEventListener('abort', resolve))
      return { kind: 'interrupted', statusCode: null, error: null, durationMs: 0, responseBody: null }
    },
    policy: { timeoutMs: 10_000, retryDelaysMs: [] },
    maxInFlight: permits,
    log: pino({ level: 'silent' }),
    onLate: () => {},
    onAttempt: () => {},
    health: new HealthRecorder(async () => [], pino({ level: 'silent' })),
    keyring: null,
    ...deps,
  })
  const handle = async (id: string, limit = 1) => {
    const actor = { kind: 'endpoint', workspaceId, id }
    for (const row of await kind.read(actor, limit, [])) void kind.handle(actor, row, controller.signal, () => {})
  }
  return {
    handle,
    kind,
    stop: () => controller.abort(),
    under: (path: string) => under.filter(url => url.includes(path)).length,
  }
}

interface Attempted {
  statusCode: number | null
  durationMs: number
  agoMs: number
}

/** Creates an endpoint with one delivery due for the first time and optionally one that was attempted. */
const endpoint = async (path: string, attempted: Attempted | null): Promise<string> => {
  const { sql } = database
  const [row] = await sql<{ id: string }[]>`
    insert into webhooks (workspace_id, url, events, secret)
    values (${workspaceId}, ${`https://shop.example/${path}/${crypto.randomUUID()}`}, '{}', 's') returning id`
  const [event] = await sql<{ id: string }[]>`
    insert into outbound_events (workspace_id, type, data, fanned_out_at)
    values (${workspaceId}, 'message.status', '{}', now()) returning id`
  const webhookId = row!.id
  if (attempted) {
    const { statusCode, durationMs, agoMs } = attempted
    await sql`
      insert into deliveries (workspace_id, webhook_id, event_id, attempts, status, status_code, duration_ms,
        last_attempt_at, due_at)
      values (${workspaceId}, ${webhookId}, ${event!.id}, 1, ${statusCode ? 'delivered' : 'retrying'}, ${statusCode},
        ${durationMs}, now() - ${agoMs} * interval '1 millisecond',
        ${statusCode ? null : sql`now() + interval '1 minute'`})`
  }
  await sql`
    insert into deliveries (workspace_id, webhook_id, event_id, due_at)
    values (${workspaceId}, ${webhookId}, ${event!.id}, now())`
  return webhookId
}

const hung: Attempted = { statusCode: null, durationMs: 10_000, agoMs: 20_000 }
const answered: Attempted = { statusCode: 200, durationMs: 20, agoMs: 20_000 }

const endpoints = (path: string, count: number, attempted: Attempted | null) =>
  Promise.all(Array.from({ length: count }, () => endpoint(path, attempted)))

test.each([
  ['hung for others, a moment ago', hung, permits / 2],
  ['were never attempted', null, (permits * 3) / 4],
  ['hung half an hour ago', { ...hung, agoMs: 1_800_000 }, (permits * 3) / 4],
  ['were refused a connection', { ...hung, durationMs: 3 }, (permits * 3) / 4],
  ['answered', answered, permits],
] as const)('endpoints that %s get the permits for their known health: %#', async (_, attempted, held) => {
  const path = crypto.randomUUID()
  const actors = startActors()
  for (const id of await endpoints(path, permits + 4, attempted)) await actors.handle(id)
  await eventually('the maximum number of attempts is in progress', () => actors.under(path) === held)
})

test.each(['delivered', 'interrupted'])(
  'a line names an attempt that is %s, with the trace that the receiver got',
  async status => {
    const lines: Record<string, unknown>[] = []
    const log = pino({ level: 'debug' }, { write: line => lines.push(JSON.parse(line)) })
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const tracer: Tracer = { start: () => ({ traceparent, end: () => {} }), stop: () => Promise.resolve() }
    const received: (string | undefined)[] = []
    const attempt: ActorDeps['attempt'] = async ({ headers, signal }) => {
      received.push(headers.traceparent)
      if (status === 'delivered')
        return { kind: 'delivered', statusCode: 200, error: null, durationMs: 3, responseBody: '' }
      await new Promise(resolve => signal?.addEventListener('abort', resolve))
      return { kind: 'interrupted', statusCode: null, error: null, durationMs: 3, responseBody: null }
    }
    const actors = startActors({ attempt, log, tracer })
    const webhookId = await endpoint('logged', null)
    await actors.handle(webhookId)
    await eventually('it is attempted', () => received.length === 1)
    expect(received).toEqual([traceparent])
    if (status === 'interrupted') actors.stop()
    const line = await eventually('it is logged', () => lines.find(({ msg }) => msg === 'delivery attempted'))
    const ids = { workspaceId, webhookId, deliveryId: expect.any(String), eventId: expect.any(String) }
    expect(line).toMatchObject({ ...ids, trace_id: traceparent.slice(3, 35), number: 1, status })
    expect(line.level).toBe(status === 'delivered' ? 20 : 30)
  },
)

test.each([
  [200, 'success'],
  [404, 'success'],
  [429, 'overload'],
  [499, 'success'],
  [500, 'overload'],
  [503, 'overload'],
  [null, 'none'],
] as const)('the concurrency limit takes a response with the status %p as %s', (statusCode, kind) => {
  expect(classifyResponse({ statusCode })).toBe(kind)
})
