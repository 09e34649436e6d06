/** Tests of PostgreSQL outages and recovery. */
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/platform/embedded-postgres/index.ts'
import { connect, withRetry } from '../../src/platform/postgres/client.ts'
import { startProxy } from '../platform/postgres/proxy.ts'
import { testDatabase } from '../support/database.ts'
import { endProcesses, type ServiceProcess, startProcess } from '../support/process.ts'
import { startReceiver } from '../support/receiver.ts'
import { eventually } from '../support/world.ts'
import {
  after,
  connectionsLost,
  expectAllToldTo,
  expectBooksToBalance,
  expectDeliveriesToAgree,
  expectOnlyRecordsOrEnvelopes,
  type Load,
  newDataDir,
  openShop,
  pause,
  recordedOf,
  sendOrder,
  shopSettings,
  since,
  startLoad,
  terminate,
} from './support.ts'

setDefaultTimeout(60_000)

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  await endProcesses()
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** Maximum time until the service works again after PostgreSQL is back, in milliseconds. */
const recoveryMs = 5000

/** Polls /readyz and records the statuses without repeats. */
const watchReadiness = (service: ServiceProcess) => {
  const seen: number[] = []
  let going = true
  const done = (async () => {
    while (going) {
      const { status } = await fetch(`${service.url}/readyz`)
      if (seen.at(-1) !== status) seen.push(status)
      await pause(5)
    }
  })()
  return {
    seen,
    stop: async () => {
      going = false
      await done
    },
  }
}

/** Returns the milliseconds until an order that is sent after this call is recorded. */
const nextRecord = async (load: Load): Promise<number> => {
  const from = performance.now()
  const first = await eventually('an order is recorded', () =>
    recordedOf(load.sent).find(({ sentAt }) => sentAt > from),
  )
  return Math.round(first.answeredAt - from)
}

describe('a restart of PostgreSQL under load', () => {
  let postgres: EmbeddedPostgres
  let dataDir: string
  beforeAll(async () => {
    dataDir = newDataDir()
    postgres = await startEmbeddedPostgres({ dataDir })
  })
  afterAll(async () => {
    await postgres.release()
    rmSync(dataDir, { recursive: true, force: true })
  })

  test.each(['fast', 'immediate'] as const)('(%s) stops no process, and the work continues', async mode => {
    const url = await postgres.ensureDatabase(`restart_${mode}`)
    const sql = connect({ url, applicationName: 'test', max: 2 })
    const receiver = await startReceiver()
    cleanups.push(receiver.stop, () => sql.end({ timeout: 1 }))
    const service = await startProcess(shopSettings(url, [receiver]))
    const shop = await openShop(service.url, [receiver])
    const load = startLoad(() => service.url, shop.key)
    const readiness = watchReadiness(service)
    await receiver.waitFor(50, 15_000)

    await postgres.restart(mode)
    const told = receiver.requests.length
    const recordedAfter = await nextRecord(load)
    await receiver.waitFor(told + 1, recoveryMs)
    await eventually('it is ready again', () => readiness.seen.at(-1) === 200, recoveryMs)
    expect(recordedAfter).toBeLessThan(recoveryMs)

    await readiness.stop()
    const sent = await load.stop()
    expectOnlyRecordsOrEnvelopes(sent)
    expect(readiness.seen).toContain(503)
    await withRetry(async () => sql`select 1`)
    await expectBooksToBalance(sql, sent)
    await expectAllToldTo(sql, [receiver])
    await expectDeliveriesToAgree(sql)
    expect(service.complaints).toBe('')
    expect(await service.end()).toMatchObject({ code: 0 })
  })
})

test('answers 503 without hanging while the database is unreachable, and recovers afterwards', async () => {
  const database = await testDatabase()
  database.expectErrors(...connectionsLost)
  const receiver = await startReceiver()
  const proxy = await startProxy(database.url)
  cleanups.push(database.drop, receiver.stop, proxy.stop)
  const service = await startProcess(shopSettings(proxy.url, [receiver]))
  const shop = await openShop(service.url, [receiver])
  const load = startLoad(() => service.url, shop.key)
  const readiness = watchReadiness(service)
  await receiver.waitFor(50, 15_000)

  await proxy.refuse()
  const awayAt = performance.now()
  await eventually('it is not ready', () => readiness.seen.at(-1) === 503)
  const faults = () => load.sent.filter(({ status, answeredAt }) => status === 503 && answeredAt > awayAt).length
  await eventually('callers get an error', () => faults() > 8 && since(awayAt) > 3000)
  await proxy.accept()
  const backAt = performance.now()
  const told = receiver.requests.length
  await nextRecord(load)
  await receiver.waitFor(told + 1, recoveryMs)
  await eventually('it is ready again', () => readiness.seen.at(-1) === 200, recoveryMs)
  expect(since(backAt)).toBeLessThan(recoveryMs)

  await readiness.stop()
  const sent = await load.stop()
  expectOnlyRecordsOrEnvelopes(sent)
  await expectBooksToBalance(database.sql, sent)
  await expectAllToldTo(database.sql, [receiver])
  await expectDeliveriesToAgree(database.sql)
  expect(service.complaints).toBe('')
})

test('costs callers at most an error when connections are ended repeatedly under load', async () => {
  const database = await testDatabase()
  database.expectErrors(...connectionsLost)
  const receiver = await startReceiver({ behaviour: after(100) })
  cleanups.push(database.drop, receiver.stop)
  const service = await startProcess(shopSettings(database.url, [receiver]))
  const shop = await openShop(service.url, [receiver])
  const load = startLoad(() => service.url, shop.key)
  await receiver.waitFor(20, 15_000)

  for (let round = 0; round < 6; round++) {
    await eventually('connections are ended', async () => (await terminate(database.sql, 'customer-engagement%')) > 0)
    expect(await nextRecord(load)).toBeLessThan(recoveryMs)
  }
  const sent = await load.stop()
  expectOnlyRecordsOrEnvelopes(sent)
  await expectBooksToBalance(database.sql, sent)
  await expectAllToldTo(database.sql, [receiver])
  await expectDeliveriesToAgree(database.sql)
  expect(service.complaints).toBe('')
  expect(await service.end()).toMatchObject({ code: 0 })
})

test('reconnects a disconnected listener before the next webhook is late', async () => {
  const database = await testDatabase()
  database.expectErrors(...connectionsLost)
  const receiver = await startReceiver()
  cleanups.push(database.drop, receiver.stop)
  const service = await startProcess(shopSettings(database.url, [receiver]))
  const shop = await openShop(service.url, [receiver])

  for (let round = 0; round < 5; round++) {
    await eventually('the listener is cut off', async () => (await terminate(database.sql, '%listener')) === 1)
    const { sentAt } = await sendOrder(service.url, shop.key)
    await receiver.waitFor(round + 1)
    expect(since(sentAt)).toBeLessThan(2000)
  }
  await eventually('the listener is back', async () => (await fetch(`${service.url}/readyz`)).ok)
})
