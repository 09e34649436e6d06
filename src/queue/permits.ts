/**
 * Limits the concurrent attempts of a process and shares the permits fairly, so that receivers that hang do not block
 * others.
 */
import { LRUCache } from 'lru-cache'

/** Health of a holder, according to its last finished work. */
export type HolderHealth =
  /** Answered in time. */
  | 'answers'
  /** Answered, but held its permit for a long time. */
  | 'slow'
  /** Unknown, or neither answered nor timed out. */
  | 'unknown'
  /** Held its permit until the timeout. */
  | 'hangs'

/**
 * Share of all permits that holders of one health may hold together with those of a worse health. Holders that answer
 * may use all.
 */
const shares = { slow: 3 / 4, unknown: 3 / 4, hangs: 1 / 2 }
/**
 * A holder that has not answered yet gets no second permit while holders like it have this share. More holders then get
 * a first permit.
 */
const secondPermitShare = 1 / 4
/**
 * Minimum share of free permits for which a holder that answers (slowly or not) may take another permit, regardless of
 * how many it has.
 */
const freeShare = 1 / 2
/**
 * Permits that one holder has above this share reduce the shares of hanging, unknown and slow holders. They do not
 * reduce the share of those that answer.
 */
const maxHolderShare = 1 / 3
const healthLevels: readonly HolderHealth[] = ['hangs', 'unknown', 'slow', 'answers']
/** Maximum number of holders whose health is remembered. The one with the oldest result is dropped first. */
const maxKnown = 10_000

interface Holder {
  name: string
  health: HolderHealth
  held: number
  /** Waiters for a permit, with their arrival number. */
  waiters: { since: number; start: () => void }[]
}

/**
 * Keyed semaphore. A free permit goes to the holder with the fewest permits, and among those to the longest waiting.
 *
 * After its first permit, a holder may take at most half as many as are free. Several holders whose work does not end
 * then leave permits for others. A holder that answers (slowly or not) may take more while half of all permits are
 * free. It gets a returned permit back only if that still holds, so it shrinks when other holders arrive.
 *
 * Hanging holders have at most half of all permits; together with unknown and slow ones, at most three quarters. Each
 * share is reduced by what a single holder has above a third. One quarter therefore stays for holders that answer in
 * time.
 *
 * Hanging or unknown holders get no second permit while they have a quarter of all. After a start, when nothing is
 * known, holders that answer quickly still find a first permit.
 *
 * `KeyedLimiter` cannot replace this class. Its maximum per key does not depend on free permits or on health. It also
 * searches all keys for the next call, and thousands of holders can wait here.
 */
