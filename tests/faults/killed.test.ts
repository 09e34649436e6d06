/** Tests of processes killed with SIGKILL under load. */
import { afterEach, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/index.ts'
import { ownProcess } from '../../src/platform/local-processes.ts'
import { connect, type Database } from '../../src/platform/postgres/client.ts'
import { testDatabase } from '../support/database.ts'
import { endProcesses, type ServiceProcess, startProcess } from '../support/process.ts'
import { startReceiver } from '../support/receiver.ts'
import { eventually } from '../support/world.ts'
import {
  after,
  expectAllToldTo,
  expectBooksToBalance,
  expectDeliveriesToAgree,
  maxWait,
  newDataDir,
  openShop,
  recordedOf,
  sendOrder,
  shopSettings,
  startLoad,
} from './support.ts'

setDefaultTimeout(60_000)

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  await endProcesses()
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** Lease of a dead process, plus one second, plus half a second for a busy machine. */
const maxTakeoverMs = 5000 + 1000 + 500

const setUp = async () => {
  const database = await testDatabase()
  const receivers = [await startReceiver({ behaviour: after(60) }), await startReceiver()]
  cleanups.push(database.drop, ...receivers.map(receiver => receiver.stop))
  return { sql: database.sql, receivers, settings: shopSettings(database.url, receivers) }
}

test('loses nothing and records nothing twice when it is killed under load and restarted', async () => {
  const { sql, receivers, settings } = await setUp()
  const first = await startProcess(settings)
  const shop = await openShop(first.url, receivers)
  const load = startLoad(() => (first.running ? first.url : null), shop.key)
  await receivers[0]!.waitFor(100, 15_000)

  await eventually('requests are in flight', () => load.inFlight > 4)
  await first.end('SIGKILL')
  const sent = await load.stop()
  const second = await startProcess(settings)
  await expectBooksToBalance(sql, sent)
  await expectAllToldTo(sql, receivers)
  for (const receiver of receivers) expect(await maxWait(sql, receiver)).toBeLessThan(maxTakeoverMs)
  await expectDeliveriesToAgree(sql)

  const unanswered = sent.filter(({ status }) => status === null)
  expect(unanswered.length).toBeGreaterThan(0)
  for (const { order } of unanswered) {
    const again = await sendOrder(second.url, shop.key, order)
    expect([200, 201]).toContain(again.status!)
  }
})

test('a second process takes over from a killed one without errors for its own callers', async () => {
  const { sql, receivers, settings } = await setUp()
  const [killed, survivor] = await Promise.all([startProcess(settings), startProcess(settings)])
  const shop = await openShop(killed.url, receivers)
  const lost = startLoad(() => (killed.running ? killed.url : null), shop.key, 4)
  const kept = startLoad(() => survivor.url, shop.key, 4)
  await receivers[0]!.waitFor(100, 15_000)

  await killed.end('SIGKILL')
  if (ownProcess() !== null) await eventually('its neighbour has noticed its end', () => isForgotten(sql, killed))
  const sentBefore = kept.sent.length
  await eventually('the surviving process records events', () => kept.sent.length > sentBefore + 200)
  const sent = [...(await lost.stop()), ...(await kept.stop())]
  expect(recordedOf(kept.sent).length).toBe(kept.sent.length)
  await expectBooksToBalance(sql, sent)
  await expectAllToldTo(sql, receivers)
  for (const receiver of receivers) expect(await maxWait(sql, receiver)).toBeLessThan(maxTakeoverMs)
  await expectDeliveriesToAgree(sql)
})

/** A process whose heartbeat merely expires is kept for one minute. */
const isForgotten = async (sql: Database, { pid }: ServiceProcess): Promise<boolean> =>
  (await sql`select 1 from processes where pid = ${pid}`).length === 0

test('adopts the running embedded PostgreSQL when a killed process is restarted', async () => {
  const dataDir = newDataDir()
  cleanups.push(() => rmSync(dataDir, { recursive: true, force: true }))
  const receiver = await startReceiver()
  cleanups.push(receiver.stop)
  const { DATABASE_URL: _, ...settings } = shopSettings('', [receiver], { DATA_DIR: dataDir })
  const serverPid = () => Number(readFileSync(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0])

  const first = await startProcess(settings)
  const shop = await openShop(first.url, [receiver])
  const server = serverPid()
  const load = startLoad(() => (first.running ? first.url : null), shop.key)
  await receiver.waitFor(30)
  await first.end('SIGKILL')
  const sent = await load.stop()
  expect(serverPid()).toBe(server)

  const second = await startProcess(settings)
  expect(serverPid()).toBe(server)
  const postgres = await startEmbeddedPostgres({ dataDir })
  const sql = connect({ url: postgres.url('customer_engagement'), applicationName: 'test', max: 2 })
  await expectBooksToBalance(sql, sent)
  await expectAllToldTo(sql, [receiver])
  await sql.end()
  await postgres.release()

  expect(await second.end()).toMatchObject({ code: 0 })
  expect(existsSync(join(dataDir, 'postgres/data/postmaster.pid'))).toBe(false)
})
