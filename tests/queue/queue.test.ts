/**
 * Tests that settled rows do not slow down queue reads, even while PostgreSQL cannot remove their dead index entries.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import pino from 'pino'
import { channelActors } from '../../src/app/workers/channel.ts'
import { endpointActors } from '../../src/app/workers/endpoint.ts'
import { HealthRecorder } from '../../src/app/workers/health.ts'
import { providers } from '../../src/messaging/channels/index.ts'
import { connect, type Database } from '../../src/platform/postgres/client.ts'
import { readTransactionSnapshot, Watermark } from '../../src/platform/postgres/watermark.ts'
import { QueueWatermarks, startKey } from '../../src/queue/queue.ts'
import { fanOut } from '../../src/webhooks/deliveries/index.ts'
import { claimDueRuns } from '../../src/workflows/index.ts'
import { useDatabase } from '../support/database.ts'
import { pagesOf, type Watched, watched } from '../support/plans.ts'
import { eventually } from '../support/world.ts'

const workspaceId = Bun.randomUUIDv7()
const endpoint = { kind: 'endpoint', workspaceId, id: Bun.randomUUIDv7() }
const channel = { kind: 'channel', workspaceId, id: Bun.randomUUIDv7() }
const eventId = Bun.randomUUIDv7()
const conversationId = Bun.randomUUIDv7()
const customerId = Bun.randomUUIDv7()
const settled = 20_000

const database = useDatabase()
let reader: Watched
let report: Database
beforeAll(async () => {
  reader = watched(database.url, 'custom')
  const { sql } = database
  await sql`insert into workspaces (id, name, plan_id) values (${workspaceId}, 'Shop', 'unlimited')`
  await sql`insert into webhooks (workspace_id, id, url, events, secret)
    values (${workspaceId}, ${endpoint.id}, 'https://example.com', '{message.status}', 'whsec_none')`
  await sql`insert into channels (workspace_id, id, kind, name) values (${workspaceId}, ${channel.id}, 'sandbox', 'Channel')`
  await sql`insert into customers (workspace_id, id, phone) values (${workspaceId}, ${customerId}, '+491511234567')`
  await sql`insert into conversations (workspace_id, id, channel_id, customer_id)
    values (${workspaceId}, ${conversationId}, ${channel.id}, ${customerId})`
  await sql`insert into outbound_events (workspace_id, id, type, data, fanned_out_at)
    values (${workspaceId}, ${eventId}, 'message.status', '{}', now())`
  // While this transaction is open, PostgreSQL cannot remove any row version that exists now.
  report = connect({ url: database.url, applicationName: 'report', max: 1 })
  await report`begin isolation level repeatable read`
  await report`select count(*) from deliveries`
  await settleMany(sql)
}, 60_000)
afterAll(async () => {
  await report?.end({ timeout: 1 })
  await reader?.end()
})

/** Inserts many rows that were due during the last hour and settles all of them. One more row is due. */
const settleMany = (sql: Database) =>
  sql.begin(async tx => {
    await tx`set local session_replication_role = replica`
    const dueAt = tx`now() - interval '1 hour' + n * interval '1 hour' / ${settled}`
    await tx`insert into deliveries (workspace_id, webhook_id, event_id, due_at)
      select ${workspaceId}, ${endpoint.id}, ${eventId}, ${dueAt} from generate_series(1, ${settled}::integer) n`
    await tx`insert into messages (workspace_id, channel_id, conversation_id, customer_id, direction, text, status, due_at)
      select ${workspaceId}, ${channel.id}, ${conversationId}, ${customerId}, 'outbound', 'Hello', 'queued', ${dueAt}
      from generate_series(1, ${settled}::integer) n`
    await tx`insert into outbound_events (workspace_id, type, data, created_at)
      select ${workspaceId}, 'message.status', '{}', ${dueAt} from generate_series(1, ${settled}::integer) n`
    await tx`insert into workflow_runs (workspace_id, workflow_id, version, customer_id, event_id, wake_at)
      select ${workspaceId}, ${eventId}, 1, ${customerId}, uuidv7(), ${dueAt} from generate_series(1, ${settled}::integer) n`
    await tx`update outbound_events set fanned_out_at = now()`
    await tx`update workflow_runs set status = 'done', wake_at = null`
    await tx`update deliveries set status = 'delivered', due_at = null`
    await tx`update messages set status = 'sent', due_at = null`
  })

const addDelivery = () => database.sql`
  insert into deliveries (workspace_id, webhook_id, event_id, due_at)
  values (${workspaceId}, ${endpoint.id}, ${eventId}, clock_timestamp())`
