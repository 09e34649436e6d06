/**
 * Applies backpressure to recording while due work is late. Callers wait a little, so that webhooks do not accumulate.
 *
 * Deliveries that wait for a slow or unresponsive receiver do not count.
 */
import type { Log } from '../platform/log.ts'

export interface BackpressureOptions {
  /** Queries the database for the lag, in milliseconds, of due rows that do not depend on an external system. */
  readLag(): Promise<number>
  log: Log
  /** Current time in milliseconds. Defaults to `performance.now()`. */
  now?: () => number
}

/** Lag in milliseconds below which there is no delay. */
const toleratedMs = 150
/** Maximum delay of a batch in milliseconds. Recording becomes slow, but never stops. */
const delayLimitMs = 500
/** Interval between queries of the lag while events arrive. Without events there are no queries. */
const readIntervalMs = 100
/** Time for which a reported lag counts. */
const reportTtlMs = 500
/**
 * Up to this lag the delay follows the lag and keeps it constant. Above it, the delay is at its maximum and must reduce
 * the lag. If the lag is not reduced within `effectTimeoutMs`, no worker is processing it or waiting does not help, and the
 * delay ends.
 */
const controlledMs = toleratedMs + delayLimitMs
const effectTimeoutMs = 3000
/** Larger values are ignored, because the row waited for something else, for example a disabled endpoint. */
const maxReportedMs = 30_000

export class Backpressure {
  readonly #options: BackpressureOptions
  readonly #now: () => number
  #lagMs = 0
  #readAt = Number.NEGATIVE_INFINITY
  #isReading = false
  #reported = { ms: 0, at: Number.NEGATIVE_INFINITY }
  /** Lag at the last check of whether the delay helps, and the result of the check. */
  #lastCheck = { ms: 0, at: Number.NEGATIVE_INFINITY, helps: true }

  constructor(options: BackpressureOptions) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
  }

  /** Records that a row began `ms` milliseconds after it was due, with no external cause. */
  report(ms: number): void {
    const at = this.#now()
    if (ms > maxReportedMs || (ms < this.#reported.ms && at - this.#reported.at < reportTtlMs)) return
    this.#reported = { ms, at }
  }

  /** Known lag in milliseconds. */
  get ms(): number {
    const { ms, at } = this.#reported
    return Math.max(this.#lagMs, this.#now() - at < reportTtlMs ? ms : 0)
  }

  /**
   * Maximum delay of the next batch of events or opt-outs, in milliseconds. It is 0 while no work is late, and
   * while the delay does not reduce the lag.
   */
  get maxDelayMs(): number {
    this.#refreshIfDue()
    return this.#helps() ? Math.min(Math.max(this.ms - toleratedMs, 0), delayLimitMs) : 0
  }

  #helps(): boolean {
    const { ms } = this
    const at = this.#now()
    if (ms <= controlledMs) this.#lastCheck = { ms, at, helps: true }
    else if (at - this.#lastCheck.at >= effectTimeoutMs) this.#lastCheck = { ms, at, helps: ms < this.#lastCheck.ms }
    return this.#lastCheck.helps
  }

  #refreshIfDue(): void {
    if (this.#isReading || this.#now() - this.#readAt < readIntervalMs) return
    this.#isReading = true
    void this.#refresh().finally(() => {
      this.#readAt = this.#now()
      this.#isReading = false
    })
  }

  /** Queries the lag. On a database error the lag counts as 0, because recording already waits for the database. */
  async #refresh(): Promise<void> {
    try {
      this.#lagMs = await this.#options.readLag()
    } catch (error) {
      this.#lagMs = 0
      this.#options.log.warn({ error }, 'lag of due work could not be read')
    }
  }
}
