/**
 * Migrates a database. Several processes may start concurrently: one migrates, and the others wait and find it done.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, type Sql, sqlState } from './client.ts'
import { planOf, type Step } from './migration-file.ts'
import { type Migration, migrations } from './migrations.ts'

/** Error for a database that cannot be migrated. The message is one sentence for the operator. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'
}

/** First version with uuidv7() and `returning old`. */
const minVersion = 18
/** Constant key of the advisory lock, which is scoped to this database. */
const lockKey = 7_245_001
const askAgainMs = 100

/** Time limits of a migration. */
export interface MigrationTimes {
  /** Milliseconds to wait for another migrating process, or for a lock that never becomes free. */
  patienceMs: number
  /** Maximum milliseconds to wait for one lock. All other users of the table queue behind the waiting migration. */
  maxLockWaitMs: number
  /** Pauses between two attempts to get a lock, in milliseconds: the first, doubled up to the last. */
  pausesMs: readonly [first: number, last: number]
}

const usualTimes: MigrationTimes = { patienceMs: 600_000, maxLockWaitMs: 1000, pausesMs: [500, 5000] }

/**
 * Applies the missing migrations and returns their names. Each runs in its own transaction, or in steps if its file
 * declares them.
 *
 * A failed transaction leaves no change. Completed steps remain, and the next start runs the migration again. `beside`
 * runs first, for a library with its own migrations, so that a database with all our migrations lacks nothing. It uses
 * its own connections, and no transaction stays open while it runs.
 *
 * Unknown migrations are ignored. Throws MigrationError if one of them declares this build incompatible.
 */
export const migrate = async (
  sql: Database,
  beside: () => Promise<void>,
  all: readonly Migration[] = migrations,
  times: Partial<MigrationTimes> = {},
): Promise<string[]> => {
  await refuseOldServer(sql)
  const connection = await sql.reserve()
  const turn = { ...usualTimes, ...times, connection }
  try {
    await takeTurn(turn)
    await makeBook(connection)
    const missing = missingFrom(await appliedMigrations(connection), all)
    await beside()
    for (const migration of missing) await apply(turn, migration)
    return missing.map(({ name }) => name)
  } finally {
    // If the connection is lost, the lock is released with it.
    await endTurn(connection).catch(() => {})
    connection.release()
  }
}

interface Turn extends MigrationTimes {
  connection: Sql
}

/**
 * Lets one process migrate at a time. The lock is polled, because a waiting statement would hold a snapshot, and
 * `create index concurrently` waits for all snapshots.
 */
const takeTurn = async ({ connection, patienceMs, maxLockWaitMs }: Turn): Promise<void> => {
  const giveUpAt = performance.now() + patienceMs
  while (!(await tryLock(connection))) {
    if (performance.now() > giveUpAt)
      throw new MigrationError(
        `Another process has been migrating the database for ${inWords(patienceMs)}; see in pg_stat_activity what it waits for.`,
      )
    await sleep(askAgainMs)
  }
  // A migration may take longer than other statements.
  await setLimits(connection, maxStatementMs, maxLockWaitMs)
}

const maxStatementMs = 600_000

const setLimits = (connection: Sql, statementMs: number, lockMs: number) => connection`
  select set_config('statement_timeout', ${String(statementMs)}, false), set_config('lock_timeout', ${String(lockMs)}, false)`

const inWords = (ms: number): string => (ms < 60_000 ? `${ms / 1000} seconds` : `${Math.round(ms / 60_000)} minutes`)

const tryLock = async (connection: Sql): Promise<boolean> => {
  const [row] = await connection<{ locked: boolean }[]>`select pg_try_advisory_lock(${lockKey}) as locked`
  return row!.locked
}

const endTurn = async (connection: Sql): Promise<void> => {
  await connection`reset statement_timeout`
  await connection`reset lock_timeout`
  await connection`select pg_advisory_unlock(${lockKey})`
}

/**
 * Creates the tables that record applied migrations. `schema_migrations` holds the first migrations and those that
 * break older builds; `later_migrations` holds the rest.
 *
 * The first builds are compatible with the rest, but reject a database whose `schema_migrations` has unknown names.
 * Existence is checked first, because `create if not exists` also needs privileges.
 */
const makeBook = async (connection: Sql): Promise<void> => {
  const [book] = await connection<{ there: boolean; whole: boolean; goesOn: boolean }[]>`
    select to_regclass('schema_migrations') is not null as there, to_regclass('later_migrations') is not null as "goesOn",
      exists (
        select 1 from pg_attribute where attrelid = to_regclass('schema_migrations') and attname = 'least_compatible') as whole`
  const { there, whole, goesOn } = book!
  if (!there)
    await connection`create table schema_migrations (name text primary key, applied_at timestamptz not null default now())`
  if (!whole) await connection`alter table schema_migrations add column least_compatible text`
  if (!goesOn)
    await connection`create table later_migrations (name text primary key, applied_at timestamptz not null default now())`
}

const apply = async (turn: Turn, { name, sql: text }: Migration): Promise<void> => {
  const { leastCompatible, steps } = planOf(text)
  if (steps === null) {
    await patiently(turn, name, () => send(turn, `${noteOf(name, leastCompatible)};\n${text}`))
    return
  }
  for (const step of steps) await takeStep(turn, name, step)
  await note(turn.connection, name, leastCompatible)
}

