/** Whether it is a receiver's own doing, or a provider's, that what waits for it is late. */

export interface Answered {
  /** As if it could take more, and in good time. */
  promptly: boolean
  /** Milliseconds. */
  tookMs: number
}

/** A receiver that takes longer keeps others of its own waiting; a busy event loop of ours seldom does for so long. */
const slowMs = 100
/** Of all the time that was spent on a receiver, so much in vain or slowly, and it is to blame. */
const tooMuch = 1 / 4
/** What an answer weighs against the next one: about the last hundred count. */
const remembered = 0.99
/** Receivers that are kept in mind; beyond them the one that was heard of longest ago is forgotten. */
const maxKnown = 10_000

/**
 * How receivers have behaved of late. One that answers many at once and lets a few hang, or says that it has too much to
 * do, gets its next ones late, and answers some of those at once: how late they were is then no measure of this machine.
 */
export class Conduct {
  readonly #known = new Map<string, { ms: number; wastedMs: number }>()

  tell(id: string, { promptly, tookMs }: Answered): void {
    const { ms, wastedMs } = this.#known.get(id) ?? { ms: 0, wastedMs: 0 }
    const wasted = !promptly || tookMs > slowMs
    // A millisecond, for an answer within none counts as well.
    const spent = Math.max(tookMs, 1)
    this.#known.delete(id)
    if (this.#known.size >= maxKnown) this.#known.delete(this.#known.keys().next().value!)
    this.#known.set(id, { ms: ms * remembered + spent, wastedMs: wastedMs * remembered + (wasted ? spent : 0) })
  }

  /** Nobody is of whom nothing is known. */
  isToBlame(id: string): boolean {
    const known = this.#known.get(id)
    return known !== undefined && known.wastedMs > known.ms * tooMuch
  }
}
