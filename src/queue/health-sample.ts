/** Health samples of receivers and providers: decides whether late work was caused by the receiver. */
import { LRUCache } from 'lru-cache'

export interface HealthSample {
  /** Whether the receiver answered normally, without an error or a sign of overload. */
  isHealthy: boolean
  /** Duration of the attempt in milliseconds. */
  tookMs: number
}

/**
 * Answers slower than this, in milliseconds, delay other work of the same receiver. A busy event loop of this process
 * seldom causes this delay.
 */
const slowMs = 100
/** Share of the total time that may be slow or failed. Above it, the receiver is the cause. */
const maxUnhealthyShare = 1 / 4
/** Decay factor per answer: about the last hundred answers count. */
const decay = 0.99
/** Maximum number of receivers remembered. The one with the oldest sample is dropped first. */
const maxReceivers = 10_000

/**
 * Recent behaviour of receivers. A receiver that hangs on some requests, or reports overload, delays its own later
 * requests. Even if it answers those quickly, their delay does not measure the load of this machine.
 */
export class HealthSamples {
  readonly #receivers = new LRUCache<string, { ms: number; unhealthyMs: number }>({ max: maxReceivers })

  record(id: string, { isHealthy, tookMs }: HealthSample): void {
    const { ms, unhealthyMs } = this.#receivers.get(id) ?? { ms: 0, unhealthyMs: 0 }
    const isUnhealthy = !isHealthy || tookMs > slowMs
    // At least one millisecond, so that an immediate answer also counts.
    const spent = Math.max(tookMs, 1)
    this.#receivers.set(id, { ms: ms * decay + spent, unhealthyMs: unhealthyMs * decay + (isUnhealthy ? spent : 0) })
  }

  /** Returns whether the receiver caused the delay. An unknown receiver did not. */
  causesDelay(id: string): boolean {
    const known = this.#receivers.peek(id)
    return known !== undefined && known.unhealthyMs > known.ms * maxUnhealthyShare
  }
}
