/** Gathering: what many callers want at the same moment is done for all of them at once, and each hears its own answer. */

/** Stands in the place of an output to reject that one item; the others of the batch keep theirs. */
export class Failed {
  constructor(readonly error: unknown) {}
}

/**
 * Stands in the place of an output: the item goes round again, in front of what came after it. With an error it waits a
 * little first, longer each time, and is rejected with that once it has lost patience.
 */
export class Again {
  constructor(readonly because: Error | null = null) {}
}

/** Settles one item, by its position, before the others of its batch are. */
export type Answer<Out> = (position: number, output: Out | Failed) => void

/** How a Batcher gathers. */
export interface BatcherOptions<In, Out> {
  /** Most items in one call of `work`. */
  maxSize: number
  /** Most calls of `work` at the same time. */
  lanes: number
  /** Maximum size of a batch, summed over its items; the item that reaches it is the last. Unlimited by default. */
  bytes?: { max: number; sizeOf: (item: In) => number }
  /**
   * Answers by position, one output, Failed or Again for each item; what was answered before by `answer` stays as it is.
   * A rejection rejects every item of the batch that was not answered.
   */
  work: (items: In[], answer: Answer<Out>) => Promise<readonly (Out | Failed | Again | undefined)[]>
  /** Told the size of each batch as it starts. */
  onBatch?: (size: number) => void
  /** Whose the item is. Where more is waiting than fits, a batch takes as much of each. */
  shareOf?: (item: In) => string
  /** An item that still goes round so long after it was added is rejected; 10 s by default. */
  patienceMs?: number
  /** Keeps those whose way somebody bars from filling the places that others need. */
  heldUp?: HeldUpBounds<In>
}

/**
 * What an item waits for when it goes round with an error, and who waits with it. An item that goes round for longer than
 * a moment is held up. Of those that want the same `thing` no more than a few are, and whoever comes after them is
 * rejected the first time it is to go round; of those of one `group` there is a bound besides. Null: in none.
 */
export interface HeldUpBounds<In> {
  thingOf: (item: In) => string
  groupOf: (item: In) => string | null
}

const defaultPatienceMs = 10_000
/** After so long of going round an item is held up: two writers that meet are through by then. */
const momentMs = 500
const mostHeldUp = { ofThing: 8, ofGroup: 24 }
const nowhere: readonly string[] = []
/** Before an item goes round for the second time and each time after; for the first it does not wait. */
const againMs = { first: 5, most: 250 }

/**
 * Adaptive batching: runs `work` with everything that is waiting, at most `maxSize` items, at most `lanes` calls in
 * flight. What arrives while all lanes are busy travels together as soon as one is free; an idle service pays no delay.
 * Items of one share start in the order in which they were added. What goes round again holds no lane meanwhile.
 */
export class Batcher<In, Out> {
  readonly #options: BatcherOptions<In, Out>
  /** Those with something waiting; who is in front has the next turn. */
  readonly #shares = new Map<string, Share<In, Out>>()
  readonly #unsettled = new Set<Entry<In, Out>>()
  /** How many are held up, by the names of what they wait for and of their groups. */
  readonly #heldUp = new Map<string, number>()
  #lanesInUse = 0
  #scheduled = false

  constructor(options: BatcherOptions<In, Out>) {
    this.#options = options
  }

