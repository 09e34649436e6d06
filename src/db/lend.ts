/**
 * Semaphores for database connections: fair shares and a bounded wait. API requests use them, so that they do not block
 * other work.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ConnectOptions, connect, type Database, sqlState } from './client.ts'
import { Line, type LineOptions } from './line.ts'

/** Caller and the signal that cancels its work. */
export interface Borrower {
  who: string
  signal: AbortSignal
}

/** Runs work on a database connection. */
export interface Lender {
  /**
   * Runs `work` on a connection. Rejects with the error of the work, with LineFull if the queue is full, or with
   * OutOfTime after the maximum duration. Rejects with the reason of the signal if that aborted.
   */
  lend<T>(borrower: Borrower, work: (sql: Database) => Promise<T>): Promise<T>
  /** Number of callers waiting for a connection. */
  readonly waiting: number
  /** Number of callers that have a connection. */
  readonly lent: number
}

/** Error of a read that exceeded its maximum duration. */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime'
}

/**
 * Semaphore on a pool with a fixed number of permits. Work that has begun runs to completion, even if its caller has
 * gone.
 */
export class Admission implements Lender {
  readonly #line: Line<Database>

  constructor(sql: Database, { places, ...line }: LineOptions & { places: number }) {
    this.#line = new Line(
      Array.from({ length: places }, () => sql),
      line,
    )
  }

  get waiting(): number {
    return this.#line.waiting
  }

  get lent(): number {
    return this.#line.lent
  }

  async lend<T>({ who, signal }: Borrower, work: (sql: Database) => Promise<T>): Promise<T> {
    const sql = await this.#line.enter(who, signal)
    try {
      return await work(sql)
    } finally {
      this.#line.leave(who, sql)
    }
  }
}

export interface ReadersOptions extends LineOptions {
  /** Options of each connection. Each pool has one connection. */
  connection: Omit<ConnectOptions, 'max' | 'maxStatementMs'>
  count: number
  /** Maximum milliseconds that a caller may use a connection. */
  maxMs: number
  /** Pool from which statements are cancelled. It must have a free connection. */
  cancelFrom: Database
}

/** Connection for one caller at a time, with its name in `pg_stat_activity`. */
interface Reader {
  name: string
  sql: Database
}

/**
 * Milliseconds between cancel requests. A request has no effect if the statement has not arrived yet, and another
 * statement can follow. It is therefore repeated.
 */
const cancelAgainMs = 100

const queryCanceled = '57014'

/**
 * Lends connections for reads. When a caller leaves or its time is over, its statements in PostgreSQL are cancelled.
 *
 * The connection is released only after that. A cancel request names a connection, not a statement, so a late one would
 * cancel the next caller's work.
 */
export class Readers implements Lender {
  readonly #readers: Reader[]
  readonly #line: Line<Reader>
  readonly #maxMs: number
  readonly #cancelFrom: Database

  constructor({ connection, count, maxMs, cancelFrom, ...line }: ReadersOptions) {
    const process = randomUUID().slice(0, 8)
    this.#readers = Array.from({ length: count }, (_, number) => {
      const name = `${connection.applicationName} ${process}-${number + 1}`
      return { name, sql: connect({ ...connection, applicationName: name, maxStatementMs: maxMs, max: 1 }) }
    })
    this.#line = new Line(this.#readers, line)
    this.#maxMs = maxMs
    this.#cancelFrom = cancelFrom
  }

  get waiting(): number {
    return this.#line.waiting
  }

  get lent(): number {
    return this.#line.lent
  }

  async lend<T>({ who, signal }: Borrower, work: (sql: Database) => Promise<T>): Promise<T> {
    const reader = await this.#line.enter(who, signal)
    const done = this.#whileWanted(reader, signal, work)
    void done.idle.then(() => this.#line.leave(who, reader))
    try {
      return await done.result
    } catch (error) {
      if (signal.aborted) throw signal.reason
      // Cancelled by the statement timeout, which a pooler may have dropped, or by this class.
      throw sqlState(error) === queryCanceled ? new OutOfTime('a read took too long', { cause: error }) : error
    }
  }

  /** Closes the connections. */
  async end(options: { timeout: number }): Promise<void> {
    await Promise.all(this.#readers.map(({ sql }) => sql.end(options)))
  }

  /**
   * Runs `work` and cancels it if needed. `idle` resolves when the connection does nothing more for this work,
   * including cancel requests. It never rejects.
   */
  #whileWanted<T>(reader: Reader, signal: AbortSignal, work: (sql: Database) => Promise<T>) {
    const result = work(reader.sql)
    // Failed work can leave statements that have not run yet.
    const quiet = result.then(
      () => {},
      () =>
        reader.sql`select 1`.then(
          () => {},
          () => {},
        ),
    )
    let cancelled: Promise<void> | null = null
    const cancel = () => {
      cancelled ??= this.#cancelUntil(quiet, reader)
    }
    signal.addEventListener('abort', cancel)
    const timer = setTimeout(cancel, this.#maxMs)
    const idle = quiet.then(() => {
      signal.removeEventListener('abort', cancel)
      clearTimeout(timer)
      return cancelled
    })
    return { result, idle }
  }

  async #cancelUntil(quiet: Promise<void>, { name }: Reader): Promise<void> {
    let isQuiet = false
    void quiet.then(() => {
      isQuiet = true
    })
    while (!isQuiet) {
      await cancelStatements(this.#cancelFrom, name).catch(() => {})
      await Promise.race([quiet, sleep(cancelAgainMs, undefined, { ref: false })])
    }
  }
}

/** Cancels the statements on connections of this name. The caller must be the same database user. */
const cancelStatements = async (sql: Database, applicationName: string): Promise<void> => {
  await sql`
    select pg_cancel_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = ${applicationName} and state = 'active'`
}
