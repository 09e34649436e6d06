/** Brings a database up to date. Any number of processes may try at once: one works, the others wait and find it done. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Sql } from './client.ts'
import { type Migration, migrations } from './migrations.ts'

/** What it found that nobody can migrate; the message is one sentence for the operator. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'
}

/** uuidv7() and `returning old` came with this version. */
const minVersion = 18
/** Any number, as long as it stays the same. The lock is of this database alone. */
const lockKey = 7_245_001
const patienceMs = 600_000
const askAgainMs = 100

/**
 * Applies the missing migrations, each in a transaction of its own: one that fails leaves nothing behind, and the next
 * start goes on with it. `beside` comes first, for what brings its own migrations, so that a database which holds all of
 * ours lacks nothing. It has its own connections, and nothing waits in an open transaction while it runs. Returns the
 * names of those applied.
 */
export const migrate = async (
  sql: Database,
  beside: () => Promise<void>,
  all: readonly Migration[] = migrations,
): Promise<string[]> => {
  await refuseOldServer(sql)
  const connection = await sql.reserve()
  try {
    await takeTurn(connection)
    await connection`create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now())`
    const missing = missingFrom(await appliedMigrations(connection), all)
    await beside()
    for (const migration of missing) await apply(connection, migration)
    return missing.map(({ name }) => name)
  } finally {
    // Where the connection is lost, the lock went with it.
    await endTurn(connection).catch(() => {})
    connection.release()
  }
}

/**
 * One process at a time, however many are started. Asked for again and again: a statement that waited for the lock would
 * hold a snapshot meanwhile, and `create index concurrently` waits for whoever holds one.
 */
const takeTurn = async (connection: Sql): Promise<void> => {
  const giveUpAt = performance.now() + patienceMs
  while (!(await tryLock(connection))) {
    if (performance.now() > giveUpAt)
      throw new MigrationError(
        'Another process has been migrating the database for 10 minutes; see in pg_stat_activity what it waits for.',
      )
    await sleep(askAgainMs)
  }
  // A migration may take longer than a statement should.
  await connection`set statement_timeout = '10min'`
  await connection`set lock_timeout = '10min'`
}

const tryLock = async (connection: Sql): Promise<boolean> => {
  const [row] = await connection<{ locked: boolean }[]>`select pg_try_advisory_lock(${lockKey}) as locked`
  return row!.locked
}

const endTurn = async (connection: Sql): Promise<void> => {
  await connection`reset statement_timeout`
  await connection`reset lock_timeout`
  await connection`select pg_advisory_unlock(${lockKey})`
}

/** Statements that go to the server in one message are one transaction: the note and what it says, or neither. */
const apply = (connection: Sql, { name, sql: text }: Migration) =>
  connection.unsafe(`insert into schema_migrations (name) values ('${name}');\n${text}`)

/** True when every migration of this build has been applied. */
export const isMigrated = async (sql: Sql): Promise<boolean> => {
  const [row] = await sql<{ exists: boolean }[]>`select to_regclass('schema_migrations') is not null as exists`
  return row!.exists && missingFrom(await appliedMigrations(sql), migrations).length === 0
}

const appliedMigrations = async (sql: Sql): Promise<string[]> =>
  (await sql<{ name: string }[]>`select name from schema_migrations`).map(({ name }) => name)

const missingFrom = (applied: string[], all: readonly Migration[]) => {
  const known = new Set(all.map(({ name }) => name))
  const foreign = applied.find(name => !known.has(name))
  if (foreign !== undefined)
    throw new MigrationError(
      `The database holds the migration ${foreign}, which this build does not know; use a newer build.`,
    )
  return all.filter(({ name }) => !applied.includes(name))
}

const refuseOldServer = async (sql: Database): Promise<void> => {
  const [row] = await sql<{ version: number; text: string }[]>`
    select current_setting('server_version_num')::integer / 10000 as version, current_setting('server_version') as text`
  if (row!.version < minVersion)
    throw new MigrationError(`PostgreSQL ${minVersion} or newer is needed; DATABASE_URL leads to version ${row!.text}.`)
}
