/** Test databases, each copied from a migrated template in a few dozen milliseconds. */
import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { migrateTasks } from '../../src/app/tasks/index.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/platform/embedded-postgres/index.ts'
import { connect, type Database, type Sql } from '../../src/platform/postgres/client.ts'
import { migrate } from '../../src/platform/postgres/migrate.ts'
import { migrations } from '../../src/platform/postgres/migrations.ts'
import { ErrorWatch, logErrors, ofTest } from './errors.ts'
import { use } from './use.ts'

export interface TestDatabase {
  url: string
  sql: Database
  /**
   * Declares errors that the test provokes: SQLSTATEs, driver codes, or the first words of `error` messages in the
   * service's log. Any other error that PostgreSQL or the service logs for this database fails the test.
   */
  expectErrors(...errors: string[]): void
  /** Closes the pool and drops the database, even with open connections. Throws if an unexpected error was logged. */
  drop(): Promise<void>
}

let server: Promise<EmbeddedPostgres> | undefined
const templates = new Map<string, Promise<string>>()

/**
 * The PostgreSQL server that all tests share, separate from the one that `start` uses. Tests kill processes but never
 * the machine. TESTS_DATA_DIR sets its folder. Defaults to `.data/test`.
 */
export const testServer = (): Promise<EmbeddedPostgres> => (server ??= startTestServer())

const startTestServer = async (): Promise<EmbeddedPostgres> => {
  const postgres = await startEmbeddedPostgres({ dataDir: process.env.TESTS_DATA_DIR ?? '.data/test', durable: false })
  await atATime(postgres, logErrors)
  return postgres
}

/**
 * The initial content of databases with this name, in addition to the schema. If `fill` changes, the name must change
 * too.
 */
export interface Beginning {
  name: string
  fill: (sql: Database) => Promise<void>
}

const nothing: Beginning = { name: 'template', fill: () => Promise.resolve() }

/** Returns a migrated database. It is empty unless `beginning` fills it. */
export const testDatabase = async (beginning: Beginning = nothing): Promise<TestDatabase> => {
  const postgres = await testServer()
  let template = templates.get(beginning.name)
  if (!template) templates.set(beginning.name, (template = makeTemplate(postgres, beginning)))
  const from = await template
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const url = await postgres.ensureDatabase(name, { template: from })
  const sql = connect({ url, applicationName: ofTest })
  const errors = await ErrorWatch.start(sql, url)
  return {
    url,
    sql,
    expectErrors: (...expected) => errors.expect(...expected),
    drop: async () => {
      await sql.end({ timeout: 1 })
      const unexpected = await errors.unexpected()
      await postgres.dropDatabase(name)
      if (unexpected !== '') throw new Error(`The test did not declare these errors (expectErrors):\n${unexpected}`)
    },
  }
}

/** Returns an empty migrated database for the tests of a file or of a `describe`, which provoke these `errors`. */
export const useDatabase = (...errors: string[]): TestDatabase =>
  use(async () => {
    const database = await testDatabase()
    database.expectErrors(...errors)
    return database
  })

/** Inserts a workspace of the plan `unlimited`, without members. Returns its id. */
export const newWorkspace = async (sql: Database, id: string = randomUUID()): Promise<string> => {
  await sql`insert into workspaces (id, name, plan_id) values (${id}, 'Shop', 'unlimited')`
  return id
}

/** Starts a transaction and runs the work in it. Returns a function that commits it. */
export const openTransaction = async (sql: Database, work: (tx: Sql) => PromiseLike<unknown>) => {
  const [begun, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const transaction = sql.begin(async tx => {
    await work(tx)
    begun.resolve()
    await mayCommit.promise
  })
  await Promise.race([begun.promise, transaction])
  return async () => {
    mayCommit.resolve()
    await transaction
  }
}

/** Releases the server. The server stops when its last user has released it. */
export const releaseTestServer = async (): Promise<void> => {
  await (await server)?.release()
  server = undefined
  templates.clear()
}

const migrationTableSource = readFileSync(join(import.meta.dirname, '../../src/platform/postgres/migrate.ts'))

const makeTemplate = async (postgres: EmbeddedPostgres, beginning: Beginning): Promise<string> => {
  const hash = createHash('sha256')
    .update(JSON.stringify(migrations))
    .update(migrationTableSource)
    .digest('hex')
    .slice(0, 12)
  const name = `${beginning.name}_${hash}`
  await atATime(postgres, async sql => {
    if ((await sql`select 1 from pg_database where datname = ${name}`).length > 0) return
    const unfinished = `unfinished_${name}`
    const url = await postgres.ensureDatabase(unfinished, { fresh: true })
    const made = connect({ url, applicationName: 'test template', max: 2 })
    await migrate(made, () => migrateTasks(url))
    await beginning.fill(made)
    await made.end()
    await sql`alter database ${sql(unfinished)} rename to ${sql(name)}`
  })
  return name
}

/**
 * Runs one process at a time. Files are tested in parallel, and PostgreSQL cannot copy a database that has connections.
 */
const atATime = async (postgres: EmbeddedPostgres, work: (sql: Database) => Promise<void>): Promise<void> => {
  const sql = connect({ url: postgres.url('postgres'), applicationName: 'test template', max: 1 })
  try {
    await sql`select pg_advisory_lock(hashtext('test template'))`
    await work(sql)
  } finally {
    await sql.end()
  }
}