  /** Resolves with the item's output; rejects when the item or its whole batch failed. */
  add(item: In): Promise<Out> {
    const line = new Line<In, Out>(this.#options.shareOf?.(item) ?? '')
    const entry = this.#entryOf(item, line)
    this.#wait(line)
    return entry.promise
  }

  /**
   * Adds items of one share that keep their order: none starts before those in front of it, in another batch, have been
   * settled or told to go round again. Resolves with what became of each, and never rejects.
   */
  async addInOrder(items: In[]): Promise<(Out | Failed)[]> {
    if (items.length === 0) return []
    const line = new Line<In, Out>(this.#options.shareOf?.(items[0]!) ?? '')
    const entries = items.map(item => this.#entryOf(item, line))
    this.#wait(line)
    const settled = await Promise.allSettled(entries.map(({ promise }) => promise))
    return settled.map(one => (one.status === 'fulfilled' ? one.value : new Failed(one.reason)))
  }

  /** Resolves, never rejects, once everything added so far is settled. */
  async idle(): Promise<void> {
    await Promise.allSettled([...this.#unsettled].map(({ promise }) => promise))
  }

  #entryOf(item: In, line: Line<In, Out>): Entry<In, Out> {
    const { promise, resolve, reject } = Promise.withResolvers<Out>()
    const addedAt = performance.now()
    const entry: Entry<In, Out> = {
      promise,
      resolve,
      reject,
      item,
      line,
      addedAt,
      timesPutOff: 0,
      barredSince: null,
      heldUpIn: nowhere,
      settled: false,
    }
    line.entries.push(entry)
    this.#unsettled.add(entry)
    return entry
  }

  #wait(line: Line<In, Out>): void {
    this.#shareOf(line).lines.push(line)
    this.#schedule()
  }

  #shareOf({ share: name }: Line<In, Out>): Share<In, Out> {
    const known = this.#shares.get(name)
    if (known) return known
    const share = new Share<In, Out>()
    this.#shares.set(name, share)
    return share
  }

  /**
   * After the sockets that are ready have been read: microtasks run between one request and the next, so a batch started
   * from there would hold a single request of those that arrived together.
   */
  #schedule(): void {
    if (this.#scheduled || this.#lanesInUse === this.#options.lanes) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      this.#fillLanes()
    })
  }

  #fillLanes(): void {
    while (this.#shares.size > 0 && this.#lanesInUse < this.#options.lanes) {
      const batch = this.#take()
      if (batch.length === 0) return
      this.#lanesInUse++
      void this.#run(batch).then(() => {
        this.#lanesInUse--
        this.#fillLanes()
      })
    }
  }

  /** As much of each share as of any other, until the batch is full or nothing is left that may start. */
  #take(): Entry<In, Out>[] {
    const batch: Entry<In, Out>[] = []
    const { bytes } = this.#options
    const budget: Budget<In> | null = bytes ? { left: bytes.max, sizeOf: bytes.sizeOf } : null
    let turns = [...this.#shares]
    while (turns.length > 0 && batch.length < this.#options.maxSize && !isSpent(budget)) {
      const part = Math.max(1, Math.floor((this.#options.maxSize - batch.length) / turns.length))
      turns = turns.filter(([name, share]) => {
        const room = Math.min(part, this.#options.maxSize - batch.length)
        if (room === 0 || isSpent(budget)) return false
        const taken = share.take(room, batch, budget)
        this.#shares.delete(name)
        // Who was served has the last turn in the next batch.
        if (share.lines.length > 0) this.#shares.set(name, share)
        return taken === room
      })
    }
    return batch
  }

  /** Settles each entry or has it wait again, and never rejects. */
  async #run(batch: Entry<In, Out>[]): Promise<void> {
    const answer: Answer<Out> = (position, output) => this.#settle(batch[position]!, output)
    try {
      this.#options.onBatch?.(batch.length)
      const outputs = await this.#options.work(
        batch.map(({ item }) => item),
        answer,
      )
      if (outputs.length !== batch.length) throw new Error(`${outputs.length} outputs for ${batch.length} items`)
      for (const [position, output] of outputs.entries())
        if (!(output instanceof Again)) this.#settle(batch[position]!, output as Out | Failed)
      for (const [position, output] of outputs.entries())
        if (output instanceof Again) this.#bear(batch[position]!, output)
      for (const { line } of batch) line.batch = null
      // The last one first: each goes in front of those that follow it.
      for (let position = batch.length - 1; position >= 0; position--) {
        const output = outputs[position]
        if (output instanceof Again && !batch[position]!.settled) this.#goRound(batch[position]!, output)
      }
    } catch (error) {
      for (const entry of batch) {
        entry.line.batch = null
        this.#settle(entry, new Failed(error))
      }
    }
  }

  #settle(entry: Entry<In, Out>, output: Out | Failed): void {
    if (entry.settled) return
    entry.settled = true
    this.#unsettled.delete(entry)
    for (const name of entry.heldUpIn) this.#countHeldUp(name, -1)
    if (output instanceof Failed) entry.reject(output.error)
    else entry.resolve(output)
  }

  /** Rejects what is to go round where it may not any more. */
  #bear(entry: Entry<In, Out>, { because }: Again): void {
    if (because === null || entry.settled) return
    const { patienceMs = defaultPatienceMs } = this.#options
    const now = performance.now()
    entry.barredSince ??= now
    if (now - entry.addedAt >= patienceMs || !this.#mayWait(entry, now - entry.barredSince))
      this.#settle(entry, new Failed(because))
  }

  #mayWait(entry: Entry<In, Out>, barredMs: number): boolean {
    const { heldUp } = this.#options
    if (!heldUp || entry.heldUpIn.length > 0) return true
    const [thing, group] = [`thing ${heldUp.thingOf(entry.item)}`, heldUp.groupOf(entry.item)]
    if (this.#isFull(thing, mostHeldUp.ofThing)) return false
    if (barredMs < momentMs) return true
    if (group !== null && this.#isFull(`group ${group}`, mostHeldUp.ofGroup)) return false
    entry.heldUpIn = group === null ? [thing] : [thing, `group ${group}`]
    for (const name of entry.heldUpIn) this.#countHeldUp(name, 1)
    return true
  }

  #isFull(name: string, most: number): boolean {
    return (this.#heldUp.get(name) ?? 0) >= most
  }

  #countHeldUp(name: string, change: 1 | -1): void {
    const count = (this.#heldUp.get(name) ?? 0) + change
    if (count > 0) this.#heldUp.set(name, count)
    else this.#heldUp.delete(name)
  }

  #goRound(entry: Entry<In, Out>, { because }: Again): void {
    const { line } = entry
    if (because !== null) this.#putOff(line, entry.timesPutOff++)
    line.entries.unshift(entry)
    const { lines } = this.#shareOf(line)
    if (line.entries.length === 1 || !lines.includes(line)) lines.unshift(line)
    this.#schedule()
  }

  /** Nothing of the line starts before: what is behind the one that waits must not overtake it. */
  #putOff(line: Line<In, Out>, times: number): void {
    if (times === 0 || line.putOff) return
    line.putOff = true
    const wait = Math.min(againMs.first * 2 ** (times - 1), againMs.most) * (0.5 + Math.random() / 2)
    setTimeout(() => {
      line.putOff = false
      this.#schedule()
    }, wait)
  }
}

