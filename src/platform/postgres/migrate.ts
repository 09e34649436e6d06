/**
 * Migrates a database. Several processes may start concurrently: one migrates, and the others wait and find it done.
 */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, type Sql, sqlState } from './client.ts'
import { parseMigration, type Step } from './migration-file.ts'
import { type Migration, migrations } from './migrations.ts'
import { minVersion } from './server-state.ts'

/** Error for a database that cannot be migrated. The message is one sentence for the operator. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'
}

/** Constant key of the advisory lock, which is scoped to this database. */
const lockKey = 7_245_001
const lockPollMs = 100

/** Time limits of a migration, and how its statements are sent. */
export interface MigrationOptions {
  /**
   * Runs statements as one transaction and returns the number of rows that the last one changed. Sends one message by
   * default, which PostgreSQL runs as one transaction.
   */
  send: (connection: Sql, statements: readonly string[]) => Promise<number>
  /** Milliseconds to wait for another migrating process, or for a lock that never becomes free. */
  timeoutMs: number
  /** Maximum milliseconds to wait for one lock. All other users of the table queue behind the waiting migration. */
  maxLockWaitMs: number
  /** Pauses between two attempts to get a lock, in milliseconds: the first, doubled up to the last. */
  pausesMs: readonly [first: number, last: number]
}

const defaults: MigrationOptions = {
  send: async (connection, statements) => (await connection.unsafe(statements.join(';\n'))).count ?? 0,
  timeoutMs: 600_000,
  maxLockWaitMs: 1000,
  pausesMs: [500, 5000],
}

/**
 * Applies the missing migrations and returns their names. Each runs in its own transaction, or in steps if its file
 * declares them.
 *
 * A failed transaction leaves no change. Completed steps remain, and the next start runs the migration again. `migrateLibraries`
 * runs first, for a library with its own migrations, so that a database with all our migrations lacks nothing. It uses
 * its own connections, and no transaction stays open while it runs.
 *
 * Unknown migrations are ignored. Throws MigrationError if one of them declares this build incompatible.
 */
export const migrate = async (
  sql: Database,
  migrateLibraries: () => Promise<void>,
  all: readonly Migration[] = migrations,
  options: Partial<MigrationOptions> = {},
): Promise<string[]> => {
  await requireServerVersion(sql)
  const connection = await sql.reserve()
  const session = { ...defaults, ...options, connection }
  try {
    await acquireLock(session)
    await createMigrationsTable(connection)
    const missing = findMissing(await appliedMigrations(connection), all)
    await migrateLibraries()
    for (const migration of missing) await apply(session, migration)
    return missing.map(({ name }) => name)
  } finally {
    // If the connection is lost, the lock is released with it.
    await releaseLock(connection).catch(() => {})
    connection.release()
  }
}

interface MigrationSession extends MigrationOptions {
  connection: Sql
}

/**
 * Lets one process migrate at a time. The lock is polled, because a waiting statement would hold a snapshot, and
 * `create index concurrently` waits for all snapshots.
 */
const acquireLock = async ({ connection, timeoutMs, maxLockWaitMs }: MigrationSession): Promise<void> => {
  const deadline = performance.now() + timeoutMs
  while (!(await tryLock(connection))) {
    if (performance.now() > deadline)
      throw new MigrationError(
        `Another process has been migrating the database for ${formatDuration(timeoutMs)}; check pg_stat_activity for what blocks it.`,
      )
    await sleep(lockPollMs)
  }
  // A migration may take longer than other statements.
  await setLimits(connection, maxStatementMs, maxLockWaitMs)
}

const maxStatementMs = 600_000

const setLimits = (connection: Sql, statementMs: number, lockMs: number) => connection`
  select set_config('statement_timeout', ${String(statementMs)}, false), set_config('lock_timeout', ${String(lockMs)}, false)`

const formatDuration = (ms: number): string =>
  ms < 60_000 ? `${ms / 1000} seconds` : `${Math.round(ms / 60_000)} minutes`

const tryLock = async (connection: Sql): Promise<boolean> => {
  const [row] = await connection<{ locked: boolean }[]>`select pg_try_advisory_lock(${lockKey}) as locked`
  return row!.locked
}

const releaseLock = async (connection: Sql): Promise<void> => {
  await connection`reset statement_timeout`
  await connection`reset lock_timeout`
  await connection`select pg_advisory_unlock(${lockKey})`
}

/** Creates the table of applied migrations. Checks first, because `create if not exists` also needs privileges. */
const createMigrationsTable = async (connection: Sql): Promise<void> => {
  if (await hasMigrationsTable(connection)) return
  await connection`
    create table schema_migrations (
      name text primary key, applied_at timestamptz not null default now(), least_compatible text, checksum text)`
}

/** Returns whether the schema of the session has the table. A schema of a cell must not use the table of `public`. */
export const hasMigrationsTable = async (sql: Sql): Promise<boolean> => {
  const [row] = await sql<{ exists: boolean }[]>`
    select to_regclass(quote_ident(current_schema()) || '.schema_migrations') is not null as exists`
  return row!.exists
}

const apply = async (session: MigrationSession, migration: Migration): Promise<void> => {
  const { name, sql: text } = migration
  const { leastCompatible, steps } = parseMigration(text)
  const record = recordStatement(migration, leastCompatible)
  if (steps === null) {
    await withLockRetries(session, name, () => send(session, [record, text]))
    return
  }
  for (const step of steps) await runStep(session, name, step)
  await send(session, [record])
}

/**
 * Returns the statement that records a migration. It is sent in one transaction with the change, so both are applied or
 * none.
 */
