/**
 * Watermark: a time before which no uncommitted write can remain. Any transaction that wrote an earlier time has ended.
 *
 * A queue that was found empty up to the watermark stays empty there and need not be scanned again.
 */
import type { Sql } from './client.ts'

/** Time by the database clock and a transaction ID assigned at that time. All IDs assigned before are smaller. */
interface TransactionMark {
  ms: number
  number: number
}

/** Snapshot of the transaction state. Every transaction with an ID smaller than `oldest` has ended. */
export interface TransactionSnapshot extends TransactionMark {
  oldest: number
}

/**
 * Maximum time in milliseconds between the time written into a row and the assignment of its transaction ID. A process
 * that is suspended in between can exceed it.
 */
const slackMs = 2000
/** Minimum interval between reads in milliseconds. */
const refreshMs = 500

/** Watermark of one database, shared by all queues. Reads the database only while it is used. */
export class Watermark {
  readonly #read: () => Promise<TransactionSnapshot>
  #mark: TransactionMark | null = null
  #passedMs = 0
  #generation = 0
  #refreshedAt = Number.NEGATIVE_INFINITY

  constructor(
    read: () => Promise<TransactionSnapshot>,
    private readonly slack = slackMs,
  ) {
    this.#read = read
  }

  /**
   * Watermark in milliseconds since 1970, by the database clock; 0 while unknown. Returns the known value immediately
   * and starts a read if needed.
   */
  get passedMs(): number {
    this.#refreshIfDue()
    return this.#passedMs
  }

  /** Increases whenever everything learnt from the watermark must be forgotten. */
  get generation(): number {
    return this.#generation
  }

  /**
   * Resets the watermark. After a crash, the database can lose writes that it committed without waiting for the disk.
   */
  reset(): void {
    this.#generation++
    this.#passedMs = 0
    this.#mark = null
  }

  /** Starts a read immediately. Resolves when it has ended; tests wait for it. */
  refresh(): Promise<void> {
    this.#refreshedAt = performance.now()
    return this.#read().then(
      snapshot => this.#advance(snapshot),
      () => {},
    )
  }

  #refreshIfDue(): void {
    if (performance.now() - this.#refreshedAt >= refreshMs) this.refresh()
  }

  /**
   * Advances the watermark when every transaction with an ID assigned before the mark has ended. Later writes began
   * after the mark.
   */
  #advance({ ms, number, oldest }: TransactionSnapshot): void {
    if (this.#mark !== null && oldest < this.#mark.number) return
    if (this.#mark !== null) this.#passedMs = this.#mark.ms - this.slack
    this.#mark = { ms, number }
  }
}

/**
 * Reads the state for `Watermark`. A read-only transaction has no ID and delays nothing. This query takes an ID itself,
 * because a snapshot alone does not show the IDs assigned last.
 */
export const readTransactionSnapshot = async (sql: Sql): Promise<TransactionSnapshot> => {
  const [row] = await sql<TransactionSnapshot[]>`
    select floor(extract(epoch from clock_timestamp()) * 1000)::double precision as ms,
      pg_current_xact_id()::text::bigint as number, pg_snapshot_xmin(pg_current_snapshot())::text::bigint as oldest`
  return row!
}
