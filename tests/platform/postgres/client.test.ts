import { describe, expect, test } from 'bun:test'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../../src/platform/embedded-postgres/index.ts'
import {
  connect,
  type Database,
  isConnectionError,
  neverReachedServer,
  type Sql,
  sqlState,
  transaction,
  withRetry,
} from '../../../src/platform/postgres/client.ts'
import { use } from '../../support/use.ts'
import { startProxy } from './proxy.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'client-test-'))
// The server of root runs under another account. Without access it would keep its data elsewhere.
chmodSync(dataDir, 0o755)
const server = use(async () => {
  const { release, url, ensureDatabase, restart } = await startEmbeddedPostgres({ dataDir })
  const at = await ensureDatabase('client')
  admin = pool(1, at)
  await admin`create table notes (id int primary key, text text)`
  const stop = async () => {
    await Promise.all(pools.map(made => made.end({ timeout: 1 })))
    await release()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { url: at, missing: url('missing'), restart, stop }
})
let admin: Database
const pools: Database[] = []

const pool = (max: number, url = server.url, more: Partial<Parameters<typeof connect>[0]> = {}): Database => {
  const made = connect({ url, applicationName: 'client test', max, ...more })
  pools.push(made)
  return made
}

const pidOf = async (sql: Sql): Promise<number> => {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  return row!.pid
}

/** Terminates a backend and resolves when it has ended. */
const kill = (pid: number) => admin`select pg_terminate_backend(${pid}, 5000)`

const errorOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    error => error,
  )

const isLost = async (promise: Promise<unknown>) => isConnectionError(await errorOf(promise))
const expectUsable = async (sql: Sql) =>
  expect([...(await sql`select ${[1, 2]}::int[] as list`)]).toEqual([{ list: [1, 2] }])

describe('a backend that dies', () => {
  test('in transactions and reservations, repeatedly, rejects each queued statement and leaves the pool usable', async () => {
    const sql = pool(2)
    const dieIn = async (session: Sql) => {
      const pid = await pidOf(session)
      const queued = [session`select pg_sleep(20)`, session`select 1`, session`select 2`].map(isLost)
      await kill(pid)
      expect(await Promise.all(queued)).toEqual([true, true, true])
      await session`select 1`
    }
    for (let round = 0; round < 8; round++) {
      expect(await isLost(transaction(sql, dieIn))).toBe(true)
      const session = await sql.reserve()
      expect(await isLost(dieIn(session))).toBe(true)
      session.release()
    }
    await Promise.all(Array.from({ length: 8 }, () => expectUsable(sql)))
  })

  test('while its transaction is idle: no later statement of it reaches another transaction', async () => {
    const sql = pool(1)
    const othersTurn = Promise.withResolvers<void>()
    const deadAgain = Promise.withResolvers<unknown>()
    const dead = transaction(sql, async tx => {
      await tx`insert into notes values (1, 'dead, before')`
      await kill(await pidOf(tx))
      await othersTurn.promise
      const error = await errorOf(tx`insert into notes values (2, 'dead, after')`)
      deadAgain.resolve(error)
      throw error
    })
    expect(await isLost(dead)).toBe(true)

    await transaction(sql, async tx => {
      await tx`insert into notes values (3, 'other, before')`
      othersTurn.resolve()
      expect(isConnectionError(await deadAgain.promise)).toBe(true)
      await tx`insert into notes values (4, 'other, after')`
    })
    expect([...(await admin`select id from notes order by id`)]).toEqual([{ id: 3 }, { id: 4 }])
  })

  test('does not affect later queries with its last messages', async () => {
    const sql = pool(1)
    const pid = await pidOf(sql)
    const running = errorOf(sql`select pg_sleep(20)`)
    await kill(pid)
    const error = await running
    expect([isConnectionError(error), neverReachedServer(error)]).toEqual([true, false])
    await expectUsable(sql)
  })

  test('by a reset, inside or outside a transaction: the pool reconnects, and can be ended without another query', async () => {
    const proxy = await startProxy(server.url)
    const sql = pool(1, proxy.url)
    const broken = transaction(sql, async tx => {
      await pidOf(tx)
      const statement = tx`select pg_sleep(20)`.execute()
      proxy.reset()
      await statement
    })
    expect(await isLost(broken)).toBe(true)
    await expectUsable(sql)
    const running = errorOf(sql`select pg_sleep(20)`)
    await admin`select pg_sleep(0.05)`
    proxy.reset()
    expect(isConnectionError(await running)).toBe(true)
    // By now the socket has also closed.
    await admin`select 1`
    await sql.end()
    await proxy.stop()
  })

  test('after a transaction: a late statement of it is rejected instead of waiting', async () => {
    const sql = pool(1)
    const late = await transaction(sql, async tx => {
      await tx`select 1`
      return () => tx`select 1`.execute()
    })
    await transaction(sql, tx => tx`select 1`)
    await kill(await pidOf(sql))
    // The first statement may still use a connection that appears to be open.
    for (const _ of [1, 2]) expect(await isLost(late())).toBe(true)
    await expectUsable(sql)
  })

  test('during the query of the array types: only the query is rejected', async () => {
    const sql = pool(1, server.url, { applicationName: 'types test' })
    const first = await transaction(admin, async tx => {
      await tx`lock table pg_type in access exclusive mode`
      const error = errorOf(sql`select 1 as one`)
      await tx`select pg_terminate_backend(${await waitingFor(tx, 'types test')}, 5000)`
      return { error }
    })
    expect(isConnectionError(await first.error)).toBe(true)
    await expectUsable(sql)
  })

  test('during a reservation: no later statement of it reaches another transaction', async () => {
    const sql = pool(1)
    const session = await sql.reserve()
    await kill(await pidOf(session))
    expect(await isLost(session`select 1`)).toBe(true)
    await transaction(sql, async tx => {
      const pid = await pidOf(tx)
      expect(await isLost(session`select 1`)).toBe(true)
      session.release()
      expect(await pidOf(tx)).toBe(pid)
    })
    await expectUsable(sql)
  })
})

