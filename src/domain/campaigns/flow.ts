/**
 * Measures the throughput of a channel, and sizes the number of queued campaign messages to about one second of it.
 * Other messages on the channel wait behind these. The state is in memory and starts from the default in each process.
 */

/**
 * Bounds of the window. The minimum keeps a slow channel from running out of work; the maximum keeps statements short.
 */
const bounds = { least: 100, most: 2000 }
/** Initial window before the first measurement. */
const first = 200
/** Minimum duration of a measurement in milliseconds, unless the channel runs out of messages earlier. */
const measuredMs = 250

export class Flow {
  /** Maximum number of the campaign's messages that are queued on the channel. */
  window = first
  #since: number
  #through = 0

  constructor(private readonly now: () => number = () => performance.now()) {
    this.#since = now()
  }

  /** Called when the channel has no messages of the campaign left. The idle time that follows does not count. */
  ranOut(): void {
    if (this.#through > 0) this.#measure()
    this.#since = this.now()
  }

  /** Called with the number of messages that the channel has processed. */
  moved(messages: number): void {
    this.#through += messages
    if (this.now() - this.#since >= measuredMs) this.#measure()
  }

  /** Changes the window by a factor of at most two, because one measurement is not reliable. */
  #measure(): void {
    const now = this.now()
    const perSecond = (this.#through * 1000) / Math.max(now - this.#since, 1)
    const wanted = Math.min(Math.max(perSecond, this.window / 2), this.window * 2)
    this.window = Math.round(Math.min(Math.max(wanted, bounds.least), bounds.most))
    this.#since = now
    this.#through = 0
  }
}
