/** How many rows of one actor may be in hand at once: as many as the other side bears, found out by what it does. */

/** How the other side took one row. */
export type Response =
  /** In good time, and as if it could take more. */
  | 'prompt'
  /** It answered, but late, or that it has too much to do. */
  | 'strained'
  | 'none'

/** How wide a window may be. */
export interface WindowBounds {
  /** However badly it goes. */
  min: number
  /** Of an actor about which nothing is known. */
  start: number
  /** Until here it widens without asking whether that made anything faster. */
  free: number
  max: number
}

/** Twice the window is worth it while it takes rows so many times as fast. */
const worthIt = 1.25
/**
 * After a wider window had not been worth it, it is not tried again for so long, and twice as long each time it had not
 * been: what was too slow once may have been this machine, which had much else to do.
 */
const contentMs = { first: 500, most: 8000 }

/**
 * Doubles once half a window of rows begun at its size was answered promptly, as soon as the first of them are back: with
 * each time the other side takes to answer. Beyond `free` it stays doubled only if rows then go through faster:
 * a receiver that is busy already answers as many a second to 64 callers as to 128, only later. Halves, down to `start`,
 * where the other side is strained, and halves with each row that gets no answer, so that a receiver which hangs ends
 * up holding `min` sockets and no more.
 */
export class Window {
  #size: number
  /** Since the size last changed: which change that was, prompt answers to rows begun since, and what they took in all. */
  #era = 0
  #prompt = 0
  #tookMs = 0
  /** Rows a millisecond before it was last widened; null where it was not yet measured, or need not be beaten. */
  #before: number | null = null
  #contentUntil = Number.NEGATIVE_INFINITY
  #contentMs = contentMs.first

  constructor(private readonly bounds: WindowBounds) {
    this.#size = Math.min(bounds.start, bounds.max)
  }

  get size(): number {
    return this.#size
  }

  /** To be handed back with the row's response: an answer to a row that was begun at another size says nothing of this one. */
  get era(): number {
    return this.#era
  }

  /** Tells how a row begun in `era` went, which took so many milliseconds; `full` where as many were in hand as may be. */
  tell(response: Response, { era, tookMs, full }: { era: number; tookMs: number; full: boolean }): void {
    if (response === 'none') this.#resize(Math.max(this.bounds.min, this.#size >> 1))
    else if (response === 'strained') this.#resize(this.#strained())
    else if (era === this.#era && full) this.#promptly(tookMs)
  }

  #promptly(tookMs: number): void {
    this.#tookMs += tookMs
    if (++this.#prompt * 2 < this.#size) return
    // By Little's law: what is in hand at once, divided by how long each is in hand.
    const rate = this.#size / Math.max(this.#tookMs / this.#prompt, 0.001)
    const before = this.#before
    if (before !== null && rate < before * worthIt) {
      this.#contentUntil = performance.now() + this.#contentMs
      this.#contentMs = Math.min(2 * this.#contentMs, contentMs.most)
      this.#resize(Math.max(this.bounds.min, this.#size >> 1))
    } else if (this.#size < this.bounds.max && performance.now() >= this.#contentUntil) {
      if (before !== null) this.#contentMs = contentMs.first
      this.#resize(Math.min(this.bounds.max, this.#size * 2))
      this.#before = this.#size > this.bounds.free ? rate : null
    } else {
      this.#resize(this.#size)
    }
  }

  #strained(): number {
    return this.#size <= this.bounds.start ? this.#size : Math.max(this.bounds.start, this.#size >> 1)
  }

  #resize(size: number): void {
    this.#size = size
    this.#era++
    this.#prompt = 0
    this.#tookMs = 0
    this.#before = null
  }
}

/** Windows that are kept in mind; beyond them the one that was asked for longest ago is forgotten. */
const maxRemembered = 10_000
/** What a receiver bore is not taken for what it bears after so long. */
const maxAgeMs = 600_000

/** The windows of all actors, from one activation of each to the next. */
export class Windows {
  readonly #known = new Map<string, { window: Window; askedAt: number }>()

  /** The actor's window, as it was left if that is not long ago. */
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
