/**
 * Tests a limited number of connections: queries wait for open connections, and PostgreSQL keeps some for other
 * clients.
 */
import { afterEach, expect, test } from 'bun:test'
import { fitPool } from '../../src/app/fit-pool.ts'
import { minPoolSize, poolSizes } from '../../src/app/pools.ts'
import { connect, type Database, sqlState } from '../../src/platform/postgres/client.ts'
import { useDatabase } from '../support/database.ts'

const database = useDatabase('53300')
const roles: string[] = []
const pools: Database[] = []
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.end({ timeout: 1 })
  for (const role of roles.splice(0)) await database.sql`drop role ${database.sql(role)}`
})

/** Creates a database user with a connection limit that owns the database, and returns its URL. */
const userWith = async (limit: number): Promise<string> => {
  const url = new URL(database.url)
  const role = `limited_${crypto.randomUUID().replaceAll('-', '')}`
  await database.sql.unsafe(
    `create role ${role} login password 'limited' connection limit ${limit} in role ${url.username}`,
  )
  roles.push(role)
  url.username = role
  url.password = 'limited'
  return url.href
}

const open = (url: string, max: number, refusedSeconds?: number, onWait?: (ms: number) => void): Database => {
  const sql = connect({
    url,
    applicationName: 'limited',
    max,
    ...(refusedSeconds && { refusedRetrySeconds: refusedSeconds }),
    ...(onWait && { onWait }),
  })
  pools.push(sql)
  return sql
}

const askTogether = (sql: Database, count: number) =>
  Promise.allSettled(
    Array.from({ length: count }, (_, n) => sql<{ n: number }[]>`select ${n}::integer as n, pg_sleep(0.01)`),
  )

test('queries beyond the connection limit run on the open connections', async () => {
  const sql = open(await userWith(2), 8, 8)
  const answers = await askTogether(sql, 60)
  expect(answers.filter(({ status }) => status === 'rejected')).toEqual([])
  const begin = (n: number) => sql.begin(async tx => (await tx<{ n: number }[]>`select ${n}::integer as n`)[0]!.n)
  const numbers = Array.from({ length: 10 }, (_, n) => n)
  expect(await Promise.all(numbers.map(begin))).toEqual(numbers)
})

test('a pool without a connection waits for one, and fails after its time limit or when it ends', async () => {
  const url = await userWith(1)
  const holder = open(url, 1)
  const waits: number[] = []
  const [waiting, impatient, ending] = [open(url, 4, 2, ms => waits.push(ms)), open(url, 4, 1), open(url, 2, 60)]
  await holder`select 1`
  const began = performance.now()
  const rejected = askTogether(ending, 1)
  await ending.end({ timeout: 0.5 })
  expect(await rejected).toMatchObject([{ reason: { code: expect.stringMatching(/^(53300|CONNECTION_ENDED)$/) } }])
  const answers = askTogether(waiting, 4)
  const refused = await askTogether(impatient, 4)
  expect(refused.map(one => one.status === 'rejected' && sqlState(one.reason))).toEqual(Array(4).fill('53300'))
  expect(performance.now() - began).toBeLessThan(2500)
  await holder.end()
  expect((await answers).map(({ status }) => status)).toEqual(Array(4).fill('fulfilled'))
  expect(waits.filter(ms => ms > 500)).toHaveLength(4)
})

test('the connections of a process are split by purpose and never exceed its limit', () => {
  for (const size of [minPoolSize, 13, 20, 39, 100])
    expect(Object.values(poolSizes(size)).reduce((sum, one) => sum + one, 0)).toBe(size)
  expect(poolSizes(20)).toMatchObject({ vital: 2, acting: 3, recording: 4, changing: 4, reading: 3, listener: 1 })
})

test('a process takes at most half of the connections of its user, and warns if it wants more', async () => {
  const sql = open(await userWith(27), 8)
  expect(await fitPool(sql, 12)).toEqual({ size: 12, warnings: [] })
  const { size, warnings } = await fitPool(sql, 20)
  expect(size).toBe(13)
  expect(warnings).toEqual([
    'DATABASE_POOL_SIZE is 20, but PostgreSQL has 27 connections for its user, and a second process requires as many. This process opens at most 13. Raise max_connections, or lower DATABASE_POOL_SIZE.',
  ])
  await Promise.all([sql.reserve(), sql.reserve()])
  expect((await fitPool(database.sql, 20)).warnings.at(-1)).toContain('is a superuser')
})
