/**
 * Limits concurrent password hashes. A hash occupies a runtime thread for a quarter of a second. In Bun, DNS lookups
 * for webhook delivery use the same few threads. The limit leaves one thread free, and the queue is short enough that
 * admitted callers wait only seconds.
 */
import { availableParallelism } from 'node:os'
import { retryLater } from '../../core/errors.ts'
import { KeyedLimiter, LimiterFull } from '../../platform/keyed-limiter.ts'
import { networkOf, siteOf } from '../../platform/network.ts'

/** Caller of a password hash. */
export interface Requester {
  /** Network address. Every network has a fair share of the queue. */
  address: string
  /** Aborted when the caller has disconnected. */
  signal: AbortSignal
}

/** Groups callers by IPv6 /48, because an owner of a /48 could use 65,536 networks of 64 bits. */
const limiterKey = (address: string): string => siteOf(address) ?? networkOf(address)

export class HashLimiter {
  readonly #limiter: KeyedLimiter
  /** Moving average of hash duration in seconds. Determines the `Retry-After` of a rejection. */
  #hashSeconds = 0.25

  /** `total` is the maximum number of concurrent hashes. The length of the queue is the only limit of the wait. */
  constructor(private readonly limits: { total: number; maxWaiting: number }) {
    this.#limiter = new KeyedLimiter({ ...limits, maxWaitMs: Number.POSITIVE_INFINITY })
  }

  /** Throws if `run` would reject immediately. Call it before any other work. */
  rejectWhenFull({ address, signal }: Requester): void {
    signal.throwIfAborted()
    if (this.#limiter.isFull(limiterKey(address))) throw this.#fullError()
  }

  /**
   * Acquires a permit, fairly between networks, and hashes. Throws `rate_limited` if the queue is full, or the abort
   * reason if the caller disconnected. Neither costs a hash.
   */
  async run<T>(requester: Requester | null, hash: () => Promise<T>): Promise<T> {
    const key = requester ? limiterKey(requester.address) : ''
    await this.#limiter.acquire(key, { signal: requester?.signal }).catch(error => {
      throw error instanceof LimiterFull ? this.#fullError() : error
    })
    const startedAt = performance.now()
    try {
      return await hash()
    } finally {
      this.#hashSeconds += ((performance.now() - startedAt) / 1000 - this.#hashSeconds) / 8
      this.#limiter.release(key)
    }
  }

  #fullError() {
    const seconds = (this.#limiter.waiting * this.#hashSeconds) / this.limits.total
    return retryLater('rate_limited', 'Too many concurrent sign-ins.', seconds)
  }
}

/** Bun has as many threads as processors, and at least two. */
const total = Math.min(4, Math.max(1, availableParallelism() - 1))

/** The limiter of this process, because all hashes share its threads. */
export const hashLimiter = new HashLimiter({ total, maxWaiting: total * 20 })
