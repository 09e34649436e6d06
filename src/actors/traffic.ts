/** Whether many events are being recorded in this process: what can wait for some seconds leaves them most of the time. */

/** Events within a span that make it busy. A store that records a few now and then slows nothing down. */
const busy = { events: 50, spanMs: 200 }

export class Traffic {
  #begun = Number.NEGATIVE_INFINITY
  #count = 0
  #isBusyUntil = Number.NEGATIVE_INFINITY

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** So many events were recorded. */
  recorded(events: number): void {
    const now = this.now()
    if (now - this.#begun > busy.spanMs) [this.#begun, this.#count] = [now, 0]
    this.#count += events
    if (this.#count >= busy.events) this.#isBusyUntil = now + busy.spanMs
  }

  get isBusy(): boolean {
    return this.now() < this.#isBusyUntil
  }
}
