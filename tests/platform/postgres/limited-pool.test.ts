/** Tests the read pool with a real PostgreSQL: which statements are cancelled and which are not. */
import { afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { connect, type Database } from '../../../src/platform/postgres/client.ts'
import { ReadPool, ReadTimeout } from '../../../src/platform/postgres/limited-pool.ts'
import { openTransaction, useDatabase } from '../../support/database.ts'
import { eventually } from '../../support/world.ts'

const database = useDatabase('57014', '22012')
let pool: ReadPool
let cancelFrom: Database
beforeAll(async () => {
  await database.sql`create table held (id integer primary key)`
})
beforeEach(() => {
  cancelFrom = connect({ url: database.url, applicationName: 'cancels', max: 1 })
})
afterEach(async () => {
  await pool.end({ timeout: 1 })
  await cancelFrom.end({ timeout: 1 })
})

const make = (total: number, maxMs = 20_000) => {
  const connection = { url: database.url, applicationName: 'reading' }
  pool = new ReadPool({ connection, total, maxMs, cancelFrom, maxWaitMs: 20_000 })
}

const caller = () => {
  const controller = new AbortController()
  return { leave: () => controller.abort(), signal: controller.signal }
}

/** Locks a table, so that readers of it wait. Returns a function that releases the lock. */
const holdTable = (table = 'held') =>
  openTransaction(database.sql, tx => tx`lock table ${tx(table)} in access exclusive mode`)

/** Waits until this number of reads wait for a lock. */
const readsWait = (count: number) =>
  eventually(`${count} reads wait for a lock`, async () => {
    const waiting = await database.sql`
      select 1 from pg_stat_activity
      where datname = current_database() and application_name like 'reading %' and wait_event_type = 'Lock'`
    return waiting.length === count
  })

const readHeld = (sql: Database) => sql`select id from held`.execute()

test('cancels the statements of a caller that disconnected, including queued ones', async () => {
  make(1)
  const release = await holdTable()
  const { leave, signal } = caller()
  const read = pool.run('a', signal, sql => Promise.all([readHeld(sql), readHeld(sql)])).catch(error => error)
  await readsWait(1)
  leave()
  await readsWait(0)
  expect(await read).toBe(signal.reason)
  await eventually('the connection is returned', () => pool.held === 0)
  await release()
})

test('a late cancellation does not affect the next caller on the same connection', async () => {
  make(1)
  const { leave, signal } = caller()
  const gone = pool.run('a', signal, sql => sql`select pg_sleep(0.05)`.execute()).catch(() => {})
  // The request is sent immediately, and executed long after its statement has ended.
  const dawdling = cancelFrom`select pg_sleep(0.2)`.execute()
  await eventually('it reads', () => pool.held === 1)
  leave()
  const next = pool.run('a', caller().signal, sql => sql`select pg_sleep(0.3), 'undisturbed' as answer`.execute())
  expect((await next)[0]!.answer).toBe('undisturbed')
  await Promise.all([gone, dawdling])
})

test('a connection is released when no statement runs on it any more, also after an error', async () => {
  make(1)
  const release = await holdTable()
  const failing = pool.run('a', caller().signal, sql => Promise.all([sql`select 1 / 0`.execute(), readHeld(sql)]))
  expect(await failing.catch(error => error)).toMatchObject({ code: '22012' })
  let isServed = false
  const next = pool.run('a', caller().signal, async sql => {
    isServed = true
    return readHeld(sql)
  })
  await readsWait(1)
  expect(isServed).toBe(false)
  await release()
  expect(await next).toHaveLength(0)
})

test('a read over its time limit is ended', async () => {
  make(1, 50)
  const read = (sql: Database) => sql`select pg_sleep(10)`.execute()
  expect(await pool.run('a', caller().signal, read).catch(error => error)).toBeInstanceOf(ReadTimeout)
  // Also if its statements have no timeout in the database.
  const unlimited = (sql: Database) => sql`set statement_timeout = 0`.then(() => read(sql))
  expect(await pool.run('a', caller().signal, unlimited).catch(error => error)).toBeInstanceOf(ReadTimeout)
})

test('a caller that disconnects while a connection is opened does not affect the next caller: arrays are arrays', async () => {
  /** Disconnects a caller while it waits for the table. */
  const goFrom = async (table: string) => {
    make(1)
    const release = await holdTable(table)
    const { leave, signal } = caller()
    const gone = pool.run('a', signal, sql => sql`select id from held`.execute()).catch(error => error)
    await readsWait(1)
    leave()
    expect(await gone).toBe(signal.reason)
    await release()
  }
  // Runs once before, so that cancelling needs no query of the table that is locked later.
  await goFrom('held')
  await pool.end({ timeout: 1 })
  // The driver reads the array types from this table for each new connection.
  await goFrom('pg_catalog.pg_type')
  const rows = await pool.run('a', caller().signal, sql => sql`select ${['a', 'b']}::text[] as list`.execute())
  expect([...rows]).toEqual([{ list: ['a', 'b'] }])
})
