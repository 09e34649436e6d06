/** Concurrency limit of one actor: follows the throughput and the errors of the other side. */

/** Result of one row, as the limit sees it. */
export type Response =
  /** The other side answered within its timeout, however long that took. */
  | 'prompt'
  /** The other side answered that it is overloaded or broken: 429 or 5xx. */
  | 'strained'
  /** The other side did not answer. */
  | 'none'

export interface WindowBounds {
  /** Lower bound in all cases. */
  min: number
  /** Initial limit. Answers such as 429 and 5xx do not reduce the limit below this. */
  start: number
  /** Up to this limit, fast answers alone let it grow; beyond it throughput must grow too. */
  free: number
  max: number
}

/** Minimum throughput factor for which a doubled limit is kept. */
const worthIt = 1.25
/** Answers that take longer, in milliseconds, are slow: at every limit, doubling it must raise throughput. */
const slowMs = 250
/** The limit is halved when more answers than this share of it are 429 or 5xx within one measurement. */
const toleratedErrors = 1 / 8
/**
 * Pause in milliseconds after a doubled limit did not raise throughput, doubled each time. The pause lasts at least
 * `answers` times as long as the answers took.
 */
const contentMs = { first: 500, most: 8000, answers: 4 }

/**
 * Concurrency limit of an actor. It doubles while rows wait for it and the other side answers.
 *
 * Above `free`, or when answers are slow, the limit stays doubled only if throughput grew by `worthIt`. A busy receiver
 * answers as many rows per second to 64 callers as to 128, only later.
 *
 * 429 and 5xx halve the limit down to `start`. Each row without an answer halves it down to `min`, so that a hanging
 * receiver keeps `min` connections. Slow answers alone never reduce the limit.
 */
export class Window {
  #size: number
  /** Increases with each measurement. Rows that began in an earlier one say nothing about the current limit. */
  #era = 0
  /** Rows of this era that were answered, and the sum of their durations. */
  #prompt = 0
  #tookMs = 0
  /** 429 and 5xx since the limit last changed. */
  #strained = 0
  /** All rows answered since `#since`, when the first row of this era began. */
  #answered = 0
  #since: number | null = null
  /** Rows per millisecond before the limit was last doubled; null if that is not measured. */
  #before: number | null = null
  #contentUntil = Number.NEGATIVE_INFINITY
  #contentMs = contentMs.first

  constructor(
    private readonly bounds: WindowBounds,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#size = Math.min(bounds.start, bounds.max)
  }

  get size(): number {
    return this.#size
  }

  /** Pass the era in which a row began to `tell`, together with the response. */
  get era(): number {
    return this.#era
  }

  /**
   * Records the response to a row that began in `era` and took `tookMs`. `limited` is true if other rows were waiting
   * for the limit. Only then does the limit grow, and only then is throughput measured.
   */
  tell(response: Response, { era, tookMs, limited }: { era: number; tookMs: number; limited: boolean }): void {
    if (response === 'none') this.#reduce(this.bounds.min, era === this.#era, tookMs)
    else if (response === 'strained') this.#overloaded(tookMs)
    else if (limited) this.#promptly(era, tookMs)
    else this.#measureAgain()
  }

  #overloaded(tookMs: number): void {
    if (++this.#strained > this.#size * toleratedErrors) this.#reduce(this.bounds.start, true, tookMs)
  }

  /** Halves the limit, but not below `least`. A doubled limit that led to this is not tried again immediately. */
  #reduce(least: number, isOfThisEra: boolean, tookMs: number): void {
    if (isOfThisEra && this.#before !== null) this.#pause(tookMs)
    this.#resize(this.#size <= least ? this.#size : Math.max(least, this.#size >> 1))
  }

  #promptly(era: number, tookMs: number): void {
    this.#answered++
    if (era !== this.#era) return
    this.#since ??= this.now() - tookMs
    this.#tookMs += tookMs
    const { free, max, min } = this.bounds
    const doubled = Math.min(max, this.#size * 2)
    const meanMs = this.#tookMs / ++this.#prompt
    const isSlow = meanMs >= slowMs
    // A full set of slow answers is needed: the first half may have been answered before the other side had the full
    // load.
    if (this.#prompt < (isSlow ? this.#size : this.#size / 2)) return
    // For fast answers the rate follows Little's law. Their measured throughput would be that of recording the
    // outcomes, which says nothing about the other side.
    const rate = isSlow ? this.#answered / Math.max(this.now() - this.#since, 1) : this.#size / Math.max(meanMs, 0.001)
    const before = this.#before
    if (before !== null && rate < before * worthIt) {
      this.#pause(meanMs)
      this.#resize(Math.max(min, this.#size >> 1))
    } else if (this.#size < max && this.now() >= this.#contentUntil) {
      if (before !== null) this.#contentMs = contentMs.first
      this.#resize(doubled)
      this.#before = isSlow || doubled > free ? rate : null
    } else {
      this.#resize(this.#size)
    }
  }

  #pause(tookMs: number): void {
    this.#contentUntil = this.now() + Math.max(this.#contentMs, contentMs.answers * tookMs)
    this.#contentMs = Math.min(2 * this.#contentMs, contentMs.most)
  }

  #resize(size: number): void {
    this.#size = size
    this.#strained = 0
    this.#before = null
    this.#measureAgain()
  }

  #measureAgain(): void {
    this.#era++
    this.#prompt = 0
    this.#tookMs = 0
    this.#answered = 0
    this.#since = null
  }
}

/** Maximum number of limits remembered. The one used longest ago is dropped first. */
const maxRemembered = 10_000
/** Maximum age of a remembered limit in milliseconds. After that, it says little about the receiver. */
const maxAgeMs = 600_000

/** Concurrency limits of all actors, kept between their activations. */
export class Windows {
  readonly #known = new Map<string, { window: Window; askedAt: number }>()

  /** Returns the actor's limit, or a new one if it was last used too long ago. */
  of(id: string, bounds: WindowBounds): Window {
    const now = performance.now()
    const found = this.#known.get(id)
    const window = found && now - found.askedAt < maxAgeMs ? found.window : new Window(bounds)
    this.#known.delete(id)
    if (this.#known.size >= maxRemembered) this.#known.delete(this.#known.keys().next().value!)
    this.#known.set(id, { window, askedAt: now })
    return window
  }
}
