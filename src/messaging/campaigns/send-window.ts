/**
 * Measures the throughput of a channel, and sizes the number of queued campaign messages to about one second of it.
 * Other messages on the channel wait behind these. The state is in memory and starts from the default in each process.
 */

/**
 * Bounds of the window. The minimum keeps a slow channel from running out of work; the maximum keeps statements short.
 */
const bounds = { min: 100, max: 2000 }
/** Initial window before the first measurement. */
const initialSize = 200
/** Minimum duration of a measurement in milliseconds, unless the channel runs out of messages earlier. */
const measureMs = 250

export class SendWindow {
  /** Maximum number of the campaign's messages that are queued on the channel. */
  size = initialSize
  #since: number
  #processed = 0

  constructor(private readonly now: () => number = () => performance.now()) {
    this.#since = now()
  }

  /** Called when the channel has no messages of the campaign left. The idle time that follows does not count. */
  onEmpty(): void {
    if (this.#processed > 0) this.#measure()
    this.#since = this.now()
  }

  /** Called with the number of messages that the channel has processed. */
  onProcessed(messages: number): void {
    this.#processed += messages
    if (this.now() - this.#since >= measureMs) this.#measure()
  }

  /** Changes the window by a factor of at most two, because one measurement is not reliable. */
  #measure(): void {
    const now = this.now()
    const perSecond = (this.#processed * 1000) / Math.max(now - this.#since, 1)
    const wanted = Math.min(Math.max(perSecond, this.size / 2), this.size * 2)
    this.size = Math.round(Math.min(Math.max(wanted, bounds.min), bounds.max))
    this.#since = now
    this.#processed = 0
  }
}