interface Entry<In, Out> extends PromiseWithResolvers<Out> {
  item: In
  line: Line<In, Out>
  /** By performance.now(). */
  addedAt: number
  timesPutOff: number
  /** Since when it goes round with an error, by performance.now(). */
  barredSince: number | null
  /** Where it is counted as held up. */
  heldUpIn: readonly string[]
  settled: boolean
}

/** Entries that keep their order: those that were added together, or one that was added alone. */
class Line<In, Out> {
  readonly entries: Entry<In, Out>[] = []
  /** What of it is being worked on is in this batch. */
  batch: Entry<In, Out>[] | null = null
  putOff = false

  constructor(readonly share: string) {}
}

/** Bytes that a batch may still take. */
interface Budget<In> {
  left: number
  sizeOf: (item: In) => number
}

const isSpent = (budget: Budget<never> | null): boolean => budget !== null && budget.left <= 0

/** How many of the first entries the budget allows; their size is taken off it. */
const affordable = <In>(entries: readonly { item: In }[], most: number, budget: Budget<In>): number => {
  let count = 0
  while (count < entries.length && count < most && budget.left > 0) budget.left -= budget.sizeOf(entries[count++]!.item)
  return count
}

class Share<In, Out> {
  readonly lines: Line<In, Out>[] = []

  /** Moves up to so many entries that may start into the batch, and answers how many. */
  take(most: number, batch: Entry<In, Out>[], budget: Budget<In> | null): number {
    const { lines } = this
    const left: Line<In, Out>[] = []
    let taken = 0
    let place = 0
    for (; place < lines.length && taken < most && !isSpent(budget); place++) {
      const line = lines[place]!
      if (line.putOff || (line.batch !== null && line.batch !== batch)) {
        left.push(line)
        continue
      }
      line.batch = batch
      const part = line.entries.splice(0, budget ? affordable(line.entries, most - taken, budget) : most - taken)
      batch.push(...part)
      taken += part.length
      if (line.entries.length > 0) left.push(line)
    }
    lines.splice(0, place, ...left)
    return taken
  }
}
