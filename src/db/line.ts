/** A bounded line before something of which there is little, with fair shares for those who stand in it. */

export interface LineOptions {
  /** Places that one may hold at once. The last that is free is for whoever holds none, in any case. */
  maxHeldEach: number
  /** So many may wait, and so many of them for one. */
  maxWaiting: number
  maxWaitingEach: number
  /** Milliseconds after which whoever still waits is sent away. */
  maxWaitMs: number
}

/** The line is full, or waiting in it took too long. */
export class LineFull extends Error {
  override readonly name = 'LineFull'
}

/**
 * Lends places. One that comes free goes to whom holds the fewest of those who wait and may have one more; equals take
 * turns, and whoever waits under one name is served in order.
 */
export class Line<Place> {
  readonly #free: Place[]
  readonly #places: number
  /** Everybody who holds a place or waits, whose turn is next in front. */
  readonly #everybody = new Map<string, Member<Place>>()
  #waiting = 0

  constructor(
    places: readonly Place[],
    private readonly options: LineOptions,
  ) {
    this.#free = [...places]
    this.#places = places.length
  }

  /** How many wait. */
  get waiting(): number {
    return this.#waiting
  }

  /** How many places are lent. */
  get lent(): number {
    return this.#places - this.#free.length
  }

  /**
   * A place for `who`; give it back with `leave`. Rejects with LineFull, or with the reason of the signal when that
   * aborts before there is a place.
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

  /** Whether somebody waits for a place that `who` holds: one of its own, or, where none is free, one who has none. */
  isWantedFrom(who: string): boolean {
    if (this.#waiting === 0) return false
    if ((this.#everybody.get(who)?.waiting.length ?? 0) > 0) return true
    return this.#free.length === 0 && this.#everybody.values().some(one => one.held === 0 && one.waiting.length > 0)
  }

  /** Gives back a place that `who` had. */
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
  /** Waits no more, however it came about. */
  done: () => void
}
