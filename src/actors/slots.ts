/** So many at once and no more; who comes later waits in line. */
export class Slots {
  #free: number
  readonly #line: (() => void)[] = []

  constructor(max: number) {
    this.#free = max
  }

  /** Runs `work` as soon as a slot is free. */
  async with<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>(resolve => this.#line.push(resolve))
    try {
      return await work()
    } finally {
      const next = this.#line.shift()
      if (next) next()
      else this.#free++
    }
  }
}
