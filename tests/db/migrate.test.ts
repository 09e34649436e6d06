import { afterEach, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { connect, type Database } from '../../src/db/client.ts'
import { isMigrated, migrate } from '../../src/db/migrate.ts'
import { type Migration, migrations } from '../../src/db/migrations.ts'
import { migrateTasks } from '../../src/tasks/index.ts'
import { testServer } from '../support/database.ts'
import { eventually } from '../support/world.ts'

const undo: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

/** A database without a single table. */
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

const nothing = async () => {}
const names = migrations.map(({ name }) => name)

const applied = async (sql: Database) =>
  (await sql<{ name: string }[]>`select name from schema_migrations order by applied_at, name`).map(({ name }) => name)

const exists = async (sql: Database, table: string) => {
  const [row] = await sql`select to_regclass(${table}) is not null as exists`
  return row!.exists
}

describe('any number may migrate at once', () => {
  test('of three processes on an empty database each succeeds, and one of them did the work', async () => {
    const { url, pool } = await emptyDatabase()
    const runs = await Promise.all([1, 2, 3].map(() => migrateProcess(url)))
    for (const { status, error } of runs) expect({ status, error }).toEqual({ status: 0, error: '' })
    const said = runs.map(({ out }) => out).sort()
    expect(said).toEqual([
      `Applied ${names.join(', ')}.\n`,
      'The database is up to date.\n',
      'The database is up to date.\n',
    ])
    const sql = pool('look')
    expect(await isMigrated(sql)).toBe(true)
    expect(await exists(sql, 'graphile_worker.jobs')).toBe(true)
  })

  test('while one works the other waits, and then finds it done', async () => {
    const { pool } = await emptyDatabase()
    const sql = pool('look')
    const inside = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    let besides = 0
    const beside = async () => {
      besides++
      inside.resolve()
      await goOn.promise
    }
    const first = migrate(pool('first'), beside)
    await inside.promise
    const second = migrate(pool('second'), beside)
    await eventually('the second asks for its turn', async () => {
      const asking = await sql`
        select 1 from pg_stat_activity where datname = current_database() and application_name = 'second' and query like '%pg_try_advisory_lock%'`
      return asking.length === 1
    })
    expect({ besides, applied: await applied(sql) }).toEqual({ besides: 1, applied: [] })
    goOn.resolve()
    expect(await first).toEqual(names)
    expect(await second).toEqual([])
    expect(besides).toBe(2)
  })

  test('who migrates one database holds up nobody who migrates another of the same server', async () => {
    const [one, other] = [await emptyDatabase(), await emptyDatabase()]
    let meanwhile: string[] = []
    await migrate(one.pool('one'), async () => {
      meanwhile = await migrate(other.pool('other'), nothing)
    })
    expect(meanwhile).toEqual(names)
  })

  test('one whose connection dies lets the next one work', async () => {
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

describe('each migration is alone', () => {
  const make = (name: string, sql = `create table ${name} (id integer)`): Migration => ({ name, sql })

  test('one that fails leaves nothing behind, and the next start goes on from there', async () => {
    const { pool } = await emptyDatabase()
    const sql = pool('test')
    const broken = make('second', 'create table second (id integer); select 1 / 0; create table third (id integer)')
    const attempt = migrate(sql, nothing, [make('first'), broken, make('third')])
    await expect(attempt).rejects.toThrow('division by zero')
    expect(await applied(sql)).toEqual(['first'])
    expect([await exists(sql, 'first'), await exists(sql, 'second')]).toEqual([true, false])

    expect(await migrate(sql, nothing, [make('first'), make('second'), make('third')])).toEqual(['second', 'third'])
    expect(await applied(sql)).toEqual(['first', 'second', 'third'])
  })

  test('where what comes beside fails, none is applied, so that one who looks does not take the database for ready', async () => {
    const { url, pool } = await emptyDatabase()
    const sql = pool('test')
    const failing = async () => {
      throw new Error('not today')
    }
    await expect(migrate(sql, failing)).rejects.toThrow('not today')
    expect(await applied(sql)).toEqual([])
    expect(await isMigrated(sql)).toBe(false)
    expect(await migrate(sql, () => migrateTasks(url))).toEqual(names)
    expect(await isMigrated(sql)).toBe(true)
  })

  test('a database that a newer build has migrated is left as it is, also by what comes beside', async () => {
    const { pool } = await emptyDatabase()
    const sql = pool('test')
    await migrate(sql, nothing, [make('first'), make('of_tomorrow')])
    let besides = 0
    const older = migrate(sql, async () => void besides++, [make('first'), make('second')])
    await expect(older).rejects.toThrow(
      'The database holds the migration of_tomorrow, which this build does not know; use a newer build.',
    )
    expect({ besides, applied: await applied(sql) }).toEqual({ besides: 0, applied: ['first', 'of_tomorrow'] })
  })

  test('nobody is in a transaction while what comes beside runs, neither who works nor who waits', async () => {
    const { pool } = await emptyDatabase()
    const sql = pool('look')
    let inTransaction: unknown[] | undefined
    let waiting: Promise<string[]> | undefined
    await migrate(pool('works'), async () => {
      waiting ??= migrate(pool('waits'), nothing)
      await eventually('both are there, and in no statement', async () => {
        const others = await sql<{ state: string; xactStart: Date | null }[]>`
          select state, xact_start as "xactStart" from pg_stat_activity
          where datname = current_database() and application_name in ('works', 'waits')`
        inTransaction = others.filter(({ xactStart }) => xactStart !== null)
        return others.length === 2 && others.every(({ state }) => state.startsWith('idle'))
      })
    })
    expect(inTransaction).toEqual([])
    await waiting
  })

  test('the connection goes back to its pool as it came', async () => {
    const { pool } = await emptyDatabase()
    const sql = pool('test', 1)
    const state = async () => {
      const [row] = await sql`
        select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
          (select count(*)::integer from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()) as locks`
      return { ...row }
    }
    const before = await state()
    expect(before).toMatchObject({ statement: '30s', locks: 0 })
    await migrate(sql, nothing, [make('first')])
    expect(await state()).toEqual(before)
    await expect(migrate(sql, nothing, [make('first'), make('second', 'select 1 / 0')])).rejects.toThrow()
    expect(await state()).toEqual(before)
  })
})

/** `migrate` as a process of its own. */
const migrateProcess = async (url: string) => {
  const child = Bun.spawn([process.execPath, 'src/main.ts', 'migrate'], {
    cwd: resolve(import.meta.dir, '../..'),
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', DATABASE_URL: url },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, error] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { status: await child.exited, out, error }
}
