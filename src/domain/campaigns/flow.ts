/**
 * How fast a channel gets through what a campaign gives it, and so how much it is given at once: about a second's worth,
 * since whatever else is written over the channel comes behind that. In memory: who begins anew finds out anew.
 */

/** So that a channel which is slow for a moment does not run out of work, and so that a statement stays a short one. */
const bounds = { least: 100, most: 2000 }
/** What is given as long as nothing is known. */
const first = 200
/** Milliseconds over which it is measured, at least, where the channel does not run out before. */
const measuredMs = 250

export class Flow {
  /** Messages of the campaign that may be with its channel at once. */
  window = first
  #since: number
  #through = 0

  constructor(private readonly now: () => number = () => performance.now()) {
    this.#since = now()
  }

  /** The channel has nothing of the campaign: the time until it is given more says nothing of how fast it is. */
  ranOut(): void {
    if (this.#through > 0) this.#measure()
    this.#since = this.now()
  }

  /** The channel got through so many more. */
  moved(messages: number): void {
    this.#through += messages
    if (this.now() - this.#since >= measuredMs) this.#measure()
  }

  /** One moment is no measure of the next: the window becomes twice as large, or half, at once. */
  #measure(): void {
    const now = this.now()
    const perSecond = (this.#through * 1000) / Math.max(now - this.#since, 1)
    const wanted = Math.min(Math.max(perSecond, this.window / 2), this.window * 2)
    this.window = Math.round(Math.min(Math.max(wanted, bounds.least), bounds.most))
    this.#since = now
    this.#through = 0
  }
}
