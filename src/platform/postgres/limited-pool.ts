/**
 * Connection pools with fair shares and a bounded wait. API requests use them, so that they do not block other work.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { KeyedLimiter, type KeyedLimiterOptions } from '../keyed-limiter.ts'
import { type ConnectOptions, connect, countConnections, type Database, sqlState } from './client.ts'

/** Runs work on a database connection. */
export interface LimitedPool {
  /**
   * Runs `work` on a connection, in the share of the key. Rejects with the error of the work, with LimiterFull if the
   * queue is full, or with ReadTimeout after the maximum duration. Rejects with the reason of the signal if that
   * aborted.
   */
  run<T>(key: string, signal: AbortSignal, work: (sql: Database) => Promise<T>): Promise<T>
  /** Number of callers waiting for a connection. */
  readonly waiting: number
  /** Number of callers that have a connection. */
  readonly held: number
}

/** Error of a read that exceeded its maximum duration. */
export class ReadTimeout extends Error {
  override readonly name = 'ReadTimeout'
}

/** Limits a pool. Work that has started runs to completion, even if its caller has gone. */
export const limitedPool = (sql: Database, options: KeyedLimiterOptions): LimitedPool => {
  const limiter = new KeyedLimiter(options)
  return {
    run: (key, signal, work) => limiter.run(key, signal, () => work(sql)),
    get waiting() {
      return limiter.waiting
    },
    get held() {
      return limiter.held
    },
  }
}

/** `total` is the number of connections. */
export interface ReadPoolOptions extends KeyedLimiterOptions {
  /** Options of each connection. */
  connection: Omit<ConnectOptions, 'max' | 'maxStatementMs'>
  /** Maximum milliseconds that a caller may use a connection. */
  maxMs: number
  /** Pool from which statements are cancelled. It must have a free connection. */
  cancelFrom: Database
}

/** Connection for one caller at a time, with its name in `pg_stat_activity`. */
interface Connection {
  name: string
  sql: Database
}

/**
 * Milliseconds between cancel requests. A request has no effect if the statement has not arrived yet, and another
 * statement can follow. It is therefore repeated.
 */
const cancelIntervalMs = 100

const queryCanceled = '57014'

/**
 * Connections for reads. When a caller leaves or its time is over, its statements in PostgreSQL are cancelled.
 *
 * The connection is released only after that. A cancel request names a connection, not a statement, so a late one would
 * cancel the next caller's work.
 */
export class ReadPool implements LimitedPool {
  readonly #connections: Connection[]
  readonly #free: Connection[]
  readonly #limiter: KeyedLimiter
  readonly #maxMs: number
  readonly #cancelFrom: Database

  constructor({ connection, maxMs, cancelFrom, ...limits }: ReadPoolOptions) {
    const process = randomUUID().slice(0, 8)
    this.#connections = Array.from({ length: limits.total }, (_, number) => {
      const name = `${connection.applicationName} ${process}-${number + 1}`
      return { name, sql: connect({ ...connection, applicationName: name, maxStatementMs: maxMs, max: 1 }) }
    })
    this.#free = [...this.#connections]
    this.#limiter = new KeyedLimiter(limits)
    this.#maxMs = maxMs
    this.#cancelFrom = cancelFrom
  }

  get waiting(): number {
    return this.#limiter.waiting
  }

  get held(): number {
    return this.#limiter.held
  }

  /** Connections, each for one caller at a time. */
  get databases(): Database[] {
    return this.#connections.map(({ sql }) => sql)
  }

  /** Returns the numbers of open connections. */
  counts(): { active: number; idle: number } {
    const open = this.#connections.map(({ sql }) => countConnections(sql))
    const sum = (state: 'active' | 'idle') => open.reduce((total, counts) => total + counts[state], 0)
    return { active: sum('active'), idle: sum('idle') }
  }

  async run<T>(key: string, signal: AbortSignal, work: (sql: Database) => Promise<T>): Promise<T> {
    await this.#limiter.acquire(key, { signal })
    const connection = this.#free.pop()!
    const done = this.#runCancellable(connection, signal, work)
    void done.idle.then(() => {
      this.#free.push(connection)
      this.#limiter.release(key)
    })
    try {
      return await done.result
    } catch (error) {
      if (signal.aborted) throw signal.reason
      // Cancelled by the statement timeout, which a pooler may have dropped, or by this class.
      throw sqlState(error) === queryCanceled ? new ReadTimeout('a read took too long', { cause: error }) : error
    }
  }

  /** Closes the connections. */
  async end(options: { timeout: number }): Promise<void> {
    await Promise.all(this.#connections.map(({ sql }) => sql.end(options)))
  }

  /**
   * Runs `work` and cancels it if needed. `idle` resolves when the connection does nothing more for this work,
   * including cancel requests. It never rejects.
   */
  #runCancellable<T>(connection: Connection, signal: AbortSignal, work: (sql: Database) => Promise<T>) {
    const result = work(connection.sql)
    // Failed work can leave statements that have not run yet.
    const settled = result.then(
      () => {},
      () =>
        connection.sql`select 1`.then(
          () => {},
          () => {},
        ),
    )
    let cancelled: Promise<void> | null = null
    const cancel = () => {
      cancelled ??= this.#cancelUntilSettled(settled, connection)
    }
    signal.addEventListener('abort', cancel)
    const timer = setTimeout(cancel, this.#maxMs)
    const idle = settled.then(() => {
      signal.removeEventListener('abort', cancel)
      clearTimeout(timer)
      return cancelled
    })
    return { result, idle }
  }

  async #cancelUntilSettled(settled: Promise<void>, { name }: Connection): Promise<void> {
    let isSettled = false
    void settled.then(() => {
      isSettled = true
    })
    while (!isSettled) {
      await cancelStatements(this.#cancelFrom, name).catch(() => {})
      await Promise.race([settled, sleep(cancelIntervalMs, undefined, { ref: false })])
    }
  }
}

/** Cancels the statements on connections of this name. The caller must be the same database user. */
const cancelStatements = async (sql: Database, applicationName: string): Promise<void> => {
  await sql`
    select pg_cancel_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = ${applicationName} and state = 'active'`
}