/** Waits until the backend with this application name waits for a lock, and returns its process id. */
const waitingFor = async (tx: Sql, applicationName: string): Promise<number> => {
  for (;;) {
    await tx`select pg_stat_clear_snapshot()`
    const [row] = await tx<{ pid: number }[]>`
      select pid from pg_stat_activity where application_name = ${applicationName} and wait_event_type = 'Lock'`
    if (row) return row.pid
  }
}

describe('the pool', () => {
  test('uses a free connection instead of queueing on a busy one', async () => {
    const sql = pool(2)
    await Promise.all([sql`select pg_sleep(0.05)`, sql`select pg_sleep(0.05)`])
    const slow = sql`select pg_sleep(1)`.execute()
    const start = performance.now()
    await Promise.all(Array.from({ length: 20 }, (_, n) => sql`select ${n}::int as n`))
    expect(performance.now() - start).toBeLessThan(700)
    await slow
  })

  test('sets its limits, its name and UTC for every session', async () => {
    const [row] = await pool(1)`
      select string_agg(name || '=' || setting, ' ' order by lower(name)) as settings from pg_settings where name in
        ('application_name', 'idle_in_transaction_session_timeout', 'lock_timeout', 'statement_timeout', 'TimeZone')`
    expect(row!.settings).toBe(
      'application_name=client test idle_in_transaction_session_timeout=30000 lock_timeout=10000 statement_timeout=30000 TimeZone=UTC',
    )
  })

  test('returns int8 as a number while that is exact, and times as dates', async () => {
    const [row] = await admin`select 42::int8 as small, '{1,2}'::int8[] as list, 9007199254740993::int8 as large,
      timestamptz '2030-01-02 03:04:05.678+02' as at, 1.50::numeric as exact`
    const at = new Date('2030-01-02T01:04:05.678Z')
    expect(row!).toEqual({ small: 42, list: [1, 2], large: '9007199254740993', at, exact: '1.50' })
  })
})

