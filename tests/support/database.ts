/** A database of its own for whoever asks, copied from a migrated template: a few dozen milliseconds each. */
import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect, type Database } from '../../src/db/client.ts'
import { migrate } from '../../src/db/migrate.ts'
import { migrations } from '../../src/db/migrations.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/embedded/index.ts'
import { migrateTasks } from '../../src/tasks/index.ts'
import { ErrorWatch, logErrors, ofTest } from './errors.ts'

export interface TestDatabase {
  url: string
  sql: Database
  /**
   * Declares errors that the test provokes: SQLSTATEs, codes of the driver, or how messages of the service's log at level
   * `error` begin. Any other error that PostgreSQL or the service logs for this database fails the test.
   */
  expectErrors(...errors: string[]): void
  /** Closes the pool and drops the database, whoever is still connected. Throws when an error was logged unexpectedly. */
  drop(): Promise<void>
}

let server: Promise<EmbeddedPostgres> | undefined
const templates = new Map<string, Promise<string>>()

/**
 * The PostgreSQL that the tests share, apart from the one that `start` uses. A test kills processes, never the machine.
 * TESTS_DATA_DIR: where it is, if not in `.data/test`.
 */
export const testServer = (): Promise<EmbeddedPostgres> => (server ??= startTestServer())

const startTestServer = async (): Promise<EmbeddedPostgres> => {
  const postgres = await startEmbeddedPostgres({ dataDir: process.env.TESTS_DATA_DIR ?? '.data/test', durable: false })
  await atATime(postgres, logErrors)
  return postgres
}

/** What databases of a name begin with, beside the schema: whoever changes `fill` changes the name. */
export interface Beginning {
  name: string
  fill: (sql: Database) => Promise<void>
}

const nothing: Beginning = { name: 'template', fill: () => Promise.resolve() }

/** A migrated database, empty unless it is to begin with something. */
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

/** Lets the server go; it stops when nobody uses it any more. */
export const releaseTestServer = async (): Promise<void> => {
  await (await server)?.release()
  server = undefined
  templates.clear()
}

const howTheyAreNoted = readFileSync(join(import.meta.dirname, '../../src/db/migrate.ts'))

const makeTemplate = async (postgres: EmbeddedPostgres, beginning: Beginning): Promise<string> => {
  const hash = createHash('sha256')
    .update(JSON.stringify(migrations))
    .update(howTheyAreNoted)
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

/** One process after the other: files are tested side by side, and nobody can copy what somebody else is connected to. */
const atATime = async (postgres: EmbeddedPostgres, work: (sql: Database) => Promise<void>): Promise<void> => {
  const sql = connect({ url: postgres.url('postgres'), applicationName: 'test template', max: 1 })
  try {
    await sql`select pg_advisory_lock(hashtext('test template'))`
    await work(sql)
  } finally {
    await sql.end()
  }
}
