/**
 * How far behind this machine is with what is due, for recording to give way: better that callers wait a little than that
 * webhooks pile up without end. What waits for a slow or hanging receiver is not late by our fault and does not count.
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
/** A row that is older has waited for something else, as for an endpoint that was switched off. */
const maxReportedMs = 30_000

export class Lateness {
  readonly #options: LatenessOptions
  readonly #now: () => number
  #found = 0
  #lookedAt = Number.NEGATIVE_INFINITY
  #looking = false
  #reported = { ms: 0, at: Number.NEGATIVE_INFINITY }

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

  /** How long the next batch of events or opt-outs is to wait, in milliseconds: 0 as long as nothing is late. */
  get restMs(): number {
    this.#lookNowAndThen()
    return Math.min(Math.max(this.ms - toleratedMs, 0), maxRestMs)
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
