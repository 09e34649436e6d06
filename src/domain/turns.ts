/** Long work in short turns, so that whoever else is to act in this process does. */

/** Asked between two pieces of work: something to wait for where the others should have a turn, else null. */
export type Rest = () => Promise<void> | null

/** Milliseconds for which one piece of work after another may keep everybody else waiting. */
const maxHeldMs = 10

/** Gives the others a turn after every ten milliseconds. */
export const inTurns = (): Rest => new TimedTurns().rest

let lastTurn: Promise<unknown> = Promise.resolve()

/**
 * Resolves in a turn of the event loop that no other caller has. For work of several milliseconds that cannot be divided,
 * such as parsing a large body: many of them that arrive together would be done in one turn.
 */
export const ownTurn = async (): Promise<void> => {
  lastTurn = lastTurn.then(() => new Promise(resolve => setImmediate(resolve)))
  await lastTurn
}

/** Turns that measure the processor time of the work: neither the turns of others nor waits count. */
export class TimedTurns {
  #since = performance.now()
  #spentMs = 0

  /** Milliseconds that the work has taken so far. */
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
