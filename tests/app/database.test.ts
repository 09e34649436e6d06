import { afterEach, expect, test } from 'bun:test'
import { findReplicaProblem, openDatabase, preparePooler, requireCellUrl } from '../../src/app/database.ts'
import { explainStartError, StartError } from '../../src/app/start-error.ts'
import { readConfig } from '../../src/config.ts'
import { connect } from '../../src/platform/postgres/client.ts'
import { storeSessionSettings } from '../../src/platform/postgres/pooler.ts'
import { openShop, sendOrder, shopSettings } from '../faults/support.ts'
import { type Pooler, pgbouncer, startPgbouncer, startTransactionPooler } from '../platform/postgres/pooler.ts'
import { useDatabase } from '../support/database.ts'
import { endProcesses, spawnProcess, startProcess } from '../support/process.ts'
import { startReceiver } from '../support/receiver.ts'

const database = useDatabase()
const other = useDatabase()

const undo: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

const open = async (url: string) => {
  const opened = await openDatabase(readConfig({ DATABASE_URL: url }))
  undo.push(() => opened.close())
  return opened
}
const through = async (pooler: Promise<Pooler>): Promise<string> => {
  const { url, stop } = await pooler
  undo.push(stop)
  return url
}
const refusal = (url: string) =>
  open(url).then(
    () => 'it was opened',
    error => (error instanceof StartError ? error.message : error),
  )

const mixing =
  'DATABASE_URL leads to a pooler in transaction or statement mode. Set DATABASE_DIRECT_URL to the database itself, or the pooler to session mode.'

test('rejects a pooler in transaction mode that has other clients', async () => {
  const url = await through(startTransactionPooler(database.url))
  const others = connect({ url, applicationName: 'others', max: 4 })
  let going = true
  const use = async () => {
    while (going) await others.unsafe('select pg_sleep(0.002)')
  }
  const using = Promise.all([use(), use(), use(), use()])
  const said = [await refusal(url), await refusal(url), await refusal(url)]
  going = false
  await using
  await others.end({ timeout: 1 })
  expect(said).toEqual([mixing, mixing, mixing])
})

test.skipIf(!pgbouncer)('PgBouncer in session mode works with the service, from an order to its webhook', async () => {
  const receiver = await startReceiver()
  undo.push(receiver.stop)
  const url = await through(startPgbouncer(database.url, 'session'))
  undo.push(endProcesses)
  const service = await startProcess(shopSettings(url, [receiver]))
  expect(service.lines.map(({ msg }) => msg)).toContain(
    'the pooler ignores statement_timeout and lock_timeout; set them for the user with ALTER ROLE',
  )
  const shop = await openShop(service.url, [receiver])
  expect(await sendOrder(service.url, shop.key)).toMatchObject({ status: 201 })
  await receiver.waitFor(1)
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
})

test('a database error later in the start is one sentence, even as a cause, unless it is an internal error', () => {
  const because = (code: string, said: string) =>
    explainStartError(new Error('Tasks cannot be run', { cause: Object.assign(new Error(said), { code }) }))?.message
  expect(because('53300', 'sorry, too many clients already')).toBe(
    'The database has no free connection: sorry, too many clients already. Close other connections, or raise max_connections or the limit of the user.',
  )
  expect(because('08P01', 'unsupported startup parameter: lock_timeout')).toStartWith(
    'The pooler of DATABASE_URL rejects session settings: unsupported startup parameter: lock_timeout. Set DATABASE_DIRECT_URL to the database itself. For session mode of PgBouncer, add ',
  )
  expect(because('P0001', 'The database needs an extension.')).toBe('The database needs an extension.')
  expect(because('53100', 'could not extend file.')).toBe(
    'The database of DATABASE_URL cannot be used: could not extend file.',
  )
  expect(because('08006', 'connection to the remote node db-1:5432 failed: refused\n\tIs it running')).toBe(
    'A node of the Citus cluster cannot be used: connection to the remote node db-1:5432 failed: refused Is it running. Start it, and repeat the command.',
  )
  expect(because('42601', 'syntax error')).toBeUndefined()
  expect(because('ENOENT', 'no such file')).toBeUndefined()
  expect(explainStartError('a text')).toBeNull()
})

test('the pages are loaded when the service has started, so that the first request does not wait', async () => {
  undo.push(endProcesses)
  const service = await startProcess({ DATABASE_URL: database.url, LOG_LEVEL: 'debug' })
  expect(service.lines.map(({ msg }) => msg)).toContain('dashboard loaded')
})

const storedSettings = async () => {
  const [row] = await database.sql`
    select count(*)::integer as n from pg_db_role_setting
    where setdatabase in (select oid from pg_database where datname = current_database())`
  return row!.n
}

test('a pooler of another database is rejected before its settings are stored', async () => {
  const opened = { url: database.url, pooledUrl: other.url, sql: database.sql, embedded: false, close: async () => {} }
  await expect(preparePooler(opened)).rejects.toThrow('must lead to the same database of the same server.')
  expect(await storedSettings()).toBe(0)
})

test('processes that start together store the settings of the pooler once', async () => {
  const processes = Array.from({ length: 8 }, () => connect({ url: database.url, applicationName: 'test', max: 1 }))
  undo.push(() => Promise.all(processes.map(one => one.end())))
  await Promise.all(processes.map(one => one`select 1`))
  await Promise.all(processes.map(storeSessionSettings))
  expect(await storedSettings()).toBe(1)
})

test('rejects a replica that is no standby of the database, and starts without one that is away', async () => {
  undo.push(endProcesses)
  const service = spawnProcess({ DATABASE_URL: database.url, DATABASE_REPLICA_URL: other.url })
  expect(await service.ended).toEqual({ code: 1, signal: null })
  expect(service.complaints.trim()).toBe('DATABASE_REPLICA_URL must lead to a standby of the database of DATABASE_URL.')
  const away = new URL(database.url)
  away.port = '1'
  expect(await findReplicaProblem(database.sql, away.href)).toContain('ECONNREFUSED')
  // A standby that was promoted, until another one exists.
  expect(await findReplicaProblem(database.sql, database.url)).toBe('it is not a standby')
})

test.each([
  [
    'sslmode=prefer',
    'The URL of the cell "b" in CELLS has sslmode=prefer. Use disable, require, verify-ca or verify-full.',
  ],
  ['sslmode=maybe', 'sslmode in the URL of the cell "b" in CELLS must be one of disable,'],
  ['sslmode=disable', null],
])('%s in the URL of a cell', (parameter, problem) => {
  const check = () => requireCellUrl({ name: 'b', url: `postgres://127.0.0.1/engage?${parameter}` })
  if (problem === null) expect(check).not.toThrow()
  else expect(check).toThrow(problem)
})