const addMessage = () => database.sql`
  insert into messages (workspace_id, channel_id, conversation_id, customer_id, direction, text, status, due_at)
  values (${workspaceId}, ${channel.id}, ${conversationId}, ${customerId}, 'outbound', 'Hello', 'queued', clock_timestamp())`

const silent = pino({ level: 'silent' })
const endpoints = (watermark: Watermark) =>
  endpointActors({
    sql: reader.sql,
    watermark,
    attempt: () => Promise.reject(new Error('nothing is sent here')),
    policy: { timeoutMs: 1000, retryDelaysMs: [] },
    maxInFlight: 64,
    log: silent,
    onLate: () => {},
    onAttempt: () => {},
    health: new HealthRecorder(async () => [], silent),
    keyring: null,
  })
const channels = (watermark: Watermark) => channelActors({ sql: reader.sql, watermark, providers, log: silent })

/** Returns the number of pages that all statements read together. */
const pagesFor = async (work: () => Promise<unknown>): Promise<number> => {
  reader.executed()
  await work()
  return reader.executed().reduce((sum, { plan }) => sum + pagesOf(plan), 0)
}

const passing = (watermark: Watermark) =>
  eventually('a time has passed', async () => {
    await watermark.refresh()
    return watermark.passedMs > 0
  })

const manyPages = 120
const fewPages = 60

describe.each([
  ['an endpoint', endpoints, endpoint, addDelivery],
  ['a channel', channels, channel, addMessage],
] as const)('the queue of %s with many settled rows while a report is open', (_, actors, actor, add) => {
  test('is scanned completely once, and then from the watermark', async () => {
    const watermark = new Watermark(() => readTransactionSnapshot(database.sql))
    const kind = actors(watermark)
    await passing(watermark)
    expect(await pagesFor(() => kind.read(actor, 200, []))).toBeGreaterThan(manyPages)
    await add()
    const page: { id: string }[] = []
    expect(await pagesFor(async () => page.push(...(await kind.read(actor, 200, []))))).toBeLessThan(fewPages)
    expect(page).toHaveLength(1)
    const poll = () => kind.findDue(startKey, 500)
    expect(await pagesFor(poll)).toBeGreaterThan(manyPages)
    expect((await poll()).due).toEqual([{ workspaceId, id: actor.id }])
    expect(await pagesFor(poll)).toBeLessThan(fewPages)
    const inFlight = page.map(({ id }) => id)
    expect(await pagesFor(() => kind.read(actor, 200, inFlight))).toBeLessThan(fewPages)
    expect(await pagesFor(() => kind.dueInMs(actor))).toBeLessThan(fewPages)
  })
})

describe.each([
  ['the outbox', (from: Date) => fanOut(reader.sql, 200, from)],
  ['the runs', (from: Date) => claimDueRuns(reader.sql, { limit: 200, alone: true, claimMs: 5000, from })],
] as const)('%s with many settled rows while a report is open', (_, find) => {
  test('are scanned completely once, and then from the watermark', async () => {
    const watermark = new Watermark(() => readTransactionSnapshot(database.sql))
    await passing(watermark)
    const bounds = new QueueWatermarks(watermark)
    const read = async () => {
      const { from, complete: found } = bounds.startRead('all')
      found((await find(from)).firstMs)
    }
    expect(await pagesFor(read)).toBeGreaterThan(manyPages)
    expect(await pagesFor(read)).toBeLessThan(fewPages)
  })
})

describe('the lower bound of a queue', () => {
  const watermark = { passedMs: 5000, generation: 0 }
  const from = (bounds: QueueWatermarks, name = 'one') => bounds.startRead(name).from.getTime()

  test('is unknown before the first scan, then the time of the first row, up to the watermark, and never decreases', () => {
    const bounds = new QueueWatermarks(watermark)
    const fromAfter = (name: string, firstMs: number | null) => {
      bounds.startRead(name).complete(firstMs)
      return from(bounds, name)
    }
    expect(from(bounds)).toBe(0)
    // Another worker may have claimed the first row.
    expect(fromAfter('one', 3000)).toBe(3000)
    expect(from(bounds, 'other')).toBe(0)
    expect([fromAfter('empty', null), fromAfter('due later', 7000)]).toEqual([5000, 5000])
    expect(fromAfter('one', 2000)).toBe(3000)
  })

  test('uses the watermark from before the scan, and is forgotten when the database may have failed over', () => {
    const moving = { passedMs: 1000, generation: 0 }
    const bounds = new QueueWatermarks(moving)
    const read = bounds.startRead('one')
    moving.passedMs = 9000
    read.complete(null)
    expect(from(bounds)).toBe(1000)
    const running = bounds.startRead('two')
    moving.generation = 1
    expect(from(bounds)).toBe(0)
    running.complete(null)
    expect(from(bounds, 'two')).toBe(0)
  })
})
