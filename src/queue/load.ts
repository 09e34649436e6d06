/**
 * Measures whether this process is recording many events. Work that can wait some seconds then leaves most of the time
 * to them.
 */

/** Number of events within a time span that counts as busy. A few single events slow nothing down. */
const busy = { events: 50, spanMs: 200 }

export class Load {
  #startedAt = Number.NEGATIVE_INFINITY
  #count = 0
  #isBusyUntil = Number.NEGATIVE_INFINITY

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Counts recorded events. */
  record(events: number): void {
    const now = this.now()
    if (now - this.#startedAt > busy.spanMs) [this.#startedAt, this.#count] = [now, 0]
    this.#count += events
    if (this.#count >= busy.events) this.#isBusyUntil = now + busy.spanMs
  }

  get isBusy(): boolean {
    return this.now() < this.#isBusyUntil
  }
}