describe('transaction', () => {
  // A pooler that gives each transaction another backend has this effect: the repeated COMMIT finds a failed
  // transaction.
  test('throws if its COMMIT is answered with ROLLBACK, and the connection stays usable', async () => {
    const sql = pool(1)
    await sql`create table if not exists promises (id int primary key)`
    const insert = (id: number) =>
      transaction(sql, async tx => void (await tx.unsafe(`insert into promises values (${id})`)))
    await insert(1)
    await sql.unsafe('deallocate all')
    const error = await errorOf(insert(2))
    expect(error).toMatchObject({ code: 'NOT_COMMITTED' })
    expect([isConnectionError(error), neverReachedServer(error)]).toEqual([false, false])
    await insert(3)
    expect([...(await sql`select id from promises order by id`)]).toEqual([{ id: 1 }, { id: 3 }])
  })

  test('commits all statements or none, and joins the given transaction', async () => {
    await admin`truncate notes`
    const insert = (id: number, error?: Error) =>
      transaction(admin, outer =>
        transaction(outer, async tx => {
          expect(tx).toBe(outer)
          await tx`insert into notes values (${id}, 'text')`
          if (error) throw error
          return 'value'
        }),
      )
    expect(await insert(1)).toBe('value')
    await expect(insert(2, new Error('rejected'))).rejects.toThrow('rejected')
    expect([...(await admin`select id from notes`)]).toEqual([{ id: 1 }])
  })

  test('does not commit after a failed statement, even if the error was caught', async () => {
    await admin`truncate notes`
    const work = transaction(admin, async tx => {
      await tx`insert into notes values (1, 'first')`
      await errorOf(tx`insert into notes values (1, 'second')`)
    })
    expect(sqlState(await errorOf(work))).toBe('23505')
    expect(await admin`select from notes`).toHaveLength(0)
  })
})

describe('the classification of errors', () => {
  const classesOf = (error: unknown) => [isConnectionError(error), neverReachedServer(error), sqlState(error)]

  test('a refused connection never reached the server', async () => {
    const error = await errorOf(pool(1, 'postgres://postgres@127.0.0.1:1/none')`select 1`)
    expect(classesOf(error)).toEqual([true, true, undefined])
  })

  test('a server that closes during the connection is not retried endlessly', async () => {
    let calls = 0
    const rude = createServer(socket => {
      calls++
      socket.end()
    })
    await new Promise<void>(resolve => rude.listen(0, '127.0.0.1', resolve))
    const { port } = rude.address() as AddressInfo
    expect(await isLost(pool(1, `postgres://postgres@127.0.0.1:${port}/none`)`select 1`)).toBe(true)
    expect(calls).toBe(1)
    rude.close()
  })

  test('neither a rejected statement nor a missing database is a connection error, because a retry would not help', async () => {
    expect(classesOf(await errorOf(admin`select 1 / 0`))).toEqual([false, false, '22012'])
    expect(classesOf(await errorOf(pool(1, server.missing)`select 1`))).toEqual([false, false, '3D000'])
    for (const other of [new Error('ours'), 'text', undefined])
      expect(classesOf(other)).toEqual([false, false, undefined])
  })
})

