/**
 * Connections that are lent: whoever calls has one for as long as its work takes, out of few, in fair shares and after a
 * bounded wait. What the API does stands in such lines, so that it holds up nothing else.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ConnectOptions, connect, type Database, sqlState } from './client.ts'
import { Line, type LineOptions } from './line.ts'

/** Whose work it is, and the signal that it is no longer wanted. */
export interface Borrower {
  who: string
  signal: AbortSignal
}

/** Runs work on a connection. */
export interface Lender {
  /**
   * Rejects with what the work rejects with; with LineFull where there was no place, with OutOfTime where it
   * took longer than it may, and with the reason of the signal when that aborted.
   */
  lend<T>(borrower: Borrower, work: (sql: Database) => Promise<T>): Promise<T>
  /** How many wait for a connection. */
  readonly waiting: number
  /** How many have one. */
  readonly lent: number
}

/** It took longer than a read may take. */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime'
}

/** At most so many pieces of work at once on a pool. What has begun goes on, also when its caller has gone. */
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
  /** Of each of the connections, which are one in each pool. */
  connection: Omit<ConnectOptions, 'max' | 'maxStatementMs'>
  count: number
  /** Milliseconds that a connection is lent for. */
  maxMs: number
  /** Where a statement is cancelled from, which must not have to wait itself. */
  cancelFrom: Database
}

/** A connection that belongs to one caller at a time, by the name it has in `pg_stat_activity`. */
interface Reader {
  name: string
  sql: Database
}

/** A cancellation finds nothing where the statement has not arrived yet, or another one follows it: it is repeated. */
const cancelAgainMs = 100

const queryCanceled = '57014'

/**
 * Lends connections to those who only read. When a caller goes away, or its time is over, what PostgreSQL does for it is
 * cancelled. A connection goes to the next caller only after that: a cancellation names a connection and no statement, so
 * one that is late would hit whatever runs there by then.
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
      // By its own limit, which a pooler may have dropped, or by us.
      throw sqlState(error) === queryCanceled ? new OutOfTime('a read took too long', { cause: error }) : error
    }
  }

  /** Closes the connections. */
  async end(options: { timeout: number }): Promise<void> {
    await Promise.all(this.#readers.map(({ sql }) => sql.end(options)))
  }

  /** `idle` resolves, and never rejects, when the connection does nothing more for this work, cancellations included. */
  #whileWanted<T>(reader: Reader, signal: AbortSignal, work: (sql: Database) => Promise<T>) {
    const result = work(reader.sql)
    // What failed may have left statements behind that are still to run.
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

/** Cancels what runs on the connections of this name. Who asks must be the same user of the database. */
const cancelStatements = async (sql: Database, applicationName: string): Promise<void> => {
  await sql`
    select pg_cancel_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = ${applicationName} and state = 'active'`
}