const recordStatement = (migration: Migration, leastCompatible: string | null): string =>
  `insert into schema_migrations (name, least_compatible, checksum)
    values ('${migration.name}', ${leastCompatible === null ? 'null' : `'${leastCompatible}'`}, '${checksumOf(migration)}')`

/** Returns a checksum of the file. A database that applied another file of this name has another schema. */
const checksumOf = ({ sql }: Migration): string => createHash('sha256').update(sql).digest('hex')

const send = ({ connection, send }: MigrationSession, statements: readonly string[]): Promise<number> =>
  send(connection, statements)

const runStep = async (
  session: MigrationSession,
  name: string,
  { sql, repeat, concurrent, index }: Step,
): Promise<void> => {
  if (concurrent) return changeIndex(session, sql, index)
  for (;;) {
    const startedAt = performance.now()
    const changed = await withLockRetries(session, name, () => send(session, [sql]))
    if (!repeat || changed === 0) return
    // Leave at least half of the time to other traffic.
    await sleep(Math.min(performance.now() - startedAt, maxPauseMs))
  }
}

const maxPauseMs = 1000

/**
 * Builds or drops an index concurrently. It may wait long for older transactions, because no other session waits behind
 * it, and an aborted build would start again.
 *
 * An interrupted build leaves an invalid index, which is written but never read. It is dropped first.
 */
const changeIndex = async (
  { connection, maxLockWaitMs }: MigrationSession,
  statement: string,
  index: string | null,
) => {
  await setLimits(connection, maxIndexMs, maxIndexMs)
  const [broken] = await connection`select 1 from pg_index where indexrelid = to_regclass(${index}) and not indisvalid`
  if (index !== null && broken) await connection.unsafe(`drop index concurrently ${index}`)
  await connection.unsafe(statement)
  await setLimits(connection, maxStatementMs, maxLockWaitMs)
}

const maxIndexMs = 6 * 3_600_000

/**
 * Retries `work` on lock timeouts. Each wait is short. The pause after it grows with each attempt, and lets the queued
 * sessions run.
 */
const withLockRetries = async <T>(session: MigrationSession, name: string, work: () => Promise<T>): Promise<T> => {
  const deadline = performance.now() + session.timeoutMs
  for (let [pause, last] = session.pausesMs; ; pause = Math.min(2 * pause, last)) {
    try {
      return await work()
    } catch (error) {
      if (!lockStates.has(sqlState(error) ?? '')) throw error
      if (performance.now() + pause > deadline)
        throw new MigrationError(
          `The migration ${name} could not get a lock within ${formatDuration(session.timeoutMs)}. Find the sessions that hold it in pg_stat_activity, and start again.`,
          { cause: error },
        )
      await sleep(pause * (0.75 + Math.random() / 2))
    }
  }
}

/** Lock timeout, or deadlock with another session. */
const lockStates = new Set(['55P03', '40P01'])

/** Returns whether every migration of this build has been applied. Throws MigrationError like `migrate`. */
export const isMigrated = async (sql: Sql): Promise<boolean> =>
  (await hasMigrationsTable(sql)) && findMissing(await appliedMigrations(sql), migrations).length === 0

/** Schema of a database: its last migration, and a checksum of all migrations that were applied. */
export interface SchemaVersion {
  migration: string
  schema: string
}

/** Reads the schema version of a migrated database. Two databases with the same version have the same tables. */
export const readSchemaVersion = async (sql: Sql): Promise<SchemaVersion> => {
  const applied = (await appliedMigrations(sql)).map(({ name, checksum }) => `${name} ${checksum}`).sort()
  const schema = createHash('sha256').update(applied.join('\n')).digest('hex').slice(0, 16)
  return { migration: applied.at(-1)!.split(' ')[0]!, schema }
}

interface Applied {
  name: string
  leastCompatible: string | null
  checksum: string | null
}

/** Reads the columns by name, because the table of a build before the first release lacks some. */
const appliedMigrations = async (sql: Sql): Promise<Applied[]> => sql<Applied[]>`
  select name, to_jsonb(m) ->> 'least_compatible' as "leastCompatible", to_jsonb(m) ->> 'checksum' as checksum
  from schema_migrations m`

/**
 * Returns the migrations to apply. Migrations of a newer build are harmless unless they declare otherwise. A schema that
 * does not begin with the first migration of this build, or has another version of one, is from a build before the first
 * release.
 */
const findMissing = (applied: Applied[], all: readonly Migration[]): Migration[] => {
  const checksums = new Map(applied.map(({ name, checksum }) => [name, checksum]))
  const differs = (one: Migration) => checksums.has(one.name) && checksums.get(one.name) !== checksumOf(one)
  if (checksums.size > 0 && (!checksums.has(all[0]!.name) || all.some(differs)))
    throw new MigrationError(
      'The database has the schema of a build before the first release, which cannot be migrated; use an empty database (DATABASE_URL, or a new DATA_DIR).',
    )
  const known = new Set(all.map(({ name }) => name))
  const last = [...known].sort().at(-1) ?? ''
  const breaking = applied.find(
    ({ name, leastCompatible }) => !known.has(name) && leastCompatible !== null && last < leastCompatible,
  )
  if (breaking)
    throw new MigrationError(
      `The database has the migration ${breaking.name}, which requires a build with migration ${breaking.leastCompatible} or newer. Use a newer build.`,
    )
  return all.filter(({ name }) => !checksums.has(name))
}

const requireServerVersion = async (sql: Database): Promise<void> => {
  const [row] = await sql<{ version: number; text: string }[]>`
    select current_setting('server_version_num')::integer / 10000 as version, current_setting('server_version') as text`
  if (row!.version < minVersion)
    throw new MigrationError(
      `PostgreSQL ${minVersion} or newer is required, but DATABASE_URL leads to version ${row!.text}. Upgrade PostgreSQL.`,
    )
}
