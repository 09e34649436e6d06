/** Bounded semaphore with fair shares for its holders. */

export interface LineOptions {
  /** Maximum number of permits for one holder. The last free permit always goes to a holder that has none. */
  maxHeldEach: number
  /** Maximum number of waiters in total, and for one holder (`maxWaitingEach`). */
  maxWaiting: number
  maxWaitingEach: number
  /** Milliseconds after which a waiter is rejected. */
  maxWaitMs: number
}

/** Error if the queue is full or the wait took too long. */
export class LineFull extends Error {
  override readonly name = 'LineFull'
}

/**
 * Semaphore. A free permit goes to the waiting holder with the fewest permits that may have one more. Holders with
 * equal numbers alternate. Waiters of one holder are served in order.
 */
export class Line<Place> {
  readonly #free: Place[]
  readonly #places: number
  /** Holders with a permit or a waiter. The holder to serve next comes first. */
  readonly #everybody = new Map<string, Member<Place>>()
  #waiting = 0

  constructor(
    places: readonly Place[],
    private readonly options: LineOptions,
  ) {
    this.#free = [...places]
    this.#places = places.length
  }

  /** Number of waiters. */
  get waiting(): number {
    return this.#waiting
  }

  /** Number of permits in use. */
  get lent(): number {
    return this.#places - this.#free.length
  }

  /**
   * Acquires a permit for `who`; release it with `leave`. Rejects with LineFull, or with the reason of the signal if it
   * aborts first.
   */
  enter(who: string, signal?: AbortSignal): Promise<Place> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    const one = this.#everybody.get(who) ?? { held: 0, waiting: [] }
    if (this.#mayHaveOneMore(one)) {
      one.held++
      this.#toTheBack(who, one)
      return Promise.resolve(this.#free.pop()!)
    }
    const { maxWaiting, maxWaitingEach } = this.options
    if (this.#waiting >= maxWaiting || one.waiting.length >= maxWaitingEach)
      return Promise.reject(new LineFull('too many are waiting'))
    this.#everybody.set(who, one)
    return this.#wait(who, one, signal)
  }

  /**
   * Returns whether a caller waits for a permit that `who` holds. That is a waiter of `who` itself or, if no permit is
   * free, of a holder without permits.
   */
  isWantedFrom(who: string): boolean {
    if (this.#waiting === 0) return false
    if ((this.#everybody.get(who)?.waiting.length ?? 0) > 0) return true
    return this.#free.length === 0 && this.#everybody.values().some(one => one.held === 0 && one.waiting.length > 0)
  }

  /** Releases a permit of `who`. */
  leave(who: string, place: Place): void {
    const one = this.#everybody.get(who)!
    one.held--
    this.#forgetIfDone(who, one)
    this.#free.push(place)
    this.#serve()
  }

  #wait(who: string, one: Member<Place>, signal: AbortSignal | undefined): Promise<Place> {
    return new Promise((resolve, reject) => {
      const giveUp = (error: unknown) => {
        one.waiting.splice(one.waiting.indexOf(waiting), 1)
        this.#forgetIfDone(who, one)
        waiting.done()
        reject(error)
      }
      const abort = () => giveUp(signal!.reason)
      const timer = setTimeout(() => giveUp(new LineFull('waiting took too long')), this.options.maxWaitMs)
      const waiting: Waiting<Place> = {
        resolve,
        done: () => {
          this.#waiting--
          clearTimeout(timer)
          signal?.removeEventListener('abort', abort)
        },
      }
      signal?.addEventListener('abort', abort)
      this.#waiting++
      one.waiting.push(waiting)
    })
  }

  #serve(): void {
    for (let next = this.#next(); next !== null; next = this.#next()) {
      const one = this.#everybody.get(next)!
      const waiting = one.waiting.shift()!
      one.held++
      this.#toTheBack(next, one)
      waiting.done()
      waiting.resolve(this.#free.pop()!)
    }
  }

  #next(): string | null {
    let next: string | null = null
    let fewest = Number.POSITIVE_INFINITY
    for (const [who, one] of this.#everybody) {
      if (one.waiting.length === 0 || one.held >= fewest || !this.#mayHaveOneMore(one)) continue
      next = who
      fewest = one.held
    }
    return next
  }

  #mayHaveOneMore({ held }: Member<Place>): boolean {
    const free = this.#free.length
    return held === 0 ? free > 0 : free > 1 && held < this.options.maxHeldEach
  }

  #toTheBack(who: string, one: Member<Place>): void {
    this.#everybody.delete(who)
    this.#everybody.set(who, one)
  }

  #forgetIfDone(who: string, { held, waiting }: Member<Place>): void {
    if (held === 0 && waiting.length === 0) this.#everybody.delete(who)
  }
}

interface Member<Place> {
  held: number
  waiting: Waiting<Place>[]
}

interface Waiting<Place> {
  resolve: (place: Place) => void
  /** Called when the wait has ended in any way. */
  done: () => void
}
