/** Token buckets by name, in the memory of one process. */

/** Capacity and refill rate of a bucket. */
export interface BucketLimit {
  perSecond: number
  /** Tokens in a full bucket. */
  burst: number
}

interface Bucket {
  /** Negative after an operation that cost more than the remaining tokens. */
  tokens: number
  /** Time of the last refill, by performance.now(). */
  at: number
}

/** Number of buckets above which full ones are removed. A missing bucket counts as full. */
const maxBuckets = 10_000

/**
 * Token buckets that admit any cost while a bucket is not empty. Large operations put the bucket into debt instead of
 * being blocked forever.
 */
export class TokenBuckets {
  readonly #buckets = new Map<string, Bucket>()
  #cleanedAt = 0

  constructor(private readonly limit: BucketLimit) {}

  /** Returns the seconds until the bucket has a token, or 0 if it has one. */
  secondsUntilFree(name: string): number {
    const tokens = this.#refill(name)?.tokens ?? this.limit.burst
    return tokens >= 1 ? 0 : (1 - tokens) / this.limit.perSecond
  }

  /** Takes tokens from the bucket. The balance can become negative. */
  spend(name: string, tokens: number): void {
    const bucket = this.#refill(name) ?? { tokens: this.limit.burst, at: performance.now() }
    bucket.tokens -= tokens
    this.#buckets.set(name, bucket)
    if (this.#buckets.size > maxBuckets) this.#removeFull()
  }

  #refill(name: string): Bucket | undefined {
    const bucket = this.#buckets.get(name)
    if (!bucket) return undefined
    const now = performance.now()
    bucket.tokens = Math.min(this.limit.burst, bucket.tokens + ((now - bucket.at) / 1000) * this.limit.perSecond)
    bucket.at = now
    return bucket
  }

  /** Removes full buckets, at most once a second, because buckets that are not full stay. */
  #removeFull(): void {
    if (performance.now() - this.#cleanedAt < 1000) return
    this.#cleanedAt = performance.now()
    for (const name of this.#buckets.keys())
      if (this.#refill(name)!.tokens >= this.limit.burst) this.#buckets.delete(name)
  }
}
