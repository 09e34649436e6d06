/** Cooperative scheduling: long loops yield to the event loop every 10 ms. */

/** Called between two pieces of work. Returns a promise to await if the loop must yield, otherwise null. */
export type Rest = () => Promise<void> | null

/** Maximum time in milliseconds that a loop may block the event loop. */
const maxHeldMs = 10

/** Returns a function that yields after every 10 ms. */
export const inTurns = (): Rest => new TimedTurns().rest

let lastTurn: Promise<unknown> = Promise.resolve()

/**
 * Resolves in an event loop iteration that no other caller shares. For work of several milliseconds that cannot be
 * divided, such as parsing a large body. Without it, many such bodies that arrive together would be parsed in one
 * iteration.
 */
export const ownTurn = async (): Promise<void> => {
  lastTurn = lastTurn.then(() => new Promise(resolve => setImmediate(resolve)))
  await lastTurn
}

/** Yields every 10 ms and measures the processing time of the work. Time spent yielding or waiting does not count. */
export class TimedTurns {
  #since = performance.now()
  #spentMs = 0

  /** Processing time so far, in milliseconds. */
  get spentMs(): number {
    return this.#spentMs + performance.now() - this.#since
  }

  readonly rest: Rest = () => {
    if (performance.now() - this.#since < maxHeldMs) return null
    return this.waitFor(ownTurn)
  }

  /** Waits for something, for example the database. The wait does not count. */
  async waitFor<T>(wait: () => Promise<T>): Promise<T> {
    this.#spentMs = this.spentMs
    try {
      return await wait()
    } finally {
      this.#since = performance.now()
    }
  }
}
