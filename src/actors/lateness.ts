/**
 * Backpressure on recording while due work is late: better that callers wait a little than that webhooks pile up. Deliveries
 * that wait for a slow or hanging receiver do not count.
 */
import type { Log } from '../platform/log.ts'

export interface LatenessOptions {
  /** Asks the database how late, in milliseconds, the rows are that need nobody outside. */
  look(): Promise<number>
  log: Log
  /** Milliseconds, as `performance.now()`. */
  now?: () => number
}

/** Less is no matter. */
const toleratedMs = 150
/** However late it is, a batch waits no longer: recording becomes slow, and never stops. */
const maxRestMs = 500
/** While events come in, the database is asked so often; it is not asked while none do. */
const lookMs = 100
/** What was reported counts for so long. */
const rememberedMs = 500
/**
 * Up to this lag the delay follows the lag and holds it where it is. Above it, the delay is at its maximum and must reduce
 * the lag; if it did not within `patienceMs`, the work is done by nobody, or waiting does not help, and the delay ends.
 */
const controlledMs = toleratedMs + maxRestMs
const patienceMs = 3000
/** A row that is older has waited for something else, as for an endpoint that was switched off. */
const maxReportedMs = 30_000

export class Lateness {
  readonly #options: LatenessOptions
  readonly #now: () => number
  #found = 0
  #lookedAt = Number.NEGATIVE_INFINITY
  #looking = false
  #reported = { ms: 0, at: Number.NEGATIVE_INFINITY }
  /** The lag when it was last judged whether the delay helps, and the result. */
  #judged = { ms: 0, at: Number.NEGATIVE_INFINITY, helps: true }

  constructor(options: LatenessOptions) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
  }

  /** A row was begun so many milliseconds after it was due, and nobody outside was to blame. */
  report(ms: number): void {
    const at = this.#now()
    if (ms > maxReportedMs || (ms < this.#reported.ms && at - this.#reported.at < rememberedMs)) return
    this.#reported = { ms, at }
  }

  /** How late it is, in milliseconds, as far as is known. */
  get ms(): number {
    const { ms, at } = this.#reported
    return Math.max(this.#found, this.#now() - at < rememberedMs ? ms : 0)
  }

  /**
   * Longest delay of the next batch of events or opt-outs, in milliseconds. 0 while nothing is late, and while the delay
   * has not reduced the lag.
   */
  get restMs(): number {
    this.#lookNowAndThen()
    return this.#helps() ? Math.min(Math.max(this.ms - toleratedMs, 0), maxRestMs) : 0
  }

  #helps(): boolean {
    const { ms } = this
    const at = this.#now()
    if (ms <= controlledMs) this.#judged = { ms, at, helps: true }
    else if (at - this.#judged.at >= patienceMs) this.#judged = { ms, at, helps: ms < this.#judged.ms }
    return this.#judged.helps
  }

  #lookNowAndThen(): void {
    if (this.#looking || this.#now() - this.#lookedAt < lookMs) return
    this.#looking = true
    void this.#look().finally(() => {
      this.#lookedAt = this.#now()
      this.#looking = false
    })
  }

  /** Where the database cannot be asked, nothing counts as late: recording waits for it anyway. */
  async #look(): Promise<void> {
    try {
      this.#found = await this.#options.look()
    } catch (error) {
      this.#found = 0
      this.#options.log.warn({ error }, 'how late the work is could not be asked')
    }
  }
}
