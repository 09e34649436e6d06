/**
 * The line for hashing passwords. A hash takes a thread of the runtime for a quarter of a second, and under Bun the
 * look-ups of receivers' names wait for the same few threads: so few hashes run at once that one thread stays free, and
 * so few wait that whoever is admitted is served within seconds.
 */
import { availableParallelism } from 'node:os'
import { tryLater } from '../errors.ts'
import { networkOf, siteOf } from '../network.ts'

/** For whom a password is hashed. */
export interface Asker {
  /** The network address; each has its share of the line. */
  address: string
  /** Aborted once nobody waits for the answer any more. */
  signal: AbortSignal
}

/** How many hashes at once, and how many may wait for their turn. */
export interface HashLineLimits {
  lanes: number
  maxWaiting: number
}

interface Waiting {
  enter: () => void
  refuse: (error: unknown) => void
}

/** Callers of one IPv6 network of 48 bits have one share: who owns it could use 65,536 networks of 64 bits. */
const shareOf = (address: string): string => siteOf(address) ?? networkOf(address)

export class HashLine {
  /** Who waits, by where they ask from. An address that was served goes to the end of the map. */
  readonly #waiting = new Map<string, Waiting[]>()
  #count = 0
  #running = 0
  /** Of late; decides how long a refusal says to wait. */
  #hashSeconds = 0.25

  constructor(private readonly limits: HashLineLimits) {}

  /** Refuses as `pass` would. Asked before anything else is done for somebody who would only be refused. */
  refuseWhenFull({ address, signal }: Asker): void {
    signal.throwIfAborted()
    if (this.#count >= this.limits.maxWaiting && this.#longerThan(shareOf(address)) === null) throw this.#full()
  }

  /**
   * Hashes when the turn has come, the addresses by turns. Throws `rate_limited` when the line is full of those who
   * came before, and what the signal was aborted with when its asker left: neither costs a hash.
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

  /** Resolves with a lane taken. */
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

  /** A full line is shared: whoever has fewer waiting takes the last place of whoever has most. */
  #makeRoom(share: string): void {
    const longest = this.#longerThan(share)
    if (longest === null) throw this.#full()
    const last = this.#waiting.get(longest)!.at(-1)!
    this.#remove(longest, last)
    last.refuse(this.#full())
  }

  /** Whose part of the line is longest, where it would still be no shorter than this one's after giving up a place. */
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

  /** Gives the lane on. */
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

/** Bun has as many threads as there are processors, and never fewer than two. */
const lanes = Math.min(4, Math.max(1, availableParallelism() - 1))

/** The line of this process: its threads are the process's. */
export const hashLine = new HashLine({ lanes, maxWaiting: lanes * 20 })
