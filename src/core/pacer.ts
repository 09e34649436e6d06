/** Page sizes and pauses of long maintenance, which shares the database with the service. */
import { setTimeout as sleep } from 'node:timers/promises'

export interface PacerOptions {
  /**
   * Returns whether the service is handling requests. If so, maintenance uses at most a fiftieth of one connection's
   * time.
   */
  isBusy?: () => boolean
  /** Returns the minimum pause in milliseconds while other work is late. */
  backpressureMs?: () => number | Promise<number>
  /** Pause after a page as a multiple of its duration, if the service is idle. Defaults to 9. */
  idleFactor?: number
  /** Limits of a page. By default it has at most 1000 rows and takes 20 to 60 milliseconds. */
  page?: PageLimits
  /** Ends a pause. */
  stopping?: AbortSignal
}

/** After a page that took less than `targetMs`, the next one is larger, and smaller after one that took more than `maxMs`. */
export interface PageLimits {
  maxRows: number
  targetMs: number
  maxMs: number
}

/** Page sizes in rows: the first and the minimum. */
const pageRows = { first: 250, min: 25 }
const defaultPage: PageLimits = { maxRows: 1000, targetMs: 20, maxMs: 60 }
/** Pause after a page as a multiple of its duration, if the service is busy or idle, within bounds in milliseconds. */
const pauses = { busy: 49, idle: 9, minMs: 5, maxMs: 10_000 }

/** Determines the size of the next page and the pause before it from the duration of the last one. */
export class Pacer {
  #rows = pageRows.first
  /** Milliseconds since the last pause that pages took. */
  #workedMs = 0

  constructor(private readonly options: PacerOptions = {}) {}

  /** Maximum number of rows of the next page. */
  get rows(): number {
    return this.#rows
  }

  /**
   * Sets the size of the next page after one that took `tookMs`. Pauses once the pages since the last pause took as long
   * as one page should, so work stops for late work or the end within that time and one page.
   */
  async pace(tookMs: number): Promise<void> {
    const { isBusy = () => false, idleFactor = pauses.idle, backpressureMs = () => 0, stopping } = this.options
    const { maxRows, targetMs, maxMs } = this.options.page ?? defaultPage
    if (tookMs > maxMs) this.#rows = Math.max(pageRows.min, this.#rows >> 1)
    else if (tookMs < targetMs) this.#rows = Math.min(maxRows, this.#rows * 2)
    // A pause after each of many small pages would cost more than they do.
    this.#workedMs += tookMs
    if (this.#workedMs < targetMs) return
    const ms = Math.max(this.#workedMs * (isBusy() ? pauses.busy : idleFactor), await backpressureMs(), pauses.minMs)
    this.#workedMs = 0
    await sleep(Math.min(ms, pauses.maxMs), undefined, { signal: stopping, ref: false }).catch(() => {})
  }
}
