/** How many attempts the process makes at once, and whose turn is next: nobody who hangs takes the place of who answers. */

/** What is known of a holder by the last work of its that ended. */
export type Standing =
  /** Answered in good time. */
  | 'answers'
  /** Answered, and held its slot for long. */
  | 'slow'
  /** Nothing is known, or it is neither the one nor the other. */
  | 'unknown'
  /** Kept its slot until its time was over. */
  | 'hangs'

/** Of all slots, how many those of a standing may hold together with those below it; those that answer, all. */
const shares = { slow: 3 / 4, unknown: 3 / 4, hangs: 1 / 2 }
/** Who has not answered yet takes no second slot while those like it hold this share: so many find a first one. */
const shareForSeconds = 1 / 4
/** As long as so many are free, whoever answers, slowly or not, may have one more, however many it has. */
const plenty = 1 / 2
/** What one holder has beyond this share is at the cost of those that hang, are unknown or slow, not of those that answer. */
const shareOfOne = 1 / 3
const standings: readonly Standing[] = ['hangs', 'unknown', 'slow', 'answers']
/** Holders whose standing is kept in mind; beyond them the one that was heard of longest ago is forgotten. */
const maxKnown = 10_000

interface Holder {
  name: string
  standing: Standing
  held: number
  /** Those who wait for a slot, and when each came, by a count. */
  line: { since: number; start: () => void }[]
}

/**
 * So many at once and no more. A free slot goes to whoever holds fewest and, among those, waits longest. Beyond its first
 * a holder takes no more than half as many as are free: several whose work does not end, each as wide open as may be,
 * leave room for the others. One that answers, slowly or not, takes more while half of all slots are free, and what it gives back it has
 * again only if they still are: others that come have theirs at once, and it shrinks to what is left to it.
 *
 * Holders that hang have at most half of all slots; together with the unknown and the slow ones, three quarters. Each share
 * is smaller by what a single holder has beyond a third, so that a quarter stays for those that answer in good time.
 * Holders that hang or are unknown get no second slot while they have a quarter of all: after a start, when nothing is
 * known, those that answer soon find a first one beside all that hang.
 */
export class Slots {
  readonly #max: number
  /** Those that hold a slot or wait for one. */
  readonly #holders = new Map<string, Holder>()
  readonly #waiting: Record<Standing, Set<Holder>> = {
    answers: new Set(),
    slow: new Set(),
    unknown: new Set(),
    hangs: new Set(),
  }
  readonly #held: Record<Standing, number> = { answers: 0, slow: 0, unknown: 0, hangs: 0 }
  readonly #known = new Map<string, Standing>()
  /** Slots of whoever has more than `shareOfOne`, beyond that. */
  #lent = 0
  #count = 0

  constructor(max: number) {
    this.#max = max
  }

  /** Runs `work` as soon as its holder may have a slot. What it answers tells how the holder stands from then on. */
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

  /** Whether anything was found out of a holder, here or by others, and be it that it is neither the one nor the other. */
  knows(name: string): boolean {
    return this.#known.has(name)
  }

  /** What others found out of a holder. It counts as long as nothing is known here. */
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

  /** How many those of this standing and those below it may hold together. */
  #roomOf(standing: Standing): number {
    if (standing === 'answers') return this.#max
    return Math.max(1, Math.floor(this.#max * shares[standing]) - this.#lent)
  }

  /** Slots that those of this standing hold, together with those below it. */
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

  /** Of those that hold nothing whoever waits longest is in front; thousands may wait, and they need not be looked at. */
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
