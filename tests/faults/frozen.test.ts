/** Test of a frozen database server: every call is answered with 503 within 10 seconds. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/platform/embedded-postgres/index.ts'
import { connect } from '../../src/platform/postgres/client.ts'
import { endProcesses, type ServiceProcess, startProcess } from '../support/process.ts'
import { eventually } from '../support/world.ts'
import { newDataDir, openShop, type Shop, shopSettings } from './support.ts'

/** Uses a separate server, because other tests run at the same time. */
let dataDir: string
let postgres: EmbeddedPostgres
let service: ServiceProcess
let shop: Shop
let frozen: number[] = []

beforeAll(async () => {
  dataDir = newDataDir()
  postgres = await startEmbeddedPostgres({ dataDir, durable: false })
  service = await startProcess(shopSettings(await postgres.ensureDatabase('shop'), []))
  shop = await openShop(service.url, [])
})
afterAll(async () => {
  thaw()
  await endProcesses()
  await postgres.release()
  await rm(dataDir, { recursive: true, force: true })
})

const send = (pids: number[], signal: NodeJS.Signals) => {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // The backend has ended.
    }
  }
}

const thaw = () => {
  send(frozen, 'SIGCONT')
  frozen = []
}

const postmaster = async (): Promise<number> => {
  const sql = connect({ url: postgres.url('postgres'), applicationName: 'test', max: 1 })
  const [row] = await sql<{ data_directory: string }[]>`show data_directory`
  await sql.end()
  return Number(readFileSync(join(row!.data_directory, 'postmaster.pid'), 'utf8').split('\n')[0])
}

/** Returns the process and all its descendants. */
const withChildren = (pid: number): number[] => [
  pid,
  ...readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .filter(name => {
      try {
        return (
          Number(
            readFileSync(`/proc/${name}/stat`, 'utf8')
              .replace(/^.*\) /s, '')
              .split(' ')[1],
          ) === pid
        )
      } catch {
        return false
      }
    })
    .map(Number),
]

const calls: [string, string, object?][] = [
  ['POST', '/v1/events', { type: 'order', phone: '+4915100000001', data: {}, idempotencyKey: 'frozen' }],
  ['POST', '/v1/events', { type: 'order', phone: '+4915100000002', data: {} }],
  ['POST', '/v1/events/batch', { events: [{ type: 'order', phone: '+4915100000003', data: {} }] }],
  ['POST', '/v1/events/check', { type: 'order', phone: '+4915100000004', data: {} }],
  ['GET', '/v1/customers'],
  ['POST', '/v1/customers/00000000-0000-7000-8000-000000000000/opt-out', { reason: 'test' }],
]

const callAll = () =>
  Promise.all(
    calls.map(async ([method, path, body]) => {
      const askedAt = performance.now()
      const response = await fetch(`${service.url}${path}`, {
        method,
        headers: { 'X-API-Key': shop.key, 'Content-Type': 'application/json' },
        body: body && JSON.stringify(body),
      })
      const { error } = await response.json()
      return { path, status: response.status, afterMs: performance.now() - askedAt, reason: error?.details?.reason }
    }),
  )

test('answers every call with 503 within 10 seconds, and recovers with the database', async () => {
  await callAll()
  const pids = withChildren(await postmaster())
  expect(pids.length).toBeGreaterThan(5)
  frozen = pids
  send(pids, 'SIGSTOP')
  const answers = await callAll()
  for (const { path, status, afterMs, reason } of answers) {
    expect([path, status, reason]).toEqual([path, 503, 'database_unavailable'])
    expect(afterMs, path).toBeLessThan(10_000)
  }
  thaw()
  await eventually('the service is ready', async () => (await fetch(`${service.url}/readyz`)).ok, 30_000)
  await eventually(
    'events are recorded',
    async () => (await callAll()).slice(0, 3).every(({ status }) => status === 201 || status === 200),
    30_000,
  )
}, 90_000)
