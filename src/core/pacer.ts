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
  /** Ends a pause. */
  stopping?: AbortSignal
}

/** Page sizes in rows: the first, the minimum and the maximum. After a slow page, the next one is smaller. */
const pageRows = { first: 250, min: 25, max: 1000 }
const pageTime = { targetMs: 20, maxMs: 60 }
/** Pause after a page as a multiple of its duration, if the service is busy or idle, within bounds in milliseconds. */
const pauses = { busy: 49, idle: 9, minMs: 5, maxMs: 10_000 }

/** Determines the size of the next page and the pause before it from the duration of the last one. */
export class Pacer {
  #rows = pageRows.first

  constructor(private readonly options: PacerOptions = {}) {}

  /** Maximum number of rows of the next page. */
  get rows(): number {
    return this.#rows
  }

  /** Pauses after a page that took `tookMs`, and sets the size of the next one. */
  async pace(tookMs: number): Promise<void> {
    const { isBusy = () => false, idleFactor = pauses.idle, backpressureMs = () => 0, stopping } = this.options
    const ms = Math.max(tookMs * (isBusy() ? pauses.busy : idleFactor), await backpressureMs(), pauses.minMs)
    await sleep(Math.min(ms, pauses.maxMs), undefined, { signal: stopping, ref: false }).catch(() => {})
    if (tookMs > pageTime.maxMs) this.#rows = Math.max(pageRows.min, this.#rows >> 1)
    else if (tookMs < pageTime.targetMs) this.#rows = Math.min(pageRows.max, this.#rows * 2)
  }
}
