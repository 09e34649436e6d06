/** Tests through HTTP that the requests of one workspace do not block others, with tables locked by the test. */
import { afterEach, beforeAll, expect, test } from 'bun:test'
import { createPools } from '../../src/app/pools.ts'
import { lockTeam } from '../../src/core/locks.ts'
import type { Log } from '../../src/platform/log.ts'
import type { Sql } from '../../src/platform/postgres/client.ts'
import { bearer, eventually, useWorld } from '../support/world.ts'

const warnings: string[] = []
const keep = (_: object, message: string) => void warnings.push(message)
const log = { info() {}, debug() {}, warn: keep, error: keep } as unknown as Log
const limits = { maxPerKey: 2, maxWaiting: 64, maxWaitingPerKey: 16, maxWaitMs: 10_000 }
const world = useWorld({}, { log, pools: url => createPools(url, { size: 39, limits }) })
let other: Record<string, string>
let otherKey: Record<string, string>
beforeAll(async () => {
  other = await world.otherOwner()
  const { key } = await world.expect(201, 'POST', '/v1/api-keys', { as: other, body: { name: 'other shop' } })
  otherKey = { 'X-API-Key': key }
})

const undo: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

/** Starts a transaction that keeps its locks until the test has ended. */
const hold = async (lock: (tx: Sql) => Promise<unknown>) => {
  const holder = await world.database.sql.reserve()
  await holder`begin`
  await lock(holder)
  undo.push(async () => {
    await holder`rollback`
    holder.release()
  })
}

/** Blocks only the list of rejected requests. */
const holdRefusals = () => hold(tx => tx`lock table rejected_requests in access exclusive mode`)

/** Starts concurrent calls of one owner, which are aborted when the test has ended. */
const callAtOnce = (count: number, method: string, path: string, body?: object) => {
  const callers = new AbortController()
  const answers: { status: number; retryAfter: string | null; code: string }[] = []
  const calls = Array.from({ length: count }, async () => {
    const headers = { ...bearer(world.owner.token), 'Content-Type': 'application/json' }
    const init = { method, headers, signal: callers.signal, ...(body && { body: JSON.stringify(body) }) }
    const response = await fetch(`${world.url}${path}`, init)
    const { error } = await response.json()
    answers.push({ status: response.status, retryAfter: response.headers.get('retry-after'), code: error?.code })
  })
  const over = Promise.allSettled(calls)
  const leave = () => {
    callers.abort()
    return over
  }
  undo.push(leave)
  return { answers, leave }
}

const waitingFor = async (what: 'reading' | 'changing') => {
  const [row] = await world.database.sql<{ count: number }[]>`
    select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and application_name like ${`customer-engagement ${what}%`} and wait_event_type = 'Lock'`
  return row!.count
}

const metric = async (name: string, kind: string) => {
  const text = await (await fetch(`${world.url}/metrics`)).text()
  return Number(new RegExp(`^engagement_${name}\\{kind="${kind}"\\} (\\d+)$`, 'm').exec(text)?.[1])
}

/** Asserts that another workspace can do everything and that the heartbeat of the process continues. */
const expectOthersToBeServed = async () => {
  const aliveUntil = async () => (await world.database.sql`select alive_until from processes`)[0]!.alive_until as Date
  const before = await aliveUntil()
  const began = performance.now()
  const phone = '+4915112345678'
  await world.expect(201, 'POST', '/v1/events', { as: otherKey, body: { type: 'order.created', phone } })
  const { data } = await world.expect(200, 'GET', '/v1/customers?q=4915112', { as: other })
  expect(data).toMatchObject([{ phone }])
  await world.expect(200, 'PATCH', `/v1/customers/${data[0].id}`, { as: other, body: { name: 'Ana' } })
  // Far below the time that a request waits for a connection.
  expect(performance.now() - began).toBeLessThan(2500)
  await eventually('there is another heartbeat', async () => (await aliveUntil()) > before, 4000)
  expect((await fetch(`${world.url}/readyz`)).status).toBe(200)
  expect(warnings).not.toContain('leases could not be renewed')
}

test('while one workspace waits for many reads, others are served; requests over the limit get 503 immediately', async () => {
  await holdRefusals()
  const { answers, leave } = callAtOnce(22, 'GET', '/v1/activity/not-accepted')
  await eventually('the queue is full', async () => (await metric('operations_waiting', 'reads')) === 16)
  await eventually('some get the error', () => answers.length === 4)
  expect(answers).toEqual(Array(4).fill({ status: 503, retryAfter: '1', code: 'internal_error' }))
  await eventually('two of them read', async () => (await waitingFor('reading')) === 2)
  await expectOthersToBeServed()

  // Disconnected callers leave the queue, and their statements are cancelled.
  await leave()
  await eventually('PostgreSQL is idle for them', async () => (await waitingFor('reading')) === 0, 3000)
  expect(await metric('operations_waiting', 'reads')).toBe(0)
  await eventually('the connections are restored', async () => (await metric('operations_in_progress', 'reads')) === 0)
})

test('the stored event of a repeated key waits with the reads of its workspace, while new events do not', async () => {
  const event = { type: 'order.paid', phone: '+4915112345678', idempotencyKey: 'seen', data: { total: 1 } }
  const { idempotencyKey: _, ...fresh } = event
  await world.expect(201, 'POST', '/v1/events', { body: event })
  await world.expect(201, 'POST', '/v1/events', { as: otherKey, body: event })
  await holdRefusals()
  callAtOnce(18, 'GET', '/v1/activity/not-accepted')
  await eventually('the queue is full', async () => (await metric('operations_waiting', 'reads')) === 16)

  const { status, headers, body } = await world.call('POST', '/v1/events', { body: event })
  expect([status, headers.get('retry-after'), body.error.code]).toEqual([503, '1', 'internal_error'])
  await world.expect(201, 'POST', '/v1/events', { body: fresh })
  const { data } = await world.expect(200, 'POST', '/v1/events/batch', { body: { events: [event, fresh] } })
  expect(data).toMatchObject([
    { status: 200, recorded: false, dataLeftOut: true },
    { status: 201, recorded: true, event: { data: fresh.data } },
  ])
  expect(data[0].event).not.toHaveProperty('data')

  const repeated = await world.expect(200, 'POST', '/v1/events', { as: otherKey, body: event })
  expect(repeated).toMatchObject({ recorded: false, event: { data: event.data } })
  await expectOthersToBeServed()
})

test('while one workspace waits for many changes, others record, read, change and sign in', async () => {
  // Blocks each change of the team.
  await hold(tx => lockTeam(tx, world.workspaceId))
  callAtOnce(12, 'POST', '/v1/members', { email: 'ben@shop.example', role: 'agent' })
  await eventually('two wait', async () => (await waitingFor('changing')) === 2)
  expect(await metric('operations_waiting', 'changes')).toBe(10)
  await expectOthersToBeServed()
  const { email, password } = world.owner
  await world.expect(200, 'POST', '/v1/auth/sign-in', { as: 'nobody', body: { email, password } })
})
