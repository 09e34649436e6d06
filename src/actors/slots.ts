/**
 * Limits the concurrent attempts of a process and shares the permits fairly, so that receivers that hang do not block
 * others.
 */

/** Health of a holder, according to its last finished work. */
export type Standing =
  /** Answered in time. */
  | 'answers'
  /** Answered, but held its permit for a long time. */
  | 'slow'
  /** Unknown, or neither answered nor timed out. */
  | 'unknown'
  /** Held its permit until the timeout. */
  | 'hangs'

/**
 * Share of all permits that holders of a standing may hold together with the standings below it. Holders that answer
 * may use all.
 */
const shares = { slow: 3 / 4, unknown: 3 / 4, hangs: 1 / 2 }
/**
 * A holder that has not answered yet gets no second permit while holders like it have this share. More holders then get
 * a first permit.
 */
const shareForSeconds = 1 / 4
/**
 * While more than this share of permits is free, a holder that answers (slowly or not) may take one more, however many
 * it has.
 */
const plenty = 1 / 2
/**
 * Permits that one holder has above this share reduce the shares of hanging, unknown and slow holders. They do not
 * reduce the share of those that answer.
 */
const shareOfOne = 1 / 3
const standings: readonly Standing[] = ['hangs', 'unknown', 'slow', 'answers']
/** Maximum number of holders whose standing is remembered. The one with the oldest result is dropped first. */
const maxKnown = 10_000

interface Holder {
  name: string
  standing: Standing
  held: number
  /** Waiters for a permit, with their arrival number. */
  line: { since: number; start: () => void }[]
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
 */
export class Slots {
  readonly #max: number
  /** Holders that have a permit or wait for one. */
  readonly #holders = new Map<string, Holder>()
  readonly #waiting: Record<Standing, Set<Holder>> = {
    answers: new Set(),
    slow: new Set(),
    unknown: new Set(),
    hangs: new Set(),
  }
  readonly #held: Record<Standing, number> = { answers: 0, slow: 0, unknown: 0, hangs: 0 }
  readonly #known = new Map<string, Standing>()
  /** Sum of the permits that holders have above `shareOfOne`. */
  #lent = 0
  #count = 0

  constructor(max: number) {
    this.#max = max
  }

  /** Runs `work` when its holder gets a permit. The result of `standingBy` becomes the new standing of the holder. */
  async with<T>(name: string, work: () => Promise<T>, standingBy: (answer: T, heldMs: number) => Standing): Promise<T> {
    const holder = this.#holderOf(name)
    if (holder.line.length === 0 && this.#mayTake(holder)) this.#take(holder)
    else await this.#wait(holder)
    const begun = performance.now()
    try {
      const answer = await work()
      this.#stands(holder, standingBy(answer, performance.now() - begun))
      return answer
    } finally {
      this.#giveBack(holder)
    }
  }

  /** Returns whether a standing was recorded for the holder, by this process or another, including `unknown`. */
  knows(name: string): boolean {
    return this.#known.has(name)
  }

  /** Sets the standing found by another process. Ignored if this process knows one. */
  learn(name: string, standing: Standing): void {
    if (!this.knows(name)) this.#know(name, standing)
  }

  #holderOf(name: string): Holder {
    const known = this.#holders.get(name)
    if (known) return known
    const holder: Holder = { name, standing: this.#known.get(name) ?? 'unknown', held: 0, line: [] }
    this.#holders.set(name, holder)
    return holder
  }

  #mayTake({ standing, held }: Holder): boolean {
    const free = this.#max - this.#heldUpTo('answers')
    if (free === 0 || !this.#hasRoom(standing)) return false
    if (held === 0) return true
    if (standing === 'answers' || standing === 'slow') return held < free / 2 || free > this.#max * plenty
    return held < free / 2 && this.#heldUpTo('unknown') < this.#max * shareForSeconds
  }

  #hasRoom(standing: Standing): boolean {
    return standings.slice(standings.indexOf(standing)).every(above => this.#heldUpTo(above) < this.#roomOf(above))
  }

  /** Maximum number of permits for holders of this standing and those below it. */
  #roomOf(standing: Standing): number {
    if (standing === 'answers') return this.#max
    return Math.max(1, Math.floor(this.#max * shares[standing]) - this.#lent)
  }

  /** Permits held by holders of this standing and those below it. */
  #heldUpTo(standing: Standing): number {
    return standings.slice(0, standings.indexOf(standing) + 1).reduce((sum, below) => sum + this.#held[below], 0)
  }

  #take(holder: Holder): void {
    holder.held++
    this.#held[holder.standing]++
    if (holder.held > this.#max * shareOfOne) this.#lent++
  }

  #wait(holder: Holder): Promise<void> {
    return new Promise(start => {
      holder.line.push({ since: this.#count++, start })
      this.#waiting[holder.standing].add(holder)
    })
  }

  #stands(holder: Holder, standing: Standing): void {
    this.#know(holder.name, standing)
    if (standing === holder.standing) return
    this.#held[holder.standing] -= holder.held
    this.#held[standing] += holder.held
    if (this.#waiting[holder.standing].delete(holder)) this.#waiting[standing].add(holder)
    holder.standing = standing
  }

  #know(name: string, standing: Standing): void {
    this.#known.delete(name)
    if (this.#known.size >= maxKnown) this.#known.delete(this.#known.keys().next().value!)
    this.#known.set(name, standing)
  }

  #giveBack(holder: Holder): void {
    if (holder.held > this.#max * shareOfOne) this.#lent--
    holder.held--
    this.#held[holder.standing]--
    for (let next = this.#next(); next; next = this.#next()) {
      this.#take(next)
      const { start } = next.line.shift()!
      this.#waiting[next.standing].delete(next)
      if (next.line.length > 0) this.#waiting[next.standing].add(next)
      start()
    }
    if (holder.held === 0 && holder.line.length === 0) this.#holders.delete(holder.name)
  }

  #next(): Holder | undefined {
    let best: Holder | undefined
    for (const standing of standings) {
      if (this.#waiting[standing].size === 0 || !this.#hasRoom(standing)) continue
      const first = this.#firstOf(this.#waiting[standing])
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
      if (!this.#mayTake(holder)) continue
      if (holder.held === 0) return holder
      if (!best || comesBefore(holder, best)) best = holder
    }
    return best
  }
}

const comesBefore = (one: Holder, other: Holder): boolean =>
  one.held < other.held || (one.held === other.held && one.line[0]!.since < other.line[0]!.since)
