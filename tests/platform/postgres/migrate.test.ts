import { afterEach, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { migrateTasks } from '../../../src/app/tasks/index.ts'
import { connect, type Database } from '../../../src/platform/postgres/client.ts'
import { isMigrated, migrate } from '../../../src/platform/postgres/migrate.ts'
import { parseMigration } from '../../../src/platform/postgres/migration-file.ts'
import { type Migration, migrations } from '../../../src/platform/postgres/migrations.ts'
import { openTransaction, testServer } from '../../support/database.ts'
import { eventually } from '../../support/world.ts'

const undo: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

/** Creates a database without tables. */
const emptyDatabase = async () => {
  const postgres = await testServer()
  const name = `empty_${randomUUID().replaceAll('-', '')}`
  const url = await postgres.ensureDatabase(name)
  undo.push(() => postgres.dropDatabase(name))
  return { url, pool: (applicationName: string, max = 2) => poolOf(url, applicationName, max) }
}

const poolOf = (url: string, applicationName: string, max: number): Database => {
  const sql = connect({ url, applicationName, max })
  undo.push(() => sql.end({ timeout: 1 }))
  return sql
}

/** Returns a pool of a database without tables. */
const emptyPool = async () => (await emptyDatabase()).pool('test')

const nothing = async () => {}

/** Waits until a statement that contains these words waits for a lock. */
const waitsForLock = (sql: Database, words: string) =>
  eventually('it waits for a lock', async () => {
    const waiting = await sql`
      select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like ${`%${words}%`} and pid <> pg_backend_pid()`
    return waiting.length === 1
  })
const names = migrations.map(({ name }) => name)

const applied = async (sql: Database) =>
  (await sql<{ name: string }[]>`select name from schema_migrations order by applied_at, name`).map(({ name }) => name)

const exists = async (sql: Database, table: string) =>
  (await sql`select to_regclass(${table}) is not null as exists`)[0]!.exists

/** Returns whether the index is valid, or undefined if it does not exist. */
const isValidIndex = async (sql: Database) =>
  (await sql`select indisvalid as valid from pg_index where indexrelid = to_regclass('crowd_by_id')`)[0]?.valid

describe('concurrent migrations', () => {
  test('wait for each other, and the second finds everything applied', async () => {
    const { pool } = await emptyDatabase()
    const sql = pool('look')
    const inside = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    let parallelTasks = 0
    const parallelTask = async () => {
      parallelTasks++
      inside.resolve()
      await release.promise
    }
    const first = migrate(pool('first'), parallelTask)
    await inside.promise
    const second = migrate(pool('second'), parallelTask)
    await eventually('the second process waits for the lock', async () => {
      const waiting = await sql`
        select 1 from pg_stat_activity
        where datname = current_database() and application_name = 'second' and query like '%pg_try_advisory_lock%'`
      return waiting.length === 1
    })
    // An index that is built online would wait for an open transaction.
    await eventually('neither is in a transaction', async () => {
      const open = await sql`
        select 1 from pg_stat_activity where datname = current_database()
          and application_name in ('first', 'second') and xact_start is not null`
      return open.length === 0
    })
    expect({ parallelTasks, applied: await applied(sql) }).toEqual({ parallelTasks: 1, applied: [] })
    release.resolve()
    expect(await first).toEqual(names)
    expect(await second).toEqual([])
    expect(parallelTasks).toBe(2)
  })

  test('do not block each other on two databases of one server', async () => {
    const [one, other] = [await emptyPool(), await emptyPool()]
    await migrate(one, async () => {
      expect(await migrate(other, nothing)).toEqual(names)
    })
  })

  test('continue if the connection of one of them is lost', async () => {
    const { pool } = await emptyDatabase()
    const sql = pool('look')
    const killed = migrate(pool('killed'), async () => {
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'killed'`
    })
    await expect(killed).rejects.toThrow()
    expect(await migrate(pool('next'), nothing)).toEqual(names)
  })
})

const make = (name: string, sql = `create table "${name}" (id integer)`): Migration => ({ name, sql })

describe('each migration is atomic', () => {
  test('a failed migration leaves no changes or settings of its connection, and the next start continues with it', async () => {
    const { pool } = await emptyDatabase()
    const sql = pool('test', 1)
    const settings = async () => [
      ...(await sql`
        select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
          (select count(*)::integer from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()) as locks`),
    ]
    const before = await settings()
    expect(before).toMatchObject([{ statement: '30s', locks: 0 }])
    const broken = make('second', 'create table second (id integer); select 1 / 0; create table third (id integer)')
    const attempt = migrate(sql, nothing, [make('first'), broken, make('third')])
    await expect(attempt).rejects.toThrow('division by zero')
    expect(await settings()).toEqual(before)
    expect(await applied(sql)).toEqual(['first'])
    expect([await exists(sql, 'first'), await exists(sql, 'second')]).toEqual([true, false])

    expect(await migrate(sql, nothing, [make('first'), make('second'), make('third')])).toEqual(['second', 'third'])
    expect(await applied(sql)).toEqual(['first', 'second', 'third'])
    expect(await settings()).toEqual(before)
  })

  test('applies no migration if the parallel task fails, so that the database does not look ready', async () => {
    const { url, pool } = await emptyDatabase()
    const sql = pool('test')
    await expect(migrate(sql, () => Promise.reject(new Error('not today')))).rejects.toThrow('not today')
    expect(await applied(sql)).toEqual([])
    expect(await isMigrated(sql)).toBe(false)
    expect(await migrate(sql, () => migrateTasks(url))).toEqual(names)
    expect(await isMigrated(sql)).toBe(true)
  })
})

describe('an older build with the schema of a newer one', () => {
  const older = [make('001_first'), make('002_second')]
  const newer = (text?: string) => [...older, make('003_third'), make('004_of_tomorrow', text)]

  test('has nothing to do, or applies its own additional migrations', async () => {
    const sql = await emptyPool()
    await migrate(sql, nothing, newer())
    expect(await migrate(sql, nothing, older)).toEqual([])
    expect(await applied(sql)).toHaveLength(4)
    expect(await migrate(sql, nothing, [...older, make('003_other')])).toEqual(['003_other'])
  })

  const breaking = '-- What only the third build on can live with.\n-- least compatible: 003\ncreate table breaking ()'

  test.each([
    [
      'before the parallel task if a migration requires a newer build',
      newer(breaking),
      older,
      'The database has the migration 004_of_tomorrow, which requires a build with migration 003 or newer. Use a newer build.',
    ],
    [
      'as a whole if its first migration is unknown',
      [make('001_of_another_schema')],
      migrations,
      'The database has the schema of a build before the first release, which cannot be migrated; use an empty database (DATABASE_URL, or a new DATA_DIR).',
    ],
    [
      'as a whole if a migration of the same name was another one',
      [{ ...migrations[0]!, sql: 'create table another ()' }],
      migrations,
      'The database has the schema of a build before the first release',
    ],
  ])('is rejected %s, and nothing is changed', async (_, present, wanted, sentence) => {
    const sql = await emptyPool()
    await migrate(sql, nothing, present)
    const before = await applied(sql)
    let parallelTasks = 0
    await expect(migrate(sql, async () => void parallelTasks++, wanted)).rejects.toThrow(sentence)
    expect({ parallelTasks, applied: await applied(sql) }).toEqual({ parallelTasks: 0, applied: before })
    if (wanted === migrations) await expect(isMigrated(sql)).rejects.toThrow('cannot be migrated')
    else expect(await migrate(sql, nothing, newer(breaking).slice(0, 3))).toEqual([])
  })
})

describe('other statements are not blocked', () => {
  /** Returns a pool of a database with the first of these migrations, and one for other statements. */
  const withTraffic = async () => {
    const { pool } = await emptyDatabase()
    const [sql, traffic] = [pool('test'), pool('traffic', 3)]
    await migrate(sql, nothing, widened)
    return { sql, traffic }
  }
  const quick = { maxLockWaitMs: 100, pausesMs: [50, 100] as const }
  const widened = [make('table_of_all', 'create table crowd (id integer); insert into crowd values (1)')]
  const widening = [...widened, make('column', 'alter table crowd add column name text')]

  /** Reads the table and keeps the transaction open. Returns a function that commits. */
  const reader = (sql: Database) => openTransaction(sql, tx => tx`select * from crowd`)

  test('by a migration that waits for a lock: it waits for short times, retries, and gives up with one sentence', async () => {
    const { sql, traffic } = await withTraffic()
    const leave = await reader(traffic)
    await expect(migrate(sql, nothing, widening, { ...quick, timeoutMs: 500 })).rejects.toThrow(
      'The migration column could not get a lock within 0.5 seconds. Find the sessions that hold it in pg_stat_activity, and start again.',
    )
    expect(await applied(sql)).toEqual(['table_of_all'])
    const migrated = migrate(sql, nothing, widening, quick)
    for (let waited = 0; waited < 3; waited++) {
      await waitsForLock(traffic, 'alter table crowd')
      // Waits behind the migration, and is answered when the migration gives up, not when the reader commits.
      expect(await traffic`select id from crowd`).toHaveLength(1)
    }
    await leave()
    expect(await migrated).toEqual(['column'])
  })

  const indexed = (unique = '') => [
    ...widened,
    make('index', `-- online\n-- step\ncreate ${unique} index concurrently if not exists crowd_by_id on crowd (id)`),
  ]

  test('by an index that is built online, however long the build waits', async () => {
    const { sql, traffic } = await withTraffic()
    const leave = await reader(traffic)
    await traffic`insert into crowd values (2)`
    const migrated = migrate(sql, nothing, indexed(), quick)
    await waitsForLock(traffic, 'concurrently')
    await traffic`insert into crowd values (3)`
    await leave()
    expect(await migrated).toEqual(['index'])
    expect(await isValidIndex(sql)).toBe(true)
    const dropping = make('dropped', '-- online\n-- step\n-- Unused.\ndrop index concurrently if exists crowd_by_id;')
    const leaveAgain = await reader(traffic)
    const dropped = migrate(sql, nothing, [...indexed(), dropping], quick)
    await waitsForLock(traffic, 'drop index')
    await traffic`insert into crowd values (4)`
    await leaveAgain()
    expect(await dropped).toEqual(['dropped'])
    expect(await isValidIndex(sql)).toBeUndefined()
  })

  test('an index that an interrupted attempt left invalid is built again', async () => {
    const sql = await emptyPool()
    await migrate(sql, nothing, widened)
    await sql`insert into crowd values (1)`
    await expect(migrate(sql, nothing, indexed('unique'))).rejects.toThrow('could not create unique index')
    expect({ valid: await isValidIndex(sql), applied: await applied(sql) }).toEqual({
      valid: false,
      applied: ['table_of_all'],
    })
    await sql`delete from crowd where ctid = '(0,1)'`
    expect(await migrate(sql, nothing, indexed('unique'))).toEqual(['index'])
    expect(await isValidIndex(sql)).toBe(true)
  })

  const filled = (page: string) => [
    ...widening,
    make('filled', `-- online\n-- step: again until nothing changes\n${page}`),
  ]
  const page = `update crowd set name = 'n' where id in (select id from crowd where name is null order by id limit 10)`

  test('by an update in pages, which runs page by page and continues after an interruption', async () => {
    const sql = await emptyPool()
    await migrate(sql, nothing, widening)
    await sql`insert into crowd select n from generate_series(2, 35) as n`
    const pages = async () => {
      const found = await sql`
        select count(*)::integer as rows from crowd where name is not null group by xmin::text order by min(id)`
      return found.map(({ rows }) => rows)
    }
    // A row of the third page violates the constraint.
    await sql`alter table crowd add constraint not_25 check (id <> 25 or name is null)`
    await expect(migrate(sql, nothing, filled(page))).rejects.toThrow('not_25')
    expect({ pages: await pages(), applied: await applied(sql) }).toEqual({
      pages: [10, 10],
      applied: ['table_of_all', 'column'],
    })
    await sql`alter table crowd drop constraint not_25`
    expect(await migrate(sql, nothing, filled(page))).toEqual(['filled'])
    expect(await pages()).toEqual([10, 10, 10, 5])
  })
})

describe('the directives of a migration', () => {
  test('are valid in each of our migrations', () => {
    for (const { name, sql } of migrations) expect(() => parseMigration(sql), name).not.toThrow()
  })

  /** Changes that a process of the previous release may still depend on, or that reject its writes. */
  const takesAway =
    /\b(drop\s+(table|column|view|function|trigger)|rename\s+(to|column|constraint)|set\s+not\s+null|alter\s+column\s+\w+\s+(set\s+data\s+)?type)\b/i

  test('state the compatible builds if the migration removes something', () => {
    // A function only runs when it is called.
    const functions = /create function .*?\$\$.*?\$\$/gs
    const silent = migrations.filter(
      ({ sql }) =>
        takesAway.test(sql.replace(/--.*$/gm, '').replace(functions, '')) && !parseMigration(sql).leastCompatible,
    )
    expect(silent.map(({ name }) => name)).toEqual([])
    for (const text of ['drop table a', 'alter table a drop column b', 'alter table a alter column b type text'])
      expect(text).toMatch(takesAway)
  })

  const invalid = [
    '-- least-compatible: 019',
    '-- least compatible: 019 or so',
    '-- Online',
    '-- step: again',
    '--step',
  ]
  test.each([
    ...invalid.map(line => [`-- Words.\n${line}\nselect 1`, `"${line}" is not a valid migration header.`] as const),
    ['-- online\nselect 1;\n-- step\nselect 2', 'An online migration must begin with a step.'],
    [
      '-- online\n-- step\ncreate index concurrently a on b (c)',
      'A step must be "create index concurrently if not exists NAME on …" or "drop index concurrently if exists NAME".',
    ],
  ])('are rejected if malformed, or if a step cannot be repeated: %j', (text, problem) => {
    expect(() => parseMigration(text)).toThrow(problem)
  })

  test('are not read from ordinary comments', () => {
    const text = '-- Online shops send these in steps, and the last step of each is told at once.\nselect 1'
    expect(parseMigration(text)).toEqual({ leastCompatible: null, steps: null })
  })
})
