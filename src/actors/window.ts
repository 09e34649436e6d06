/**
 * How many rows of one actor may be in hand at once. Doubles with each full window of good answers and halves with each
 * attempt that got none, so that a receiver that hangs ends up holding `min` sockets and no more.
 */
export class Window {
  #size: number
  #good = 0

  constructor(
    private readonly min: number,
    start: number,
    private readonly max: number,
  ) {
    this.#size = Math.min(start, max)
  }

  get size(): number {
    return this.#size
  }

  /** The receiver answered in good time. */
  widen(): void {
    if (++this.#good < this.#size) return
    this.#good = 0
    this.#size = Math.min(this.max, this.#size * 2)
  }

  /** The receiver did not answer. */
  narrow(): void {
    this.#good = 0
    this.#size = Math.max(this.min, this.#size >> 1)
  }
}
