/** Brings a database up to date. Any number of processes may try at once: one works, the others wait and find it done. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, type Sql, sqlState } from './client.ts'
import { planOf, type Step } from './migration-file.ts'
import { type Migration, migrations } from './migrations.ts'

/** What it found that nobody can migrate; the message is one sentence for the operator. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'
}

/** uuidv7() and `returning old` came with this version. */
const minVersion = 18
/** Any number, as long as it stays the same. The lock is of this database alone. */
const lockKey = 7_245_001
const askAgainMs = 100

/** How long a migration waits for whom. */
export interface MigrationTimes {
  /** Milliseconds until it gives up waiting: for another process that migrates, or for a lock that it never gets. */
  patienceMs: number
  /** Everybody who wants a table waits behind a migration that waits for it: no longer than so many milliseconds. */
  maxLockWaitMs: number
  /** The pauses between two tries for a lock, in milliseconds: the first, doubled up to the last. */
  pausesMs: readonly [first: number, last: number]
}

const usualTimes: MigrationTimes = { patienceMs: 600_000, maxLockWaitMs: 1000, pausesMs: [500, 5000] }

/**
 * Applies the missing migrations, each in a transaction of its own, or in steps where its file says so: one that fails
 * leaves nothing behind, or what its steps may find, and the next start goes on with it. `beside` comes first, for what
 * brings its own migrations, so that a database which holds all of ours lacks nothing. It has its own connections, and
 * nothing waits in an open transaction while it runs. Returns the names of those applied. Migrations that this build does
 * not know are left alone; throws MigrationError where one of them says that this build cannot live with it.
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
    // Where the connection is lost, the lock went with it.
    await endTurn(connection).catch(() => {})
    connection.release()
  }
}

interface Turn extends MigrationTimes {
  connection: Sql
}

/**
 * One process at a time, however many are started. Asked for again and again: a statement that waited for the lock would
 * hold a snapshot meanwhile, and `create index concurrently` waits for whoever holds one.
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
  // A migration may take longer than a statement should.
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
 * Where it is noted what has been applied: in `schema_migrations` what came first and what breaks older builds, in
 * `later_migrations` the rest. The first builds could live with the rest as well, but refuse a database whose
 * `schema_migrations` names what they do not know. Asked for first: making what is there already takes rights of its own.
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

/** Statements that go to the server in one message are one transaction: the note and what it says, or neither. */
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

/** The last migration of builds that refuse what they do not know. */
const lastOfTheFirst = '018_outbound_events_untold'

/** How many rows it changed, where it says so. */
const send = async ({ connection }: Turn, text: string): Promise<number> => (await connection.unsafe(text)).count ?? 0

const takeStep = async (turn: Turn, name: string, { sql, again, concurrent, index }: Step): Promise<void> => {
  if (concurrent) return changeIndex(turn, sql, index)
  for (;;) {
    const began = performance.now()
    const changed = await patiently(turn, name, () => send(turn, sql))
    if (!again || changed === 0) return
    // The database belongs to the traffic at least half of the time.
    await sleep(Math.min(performance.now() - began, maxRestMs))
  }
}

const maxRestMs = 1000

/**
 * While it waits for transactions that began before, nobody waits behind it; so it may wait long, as it must: one that gave
 * up would have to begin anew. One that was interrupted has left an index that is written to, but never read.
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
 * Tries for its locks in short waits, with pauses in which those who waited behind it get on, and the longer the more
 * often it was in vain.
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

/** Not had in time; or given up, as it and somebody else waited for each other. */
const lockStates = new Set(['55P03', '40P01'])

/** True when every migration of this build has been applied. */
export const isMigrated = async (sql: Sql): Promise<boolean> => {
  const [row] = await sql<{ exists: boolean }[]>`
    select to_regclass('schema_migrations') is not null and to_regclass('later_migrations') is not null as exists`
  return row!.exists && missingFrom(await appliedMigrations(sql), migrations).length === 0
}

/**
 * From now on no build can be started whose last migration is older than `leastCompatible`, as if a migration of this name
 * had said so: for what is changed while the service runs, once nobody needs it as it was.
 */
export const barOlderBuilds = (sql: Sql, name: string, leastCompatible: string) => sql`
  insert into schema_migrations (name, least_compatible)
  select ${name}, ${leastCompatible} where not exists (select 1 from schema_migrations where name = ${name})
  on conflict do nothing`

interface Applied {
  name: string
  leastCompatible: string | null
}

/** By way of JSON: a build that did not note it yet made the table without the column. */
const appliedMigrations = async (sql: Sql): Promise<Applied[]> => sql<Applied[]>`
  select name, to_jsonb(m) ->> 'least_compatible' as "leastCompatible" from schema_migrations m
  union all select name, null from later_migrations`

/** A newer build beside this one, or before it, does no harm, unless its migration says that it does. */
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
