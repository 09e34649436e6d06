/** Readers against a real PostgreSQL: what is cancelled, and what is not. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { connect, type Database } from '../../src/db/client.ts'
import { OutOfTime, Readers } from '../../src/db/lend.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { eventually } from '../support/world.ts'

let database: TestDatabase
let readers: Readers
let cancelFrom: Database
beforeAll(async () => {
  database = await testDatabase()
  database.expectErrors('57014', '22012')
  await database.sql`create table held (id integer primary key)`
})
afterAll(() => database.drop())
beforeEach(() => {
  cancelFrom = connect({ url: database.url, applicationName: 'cancels', max: 1 })
})
afterEach(async () => {
  await readers.end({ timeout: 1 })
  await cancelFrom.end({ timeout: 1 })
})

const make = (count: number, maxMs = 20_000) => {
  readers = new Readers({
    connection: { url: database.url, applicationName: 'reading' },
    count,
    maxMs,
    cancelFrom,
    maxHeldEach: count,
    maxWaiting: 10,
    maxWaitingEach: 10,
    maxWaitMs: 20_000,
  })
}

const caller = () => {
  const controller = new AbortController()
  return { leave: () => controller.abort(), borrower: { who: 'a', signal: controller.signal } }
}

/** Until it is released, whoever reads the table waits. */
const holdTable = async (table = 'held') => {
  const holder = await database.sql.reserve()
  await holder`begin`
  await holder`lock table ${holder(table)} in access exclusive mode`
  return async () => {
    await holder`rollback`
    holder.release()
  }
}

const waitingHere = async () => {
  const [row] = await database.sql<{ count: number }[]>`
    select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and application_name like 'reading %' and wait_event_type = 'Lock'`
  return row!.count
}

const readHeld = (sql: Database) => sql`select id from held`.execute()

test('what a caller who has gone was reading is cancelled, also all that it would have asked next', async () => {
  make(1)
  const release = await holdTable()
  const { leave, borrower } = caller()
  const read = readers.lend(borrower, sql => Promise.all([readHeld(sql), readHeld(sql)])).catch(error => error)
  await eventually('it waits for the table', async () => (await waitingHere()) === 1)
  leave()
  await eventually('nothing waits for the table', async () => (await waitingHere()) === 0, 5000)
  expect(await read).toBe(borrower.signal.reason)
  await eventually('the connection is given back', () => readers.lent === 0)
  await release()
})

test('a cancellation that comes late hits nothing that the next caller asks over the same connection', async () => {
  make(1)
  const { leave, borrower } = caller()
  const gone = readers.lend(borrower, sql => sql`select pg_sleep(0.05)`.execute()).catch(() => {})
  // It is asked for at once, and carried out long after what it is for has ended.
  const dawdling = cancelFrom`select pg_sleep(0.2)`.execute()
  await eventually('it reads', () => readers.lent === 1)
  leave()
  const next = readers.lend(caller().borrower, sql => sql`select pg_sleep(0.3), 'undisturbed' as answer`.execute())
  expect((await next)[0]!.answer).toBe('undisturbed')
  await Promise.all([gone, dawdling])
})

test('a connection goes to the next caller when nothing runs on it any more, also after a failure', async () => {
  make(1)
  const release = await holdTable()
  const failing = readers.lend(caller().borrower, sql => Promise.all([sql`select 1 / 0`.execute(), readHeld(sql)]))
  expect(await failing.catch(error => error)).toMatchObject({ code: '22012' })
  let isServed = false
  const next = readers.lend(caller().borrower, async sql => {
    isServed = true
    return readHeld(sql)
  })
  await eventually('the statement that was left behind waits', async () => (await waitingHere()) === 1)
  expect(isServed).toBe(false)
  await release()
  expect(await next).toHaveLength(0)
})

test('a read that lasts too long is given up, and told of as such', async () => {
  make(1, 50)
  const read = (sql: Database) => sql`select pg_sleep(10)`.execute()
  expect(await readers.lend(caller().borrower, read).catch(error => error)).toBeInstanceOf(OutOfTime)
  // Also where its statements have no limit of their own.
  const unlimited = (sql: Database) => sql`set statement_timeout = 0`.then(() => read(sql))
  expect(await readers.lend(caller().borrower, unlimited).catch(error => error)).toBeInstanceOf(OutOfTime)
})

test('a caller who goes as a connection is opened takes nothing from the next: arrays are arrays', async () => {
  /** Somebody goes while they wait for the table. */
  const goFrom = async (table: string) => {
    make(1)
    const release = await holdTable(table)
    const { leave, borrower } = caller()
    const gone = readers.lend(borrower, sql => sql`select id from held`.execute()).catch(error => error)
    await eventually('it waits', async () => (await waitingHere()) === 1)
    leave()
    expect(await gone).toBe(borrower.signal.reason)
    await release()
  }
  // Once before, so that cancelling needs nothing of what is held then.
  await goFrom('held')
  await readers.end({ timeout: 1 })
  // The driver asks it for the types of arrays, over each connection that is new.
  await goFrom('pg_catalog.pg_type')
  const rows = await readers.lend(caller().borrower, sql => sql`select ${['a', 'b']}::text[] as list`.execute())
  expect([...rows]).toEqual([{ list: ['a', 'b'] }])
})
