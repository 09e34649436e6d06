/**
 * Concurrency limiter for password hashing. A hash occupies a runtime thread for a quarter of a second. In Bun, DNS
 * lookups for webhook delivery use the same few threads. The limit leaves one thread free, and the queue is short
 * enough that admitted callers wait only seconds.
 */
import { availableParallelism } from 'node:os'
import { tryLater } from '../errors.ts'
import { networkOf, siteOf } from '../network.ts'

/** Caller of a password hash. */
export interface Asker {
  /** Network address. Every network has a fair share of the queue. */
  address: string
  /** Aborted when the caller has disconnected. */
  signal: AbortSignal
}

/** Maximum number of concurrent hashes, and maximum queue length. */
export interface HashLineLimits {
  lanes: number
  maxWaiting: number
}

interface Waiting {
  enter: () => void
  refuse: (error: unknown) => void
}

/** Groups callers by IPv6 /48, because an owner of a /48 could use 65,536 networks of 64 bits. */
const shareOf = (address: string): string => siteOf(address) ?? networkOf(address)

export class HashLine {
  /** Waiting callers by network. A network that was served moves to the end of the map. */
  readonly #waiting = new Map<string, Waiting[]>()
  #count = 0
  #running = 0
  /** Moving average of hash duration in seconds. Determines the `Retry-After` of a rejection. */
  #hashSeconds = 0.25

  constructor(private readonly limits: HashLineLimits) {}

  /** Throws if `pass` would reject immediately. Call it before any other work. */
  refuseWhenFull({ address, signal }: Asker): void {
    signal.throwIfAborted()
    if (this.#count >= this.limits.maxWaiting && this.#longerThan(shareOf(address)) === null) throw this.#full()
  }

  /**
   * Acquires a permit, in turn between networks, and hashes. Throws `rate_limited` if the queue is full, or the abort
   * reason if the caller disconnected. Neither costs a hash.
   */
  async pass<T>(asker: Asker | null, hash: () => Promise<T>): Promise<T> {
    asker?.signal.throwIfAborted()
    if (this.#running < this.limits.lanes) this.#running += 1
    else await this.#wait(asker)
    const startedAt = performance.now()
    try {
      return await hash()
    } finally {
      this.#hashSeconds += ((performance.now() - startedAt) / 1000 - this.#hashSeconds) / 8
      this.#next()
    }
  }

  /** Waits until a permit is acquired. */
  async #wait(asker: Asker | null): Promise<void> {
    const share = asker ? shareOf(asker.address) : ''
    if (asker && this.#count >= this.limits.maxWaiting) this.#makeRoom(share)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const one: Waiting = { enter: resolve, refuse: reject }
    const leave = () => {
      this.#remove(share, one)
      reject(asker?.signal.reason)
    }
    asker?.signal.addEventListener('abort', leave)
    this.#waiting.set(share, [...(this.#waiting.get(share) ?? []), one])
    this.#count += 1
    try {
      await promise
    } finally {
      asker?.signal.removeEventListener('abort', leave)
    }
  }

  /**
   * Shares a full queue fairly: a network with fewer waiting callers evicts the last caller of the network with most.
   */
  #makeRoom(share: string): void {
    const longest = this.#longerThan(share)
    if (longest === null) throw this.#full()
    const last = this.#waiting.get(longest)!.at(-1)!
    this.#remove(longest, last)
    last.refuse(this.#full())
  }

  /**
   * Returns the network with most waiting callers, if it would still have at least as many as this one after losing
   * one. Otherwise returns null.
   */
  #longerThan(share: string): string | null {
    let longest: string | null = null
    let most = (this.#waiting.get(share)?.length ?? 0) + 1
    for (const [other, { length }] of this.#waiting) {
      if (length <= most) continue
      longest = other
      most = length
    }
    return longest
  }

  /** Releases the permit to the next waiting caller. */
  #next(): void {
    const [first] = this.#waiting
    if (!first) {
      this.#running -= 1
      return
    }
    const [share, [one, ...others]] = first
    this.#waiting.delete(share)
    if (others.length > 0) this.#waiting.set(share, others)
    this.#count -= 1
    one!.enter()
  }

  #remove(share: string, one: Waiting): void {
    const others = this.#waiting.get(share)?.filter(other => other !== one) ?? []
    if (others.length > 0) this.#waiting.set(share, others)
    else this.#waiting.delete(share)
    this.#count -= 1
  }

  #full() {
    const seconds = (this.#count * this.#hashSeconds) / this.limits.lanes
    return tryLater('rate_limited', 'Too many people are signing in at this moment.', seconds)
  }
}

/** Bun has as many threads as processors, and at least two. */
const lanes = Math.min(4, Math.max(1, availableParallelism() - 1))

/** The limiter of this process, because all hashes share its threads. */
export const hashLine = new HashLine({ lanes, maxWaiting: lanes * 20 })
