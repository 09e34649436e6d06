/** Token buckets by name, in the memory of one process. */

/** The size of a bucket and how fast it fills. */
export interface AllowanceLimit {
  perSecond: number
  /** Tokens in a full bucket. */
  burst: number
}

interface Bucket {
  /** Below zero after something that was larger than what was left. */
  tokens: number
  /** When `tokens` was right, by performance.now(). */
  at: number
}

/** Above this number of buckets those that are full are forgotten; a forgotten bucket is full. */
const maxBuckets = 10_000

/** Lets through whatever comes while a bucket is not empty, however large it is: nothing is too large for ever. */
export class Allowance {
  readonly #buckets = new Map<string, Bucket>()
  #forgotAt = 0

  constructor(private readonly limit: AllowanceLimit) {}

  /** Seconds until the bucket has a token; 0 where it has one. */
  secondsUntilFree(name: string): number {
    const tokens = this.#refilled(name)?.tokens ?? this.limit.burst
    return tokens >= 1 ? 0 : (1 - tokens) / this.limit.perSecond
  }

  /** Takes tokens out of the bucket, into debt where there are fewer. */
  spend(name: string, tokens: number): void {
    const bucket = this.#refilled(name) ?? { tokens: this.limit.burst, at: performance.now() }
    bucket.tokens -= tokens
    this.#buckets.set(name, bucket)
    if (this.#buckets.size > maxBuckets) this.#forgetFull()
  }

  #refilled(name: string): Bucket | undefined {
    const bucket = this.#buckets.get(name)
    if (!bucket) return undefined
    const now = performance.now()
    bucket.tokens = Math.min(this.limit.burst, bucket.tokens + ((now - bucket.at) / 1000) * this.limit.perSecond)
    bucket.at = now
    return bucket
  }

  /** At most once a second: buckets that are not full stay. */
  #forgetFull(): void {
    if (performance.now() - this.#forgotAt < 1000) return
    this.#forgotAt = performance.now()
    for (const name of this.#buckets.keys())
      if (this.#refilled(name)!.tokens >= this.limit.burst) this.#buckets.delete(name)
  }
}
