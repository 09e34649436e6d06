/** Concurrency limit of one actor: follows the throughput and the errors of the other side. */
import { LRUCache } from 'lru-cache'

/** Result of one row, for the limit. */
export type ResponseKind =
  /** The other side answered within its timeout, however long that took. */
  | 'success'
  /** The other side answered that it is overloaded or broken: 429 or 5xx. */
  | 'overload'
  /** The other side did not answer. */
  | 'none'

export interface ConcurrencyBounds {
  /** Lower bound in all cases. */
  min: number
  /** Initial limit. Answers such as 429 and 5xx do not reduce the limit below this. */
  start: number
  /** Up to this limit, fast answers alone let it grow; beyond it throughput must grow too. */
  free: number
  max: number
}

/** Minimum throughput factor for which a doubled limit is kept. */
const minGain = 1.25
/**
 * Minimum factor for which the first set of slow answers suffices. A saturated receiver answers that set while its queue
 * still grows, so that 4/3 is measured. Below this factor, a second set decides.
 */
const clearGain = 1.6
/** Answers that take longer, in milliseconds, are slow: at every limit, doubling it must raise throughput. */
const slowMs = 250
/**
 * A slow row also counts for the current limit if at most this share of its duration was before the limit changed. The
 * rows of a backlog are answered in waves. Without this, a wave that begins with the last rows of the old limit does not
 * count, and each doubling takes two waves.
 */
const maxEarlyShare = 1 / 8
/** The limit is halved when more answers than this share of it are 429 or 5xx within one measurement. */
const maxErrorShare = 1 / 8
/**
 * Pause in milliseconds after a doubled limit did not raise throughput, doubled each time. The pause lasts at least
 * `answers` times as long as the answers took.
 */
const growthPauseMs = { first: 500, max: 8000, answers: 4 }

/**
 * Concurrency limit of an actor. It doubles while rows wait for it and the other side answers.
 *
 * Above `free`, or when answers are slow, the limit stays doubled only if throughput grew by `minGain`. A busy receiver
 * answers as many rows per second to 64 callers as to 128, only later.
 *
 * 429 and 5xx halve the limit down to `start`. Each row without an answer halves it down to `min`, so that a hanging
 * receiver keeps `min` connections. Slow answers alone never reduce the limit.
 */
export class ConcurrencyLimit {
  #size: number
  /** Increases with each measurement. Rows that began in an earlier one say nothing about the current limit. */
  #generation = 0
  /** Rows of this generation that were answered, and the sum of their durations. */
  #succeeded = 0
  #tookMs = 0
  /** True while a second set of slow answers is measured. */
  #isSecondSet = false
  /** 429 and 5xx since the limit last changed. */
  #overloads = 0
  /** Time when the current generation began. */
  #generationSince = Number.NEGATIVE_INFINITY
  /** Rows per millisecond before the limit was last doubled; null if that is not measured. */
  #previousRate: number | null = null
  #growthPausedUntil = Number.NEGATIVE_INFINITY
  #growthPauseMs = growthPauseMs.first

  constructor(
    private readonly bounds: ConcurrencyBounds,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#size = Math.min(bounds.start, bounds.max)
  }

  get size(): number {
    return this.#size
  }

  /** Pass the generation in which a row began to `record`, together with the response. */
  get generation(): number {
    return this.#generation
  }

  /**
   * Records the response to a row that began in `generation` and took `tookMs`. `isLimited` is true if other rows were waiting
   * for the limit. Only then does the limit grow, and only then is throughput measured.
   */
  record(
    response: ResponseKind,
    { generation, tookMs, isLimited }: { generation: number; tookMs: number; isLimited: boolean },
  ): void {
    if (response === 'none') this.#reduce(this.bounds.min, generation === this.#generation, tookMs)
    else if (response === 'overload') this.#recordOverload(tookMs)
    else if (isLimited) this.#recordSuccess(generation, tookMs)
    else this.#restartMeasurement()
  }

  #recordOverload(tookMs: number): void {
    if (++this.#overloads > this.#size * maxErrorShare) this.#reduce(this.bounds.start, true, tookMs)
  }

  /** Halves the limit, but not below `lowerBound`. A doubled limit that led to this is not tried again immediately. */
  #reduce(lowerBound: number, isCurrent: boolean, tookMs: number): void {
    if (isCurrent && this.#previousRate !== null) this.#pause(tookMs)
    this.#resize(this.#size <= lowerBound ? this.#size : Math.max(lowerBound, this.#size >> 1))
  }

  #recordSuccess(generation: number, tookMs: number): void {
    if (generation !== this.#generation && !this.#countsAsCurrent(tookMs)) return
    this.#tookMs += tookMs
    const { free, max, min } = this.bounds
    const doubled = Math.min(max, this.#size * 2)
    const meanMs = this.#tookMs / ++this.#succeeded
    const isSlow = meanMs >= slowMs
    // A full set of slow answers is needed: the first half may have been answered before the other side had the full
    // load.
    if (this.#succeeded < (isSlow ? this.#size : this.#size / 2)) return
    // The rate follows Little's law. Counted answers would be misleading: those of a backlog arrive in waves, and the rate
    // of fast ones is that of recording the outcomes.
    const rate = this.#size / Math.max(meanMs, 0.001)
    const previousRate = this.#previousRate
    if (previousRate !== null && isSlow && !this.#isSecondSet && rate < previousRate * clearGain) {
      this.#isSecondSet = true
      this.#succeeded = 0
      this.#tookMs = 0
    } else if (previousRate !== null && rate < previousRate * minGain) {
      this.#pause(meanMs)
      this.#resize(Math.max(min, this.#size >> 1))
    } else if (this.#size < max && this.now() >= this.#growthPausedUntil) {
      if (previousRate !== null) this.#growthPauseMs = growthPauseMs.first
      this.#resize(doubled)
      this.#previousRate = isSlow || doubled > free ? rate : null
    } else {
      this.#resize(this.#size)
    }
  }

  #countsAsCurrent(tookMs: number): boolean {
    return tookMs >= slowMs && this.now() - tookMs >= this.#generationSince - tookMs * maxEarlyShare
  }

  #pause(tookMs: number): void {
    this.#growthPausedUntil = this.now() + Math.max(this.#growthPauseMs, growthPauseMs.answers * tookMs)
    this.#growthPauseMs = Math.min(2 * this.#growthPauseMs, growthPauseMs.max)
  }

  #resize(size: number): void {
    this.#size = size
    this.#overloads = 0
    this.#previousRate = null
    this.#restartMeasurement()
  }

  #restartMeasurement(): void {
    this.#generation++
    this.#generationSince = this.now()
    this.#succeeded = 0
    this.#tookMs = 0
    this.#isSecondSet = false
  }
}

/** Maximum number of limits remembered. The one used longest ago is dropped first. */
const maxRemembered = 10_000
/** Maximum age of a remembered limit in milliseconds. After that, it says little about the receiver. */
const maxAgeMs = 600_000

/** Concurrency limits of all actors, kept between their activations. */
export class ConcurrencyLimits {
  readonly #limits = new LRUCache<string, { limit: ConcurrencyLimit; usedAt: number }>({ max: maxRemembered })

  /** Returns the actor's limit, or a new one if it was last used too long ago. */
  of(id: string, bounds: ConcurrencyBounds): ConcurrencyLimit {
    const now = performance.now()
    const found = this.#limits.get(id)
    const limit = found && now - found.usedAt < maxAgeMs ? found.limit : new ConcurrencyLimit(bounds)
    this.#limits.set(id, { limit, usedAt: now })
    return limit
  }
}