describe('a server that stops responding', () => {
  const silent = async (silenceSeconds: number, idleSeconds: number) => {
    const proxy = await startProxy(server.url)
    const sql = pool(1, proxy.url, { silenceSeconds })
    await sql`select 1`
    await admin`select pg_sleep(${idleSeconds})`
    proxy.freeze()
    return { sql, proxy }
  }

  test.each([
    ['immediately', 0],
    ['after a pause longer than its timeout', 0.9],
  ])('is detected %s, and the next query uses a new connection', async (_, idleSeconds) => {
    const { sql, proxy } = await silent(0.4, idleSeconds)
    const begun = performance.now()
    const error = await errorOf(sql`select 1`)
    expect((error as { code: string }).code).toBe('CONNECTION_SILENT')
    expect([isConnectionError(error), neverReachedServer(error)]).toEqual([true, false])
    expect(performance.now() - begun).toBeLessThan(2000)
    expect([...(await sql`select 2 as n`)]).toEqual([{ n: 2 }])
    await proxy.stop()
  })

  test('is detected once for all idle connections', async () => {
    const proxy = await startProxy(server.url)
    const sql = pool(4, proxy.url, { silenceSeconds: 0.4 })
    await Promise.all([1, 2, 3, 4].map(() => sql`select pg_sleep(0.1)`))
    proxy.freeze()
    expect((await errorOf(sql`select 1`)) as { code: string }).toMatchObject({ code: 'CONNECTION_SILENT' })
    for (let query = 1; query <= 4; query++) expect([...(await sql`select 2 as n`)]).toEqual([{ n: 2 }])
    await proxy.stop()
  })

  test('is waited for if there is no time limit', async () => {
    const { sql, proxy } = await silent(0, 0)
    const query = errorOf(sql`select 1`)
    await admin`select pg_sleep(1)`
    expect(await Promise.race([query, 'still waiting'])).toBe('still waiting')
    proxy.reset()
    expect(isConnectionError(await query)).toBe(true)
    await proxy.stop()
  })

  test('is not assumed while data arrives, during a short silence, or on an idle connection', async () => {
    const sql = pool(1, server.url, { silenceSeconds: 1 })
    const pid = await pidOf(sql)
    expect(await sql`select repeat('x', 10000) as x, pg_sleep(0.4) from generate_series(1, 4)`).toHaveLength(4)
    await sql`select pg_sleep(0.7)`
    await admin`select pg_sleep(1.5)`
    expect(await pidOf(sql)).toBe(pid)
  })
})

describe('retrying', () => {
  const failing = (times: number, code: string) => {
    const work = async () => {
      if (counted.calls++ < times) throw Object.assign(new Error(code), { code })
      return counted.calls
    }
    const counted = { work, calls: 0 }
    return counted
  }

  test('retries up to three times, then rejects with the last error', async () => {
    const waits = [1, 1, 1]
    expect(await withRetry(failing(3, 'ECONNRESET').work, { waits })).toBe(4)
    const always = failing(9, 'ECONNRESET')
    await expect(withRetry(always.work, { waits })).rejects.toThrow('ECONNRESET')
    expect(always.calls).toBe(4)
  })

  test.each([
    ['connection errors', '23505', {}],
    ['the given errors', 'CONNECTION_CLOSED', { when: neverReachedServer }],
  ])('retries only %s', async (_, code, options) => {
    const other = failing(9, code)
    await expect(withRetry(other.work, options)).rejects.toThrow(code)
    expect(other.calls).toBe(1)
  })

  test('does not wait for an ended pool', async () => {
    const sql = connect({ url: server.url, applicationName: 'ended' })
    await sql.end()
    const start = performance.now()
    expect(await isLost(withRetry(() => sql`select 1`))).toBe(true)
    expect(performance.now() - start).toBeLessThan(40)
  })

  // `tests/faults/database.test.ts` has the other kind of restart.
  test('completes queries through a restart that idle connections did not notice', async () => {
    const sql = pool(4)
    await Promise.all(Array.from({ length: 4 }, () => sql`select pg_sleep(0.05)`))
    const restarted = server.restart('immediate')
    // Longer than the defaults, so that slow machines pass.
    const patiently = { waits: [50, 500, 4000] }
    const results = Promise.all(
      Array.from({ length: 40 }, (_, n) => withRetry(() => sql`select ${n}::int as n`, patiently)),
    )
    await restarted
    expect((await results).map(([row]) => row!.n)).toEqual(Array.from({ length: 40 }, (_, n) => n))
    await withRetry(() => admin`select 1`)
  }, 20_000)
})

test('allows a network behind a pooler to be silent as long as its statements can last', () => {
  const silenceOf = (pooled: boolean) => {
    const options = { url: server.url, applicationName: 'test', maxStatementMs: 5000, pooled }
    return (connect(options).options as { silence_timeout?: number }).silence_timeout
  }
  expect([silenceOf(false), silenceOf(true)]).toEqual([10, 35])
})
