/**
 * Tests a limited number of connections: queries wait for open connections, and PostgreSQL keeps some for other
 * clients.
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { fitPool } from '../../src/app/fit-pool.ts'
import { minPoolSize, poolSizes } from '../../src/app/pools.ts'
import { connect, type Database, sqlState } from '../../src/platform/postgres/client.ts'
import { openShop, shopSettings } from '../faults/support.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { endProcesses, startProcess } from '../support/process.ts'

let database: TestDatabase
const roles: string[] = []
beforeAll(async () => {
  database = await testDatabase()
  database.expectErrors('53300')
})
const pools: Database[] = []
afterEach(async () => {
  await endProcesses()
  for (const pool of pools.splice(0)) await pool.end({ timeout: 1 })
})
afterAll(async () => {
  for (const role of roles) await database.sql`drop role ${database.sql(role)}`
  await database.drop()
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

const pool = async (limit: number, refusedRetrySeconds?: number): Promise<Database> => {
  const url = await userWith(limit)
  const sql = connect({ url, applicationName: 'limited', max: 8, ...(refusedRetrySeconds && { refusedRetrySeconds }) })
  pools.push(sql)
  return sql
}

const askTogether = (sql: Database, count: number) =>
  Promise.allSettled(
    Array.from({ length: count }, (_, n) => sql<{ n: number }[]>`select ${n}::integer as n, pg_sleep(0.01)`),
  )

test('queries beyond the connection limit run on the open connections', async () => {
  const sql = await pool(2, 8)
  const answers = await askTogether(sql, 60)
  expect(answers.filter(({ status }) => status === 'rejected')).toEqual([])
  const transactions = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      sql.begin(async tx => (await tx<{ n: number }[]>`select ${n}::integer as n`)[0]!.n),
    ),
  )
  expect(transactions).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})

test('a pool without a connection waits for one, and fails after its time limit', async () => {
  const url = await userWith(1)
  const holder = connect({ url, applicationName: 'holder', max: 1 })
  const waiting = connect({ url, applicationName: 'limited', max: 4, refusedRetrySeconds: 2 })
  const impatient = connect({ url, applicationName: 'limited', max: 4, refusedRetrySeconds: 1 })
  pools.push(holder, waiting, impatient)
  await holder`select 1`
  const began = performance.now()
  const answers = askTogether(waiting, 4)
  const refused = await askTogether(impatient, 4)
  expect(refused.map(one => one.status === 'rejected' && sqlState(one.reason))).toEqual(Array(4).fill('53300'))
  expect(performance.now() - began).toBeLessThan(2000)
  await holder.end()
  expect((await answers).map(({ status }) => status)).toEqual(Array(4).fill('fulfilled'))
})

test('a query that waits for a connection is rejected when the pool ends', async () => {
  const url = await userWith(1)
  const holder = connect({ url, applicationName: 'holder', max: 1 })
  const sql = connect({ url, applicationName: 'limited', max: 2, refusedRetrySeconds: 60 })
  pools.push(holder)
  await holder`select 1`
  const answer = sql`select 1`.then(
    () => 'answered',
    error => error.code,
  )
  await sql.end({ timeout: 1 })
  expect(await answer).toMatch(/^(53300|CONNECTION_ENDED)$/)
})

test('the connections of a process are split by purpose and never exceed its limit', () => {
  for (const size of [minPoolSize, 13, 20, 39, 100])
    expect(Object.values(poolSizes(size)).reduce((sum, one) => sum + one, 0)).toBe(size)
  expect(poolSizes(20)).toMatchObject({ vital: 2, acting: 3, recording: 4, changing: 4, reading: 3, listener: 1 })
})

test('a process takes at most half of the connections of its user, and warns if it wants more', async () => {
  const sql = await pool(27)
  expect(await fitPool(sql, 12)).toEqual({ size: 12, warnings: [] })
  const { size, warnings } = await fitPool(sql, 20)
  expect(size).toBe(13)
  expect(warnings).toEqual([
    'DATABASE_POOL_SIZE is 20, but PostgreSQL has 27 connections for its user, and a second process requires as many. This process opens at most 13. Raise max_connections, or lower DATABASE_POOL_SIZE.',
  ])
  await Promise.all([sql.reserve(), sql.reserve()])
  expect((await fitPool(database.sql, 20)).warnings.at(-1)).toContain('is a superuser')
})

test('two processes that share 27 connections record and answer all requests', async () => {
  const url = await userWith(27)
  const settings = shopSettings(url, [])
  const processes = [await startProcess(settings), await startProcess(settings)]
  for (const { lines } of processes)
    expect(lines.filter(({ level, msg }) => level === 40 && msg.startsWith('DATABASE_POOL_SIZE is 20')).length).toBe(1)
  const shop = await openShop(processes[0]!.url, [])
  const statuses = await Promise.all(
    Array.from({ length: 400 }, async (_, n) => {
      const base = processes[n % 2]!.url
      const headers = { 'X-API-Key': shop.key, 'Content-Type': 'application/json' }
      const answers = [
        await fetch(`${base}/v1/events`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ type: 'order', phone: `+4915${String(100_000_000 + n)}`, data: {} }),
        }),
        await fetch(`${base}/v1/customers?limit=5`, { headers }),
      ]
      await Promise.all(answers.map(answer => answer.text()))
      return answers.map(({ status }) => status).join(' ')
    }),
  )
  expect([...new Set(statuses)]).toEqual(['201 200'])
  const [row] = await database.sql<{ open: number }[]>`
    select count(*)::integer as open from pg_stat_activity where usename = ${new URL(url).username}`
  expect(row!.open).toBeLessThanOrEqual(26)
})