/**
 * Returns the statement that records a migration. Statements sent in one message are one transaction, so the record and
 * the change are applied together or not at all.
 */
const noteOf = (name: string, leastCompatible: string | null): string =>
  comesLater(name, leastCompatible)
    ? `insert into later_migrations (name) values ('${name}')`
    : `insert into schema_migrations (name, least_compatible) values ('${name}', ${leastCompatible === null ? 'null' : `'${leastCompatible}'`})`

const note = (connection: Sql, name: string, leastCompatible: string | null) =>
  comesLater(name, leastCompatible)
    ? connection`insert into later_migrations (name) values (${name})`
    : connection`insert into schema_migrations (name, least_compatible) values (${name}, ${leastCompatible})`

const comesLater = (name: string, leastCompatible: string | null): boolean =>
  name > lastOfTheFirst && leastCompatible === null

/** Last migration of the builds that reject unknown migrations. */
const lastOfTheFirst = '018_outbound_events_untold'

/** Sends statements and returns the number of changed rows, or 0 if the server reports none. */
const send = async ({ connection }: Turn, text: string): Promise<number> => (await connection.unsafe(text)).count ?? 0

const takeStep = async (turn: Turn, name: string, { sql, again, concurrent, index }: Step): Promise<void> => {
  if (concurrent) return changeIndex(turn, sql, index)
  for (;;) {
    const began = performance.now()
    const changed = await patiently(turn, name, () => send(turn, sql))
    if (!again || changed === 0) return
    // Leave at least half of the time to other traffic.
    await sleep(Math.min(performance.now() - began, maxRestMs))
  }
}

const maxRestMs = 1000

/**
 * Builds or drops an index concurrently. It may wait long for older transactions, because no other session waits behind
 * it, and an aborted build would start again.
 *
 * An interrupted build leaves an invalid index, which is written but never read. It is dropped first.
 */
const changeIndex = async ({ connection, maxLockWaitMs }: Turn, statement: string, index: string | null) => {
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
const patiently = async <T>(turn: Turn, name: string, work: () => Promise<T>): Promise<T> => {
  const giveUpAt = performance.now() + turn.patienceMs
  for (let [pause, last] = turn.pausesMs; ; pause = Math.min(2 * pause, last)) {
    try {
      return await work()
    } catch (error) {
      if (!lockStates.has(sqlState(error) ?? '')) throw error
      if (performance.now() + pause > giveUpAt)
        throw new MigrationError(
          `The migration ${name} got no lock within ${inWords(turn.patienceMs)}, as others hold it all the time; see in pg_stat_activity who does, and start again.`,
          { cause: error },
        )
      await sleep(pause * (0.75 + Math.random() / 2))
    }
  }
}

/** Lock timeout, or deadlock with another session. */
const lockStates = new Set(['55P03', '40P01'])

/** Returns whether every migration of this build has been applied. */
export const isMigrated = async (sql: Sql): Promise<boolean> => {
  const [row] = await sql<{ exists: boolean }[]>`
    select to_regclass('schema_migrations') is not null and to_regclass('later_migrations') is not null as exists`
  return row!.exists && missingFrom(await appliedMigrations(sql), migrations).length === 0
}

/**
 * Prevents builds whose last migration is older than `leastCompatible` from starting, as if a migration of this name
 * declared it. For changes made while the service runs, when no older build needs the previous state.
 */
export const barOlderBuilds = (sql: Sql, name: string, leastCompatible: string) => sql`
  insert into schema_migrations (name, least_compatible)
  select ${name}, ${leastCompatible} where not exists (select 1 from schema_migrations where name = ${name})
  on conflict do nothing`

interface Applied {
  name: string
  leastCompatible: string | null
}

/** Reads through JSON, because an early build created the table without the column. */
const appliedMigrations = async (sql: Sql): Promise<Applied[]> => sql<Applied[]>`
  select name, to_jsonb(m) ->> 'least_compatible' as "leastCompatible" from schema_migrations m
  union all select name, null from later_migrations`

/** Returns the migrations to apply. Migrations of a newer build are harmless unless they declare otherwise. */
const missingFrom = (applied: Applied[], all: readonly Migration[]): Migration[] => {
  const known = new Set(all.map(({ name }) => name))
  const last = [...known].sort().at(-1) ?? ''
  const breaking = applied.find(
    ({ name, leastCompatible }) => !known.has(name) && leastCompatible !== null && last < leastCompatible,
  )
  if (breaking)
    throw new MigrationError(
      `The database holds the migration ${breaking.name}, with which no build older than migration ${breaking.leastCompatible} can work; use a newer build.`,
    )
  const there = new Set(applied.map(({ name }) => name))
  return all.filter(({ name }) => !there.has(name))
}

const refuseOldServer = async (sql: Database): Promise<void> => {
  const [row] = await sql<{ version: number; text: string }[]>`
    select current_setting('server_version_num')::integer / 10000 as version, current_setting('server_version') as text`
  if (row!.version < minVersion)
    throw new MigrationError(`PostgreSQL ${minVersion} or newer is needed; DATABASE_URL leads to version ${row!.text}.`)
}
