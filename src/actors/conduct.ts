/** Health samples of receivers and providers: decides whether late work was caused by the receiver. */

export interface Answered {
  /** Whether the receiver answered normally, without an error or a sign of overload. */
  promptly: boolean
  /** Duration of the attempt in milliseconds. */
  tookMs: number
}

/**
 * Answers slower than this, in milliseconds, delay other work of the same receiver. A busy event loop of this process
 * seldom causes this delay.
 */
const slowMs = 100
/** Share of the total time that may be slow or failed. Above it, the receiver is the cause. */
const tooMuch = 1 / 4
/** Decay factor per answer: about the last hundred answers count. */
const remembered = 0.99
/** Maximum number of receivers remembered. The one with the oldest sample is dropped first. */
const maxKnown = 10_000

/**
 * Recent behaviour of receivers. A receiver that hangs on some requests, or reports overload, delays its own later
 * requests. Even if it answers those quickly, their delay does not measure the load of this machine.
 */
export class Conduct {
  readonly #known = new Map<string, { ms: number; wastedMs: number }>()

  tell(id: string, { promptly, tookMs }: Answered): void {
    const { ms, wastedMs } = this.#known.get(id) ?? { ms: 0, wastedMs: 0 }
    const wasted = !promptly || tookMs > slowMs
    // At least one millisecond, so that an immediate answer also counts.
    const spent = Math.max(tookMs, 1)
    this.#known.delete(id)
    if (this.#known.size >= maxKnown) this.#known.delete(this.#known.keys().next().value!)
    this.#known.set(id, { ms: ms * remembered + spent, wastedMs: wastedMs * remembered + (wasted ? spent : 0) })
  }

  /** Returns whether the receiver caused the delay. An unknown receiver did not. */
  isToBlame(id: string): boolean {
    const known = this.#known.get(id)
    return known !== undefined && known.wastedMs > known.ms * tooMuch
  }
}