export class Permits {
  readonly #max: number
  /** Holders that have a permit or wait for one. */
  readonly #holders = new Map<string, Holder>()
  readonly #waiting: Record<HolderHealth, Set<Holder>> = {
    answers: new Set(),
    slow: new Set(),
    unknown: new Set(),
    hangs: new Set(),
  }
  readonly #held: Record<HolderHealth, number> = { answers: 0, slow: 0, unknown: 0, hangs: 0 }
  readonly #health = new LRUCache<string, HolderHealth>({ max: maxKnown })
  /** Sum of the permits that holders have above `maxHolderShare`. */
  #excess = 0
  #arrivals = 0

  constructor(max: number) {
    this.#max = max
  }

  /** Runs `work` when its holder gets a permit. The result of `classify` becomes the new health of the holder. */
  async run<T>(
    name: string,
    work: () => Promise<T>,
    classify: (result: T, heldMs: number) => HolderHealth,
  ): Promise<T> {
    const holder = this.#getHolder(name)
    if (holder.waiters.length === 0 && this.#canAcquire(holder)) this.#grant(holder)
    else await this.#enqueue(holder)
    const startedAt = performance.now()
    try {
      const result = await work()
      this.#updateHealth(holder, classify(result, performance.now() - startedAt))
      return result
    } finally {
      this.#release(holder)
    }
  }

  /** Returns whether a health was recorded for the holder, by this process or another, including `unknown`. */
  hasHealth(name: string): boolean {
    return this.#health.has(name)
  }

  /** Sets the health found by another process. Has no effect if this process has recorded one. */
  setInitialHealth(name: string, health: HolderHealth): void {
    if (!this.hasHealth(name)) this.#health.set(name, health)
  }

  #getHolder(name: string): Holder {
    const known = this.#holders.get(name)
    if (known) return known
    const holder: Holder = { name, health: this.#health.get(name) ?? 'unknown', held: 0, waiters: [] }
    this.#holders.set(name, holder)
    return holder
  }

  #canAcquire({ health, held }: Holder): boolean {
    const free = this.#max - this.#heldUpTo('answers')
    if (free === 0 || !this.#hasCapacity(health)) return false
    if (held === 0) return true
    if (health === 'answers' || health === 'slow') return held < free / 2 || free > this.#max * freeShare
    return held < free / 2 && this.#heldUpTo('unknown') < this.#max * secondPermitShare
  }

  #hasCapacity(health: HolderHealth): boolean {
    return healthLevels
      .slice(healthLevels.indexOf(health))
      .every(above => this.#heldUpTo(above) < this.#capacityFor(above))
  }

  /** Maximum number of permits for holders of this health and of a worse one. */
  #capacityFor(health: HolderHealth): number {
    if (health === 'answers') return this.#max
    return Math.max(1, Math.floor(this.#max * shares[health]) - this.#excess)
  }

  /** Permits held by holders of this health and of a worse one. */
  #heldUpTo(health: HolderHealth): number {
    return healthLevels.slice(0, healthLevels.indexOf(health) + 1).reduce((sum, below) => sum + this.#held[below], 0)
  }

  #grant(holder: Holder): void {
    holder.held++
    this.#held[holder.health]++
    if (holder.held > this.#max * maxHolderShare) this.#excess++
  }

  #enqueue(holder: Holder): Promise<void> {
    return new Promise(start => {
      holder.waiters.push({ since: this.#arrivals++, start })
      this.#waiting[holder.health].add(holder)
    })
  }

  #updateHealth(holder: Holder, health: HolderHealth): void {
    this.#health.set(holder.name, health)
    if (health === holder.health) return
    this.#held[holder.health] -= holder.held
    this.#held[health] += holder.held
    if (this.#waiting[holder.health].delete(holder)) this.#waiting[health].add(holder)
    holder.health = health
  }

  #release(holder: Holder): void {
    if (holder.held > this.#max * maxHolderShare) this.#excess--
    holder.held--
    this.#held[holder.health]--
    for (let next = this.#next(); next; next = this.#next()) {
      this.#grant(next)
      const { start } = next.waiters.shift()!
      this.#waiting[next.health].delete(next)
      if (next.waiters.length > 0) this.#waiting[next.health].add(next)
      start()
    }
    if (holder.held === 0 && holder.waiters.length === 0) this.#holders.delete(holder.name)
  }

  #next(): Holder | undefined {
    let best: Holder | undefined
    for (const health of healthLevels) {
      if (this.#waiting[health].size === 0 || !this.#hasCapacity(health)) continue
      const first = this.#firstOf(this.#waiting[health])
      if (first && (!best || comesBefore(first, best))) best = first
    }
    return best
  }

  /**
   * Returns the next holder to serve. A holder without permits that has waited longest comes first. Thousands can wait,
   * so the scan stops there.
   */
  #firstOf(waiting: Set<Holder>): Holder | undefined {
    let best: Holder | undefined
    for (const holder of waiting) {
      if (!this.#canAcquire(holder)) continue
      if (holder.held === 0) return holder
      if (!best || comesBefore(holder, best)) best = holder
    }
    return best
  }
}

const comesBefore = (one: Holder, other: Holder): boolean =>
  one.held < other.held || (one.held === other.held && one.waiters[0]!.since < other.waiters[0]!.since)
