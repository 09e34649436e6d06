/** Brings a database up to date. Any number of processes may try at once: one works, the others wait and find it done. */
import { type Database, type Sql, transaction } from './client.ts'
import { migrations } from './migrations.ts'

/** What it found that nobody can migrate; the message is one sentence for the operator. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'
}

/** uuidv7() and `returning old` came with this version. */
const minVersion = 18
/** Any number, as long as it stays the same. */
const lockKey = 7_245_001

/**
 * Applies the missing migrations, each at most once, all in one transaction. `beside` is run under the same lock, for
 * what brings its own migrations. Returns the names of those applied.
 */
export const migrate = async (sql: Database, beside: () => Promise<void>): Promise<string[]> => {
  await refuseOldServer(sql)
  return transaction(sql, async tx => {
    // Whoever waits here does so while another process migrates, which may take longer than a statement should.
    await tx`set local lock_timeout = '10min'`
    await tx`set local statement_timeout = '10min'`
    await tx`set local idle_in_transaction_session_timeout = '10min'`
    await tx`select pg_advisory_xact_lock(${lockKey})`
    await tx`create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now())`
    const missing = missingFrom(await appliedMigrations(tx))
    for (const { name, sql: text } of missing) {
      await tx`insert into schema_migrations (name) values (${name})`
      await tx.unsafe(text)
    }
    await beside()
    return missing.map(({ name }) => name)
  })
}

/** True when every migration of this build has been applied. */
export const isMigrated = async (sql: Sql): Promise<boolean> => {
  const [row] = await sql<{ exists: boolean }[]>`select to_regclass('schema_migrations') is not null as exists`
  return row!.exists && missingFrom(await appliedMigrations(sql)).length === 0
}

const appliedMigrations = async (sql: Sql): Promise<string[]> =>
  (await sql<{ name: string }[]>`select name from schema_migrations`).map(({ name }) => name)

const missingFrom = (applied: string[]) => {
  const known = new Set(migrations.map(({ name }) => name))
  const foreign = applied.find(name => !known.has(name))
  if (foreign !== undefined)
    throw new MigrationError(
      `The database holds the migration ${foreign}, which this build does not know; use a newer build.`,
    )
  return migrations.filter(({ name }) => !applied.includes(name))
}

const refuseOldServer = async (sql: Database): Promise<void> => {
  const [row] = await sql<{ version: number; text: string }[]>`
    select current_setting('server_version_num')::integer / 10000 as version, current_setting('server_version') as text`
  if (row!.version < minVersion)
    throw new MigrationError(`PostgreSQL ${minVersion} or newer is needed; DATABASE_URL leads to version ${row!.text}.`)
}
