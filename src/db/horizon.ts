/**
 * A time that no write can fall behind any more: whoever writes a row with the current time in it has committed, or never
 * will. Up to there a mailbox that was found empty stays empty, and need not be looked through again.
 */
import type { Sql } from './client.ts'

/** A moment by the database's clock, and a transaction number that was given out then: all given out before are smaller. */
interface Mark {
  ms: number
  number: number
}

/** What there is to be seen at one moment. `oldest`: no transaction with a smaller number is still going on. */
export interface Sight extends Mark {
  oldest: number
}

/**
 * A time is put into a row a little before its transaction is given a number: by so much at the most, unless a process
 * stands still in between.
 */
const slackMs = 2000
/** How often it is looked anew, at the most. */
const lookMs = 500

/** Of one database, and for as many mailboxes as there are. Looks while it is asked, and not by itself. */
export class Horizon {
  readonly #read: () => Promise<Sight>
  #mark: Mark | null = null
  #passedMs = 0
  #era = 0
  #lookedAt = Number.NEGATIVE_INFINITY

  constructor(
    read: () => Promise<Sight>,
    private readonly slack = slackMs,
  ) {
    this.#read = read
  }

  /** Milliseconds since 1970, by the database's clock; 0 while nothing is known. Answers at once, with what it knows. */
  get passedMs(): number {
    this.#lookAgain()
    return this.#passedMs
  }

  /** Another one begins whenever everything that was learnt by it must be forgotten. */
  get era(): number {
    return this.#era
  }

  /** The database may have fallen over, and what it had committed without waiting for the disk may be undone. */
  forget(): void {
    this.#era++
    this.#passedMs = 0
    this.#mark = null
  }

  /** The next look begins at once, whenever the last one was. Resolves when it is over; tests wait for it. */
  look(): Promise<void> {
    this.#lookedAt = performance.now()
    return this.#read().then(
      sight => this.#see(sight),
      () => {},
    )
  }

  #lookAgain(): void {
    if (performance.now() - this.#lookedAt >= lookMs) this.look()
  }

  /** Once every transaction that had begun to write by the mark is over, whatever is still to come began after it. */
  #see({ ms, number, oldest }: Sight): void {
    if (this.#mark !== null && oldest < this.#mark.number) return
    if (this.#mark !== null) this.#passedMs = this.#mark.ms - this.slack
    this.#mark = { ms, number }
  }
}

/**
 * What `Horizon` looks at. An open transaction that only reads has no number, and holds nothing up. This one takes a
 * number itself: a snapshot alone does not tell of those that were given out last.
 */
export const readSight = async (sql: Sql): Promise<Sight> => {
  const [row] = await sql<Sight[]>`
    select floor(extract(epoch from clock_timestamp()) * 1000)::double precision as ms,
      pg_current_xact_id()::text::bigint as number, pg_snapshot_xmin(pg_current_snapshot())::text::bigint as oldest`
  return row!
}
