/** Tests the statistics of tables that have just begun to grow, and the plans made from them. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect, type Database, transaction } from '../../../src/platform/postgres/client.ts'
import { analyseNewTables } from '../../../src/platform/postgres/statistics.ts'
import { useDatabase } from '../../support/database.ts'
import { eventually } from '../../support/world.ts'

const database = useDatabase()
let other: Database
beforeAll(async () => {
  other = connect({ url: database.url, applicationName: 'another', max: 1 })
  await database.sql`create table young (a integer not null, id integer primary key)`
})
afterAll(() => other.end({ timeout: 1 }))

const grow = (from: number, to: number) =>
  database.sql`insert into young select n, n from generate_series(${from}::integer, ${to}::integer) n`

/** Waits until the table is analysed. The statistics counters are up to a second late. */
const isAnalysed = () =>
  eventually('it counts as new', async () => (await analyseNewTables(database.sql)).includes('young'))

const known = async (): Promise<number> => {
  const [row] = await database.sql<{ rows: number }[]>`select reltuples as rows from pg_class where relname = 'young'`
  return row!.rows
}

test('analyses a table with hundreds of rows, and again when it has doubled', async () => {
  await grow(1, 400)
  await isAnalysed()
  expect(await known()).toBe(400)
  expect(await analyseNewTables(database.sql)).not.toContain('young')
  await grow(401, 900)
  await isAnalysed()
  expect(await known()).toBe(900)
})

test('skips a locked table without waiting', async () => {
  await grow(901, 2000)
  await transaction(other, async tx => {
    await tx`lock table young in access exclusive mode`
    const from = performance.now()
    await isAnalysed()
    expect(performance.now() - from).toBeLessThan(9000)
    expect(await known()).toBe(900)
  })
  await isAnalysed()
  expect(await known()).toBe(2000)
})
