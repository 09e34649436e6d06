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
}

const defaultPatienceMs = 10_000
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
    const entry = { promise, resolve, reject, item, line, addedAt, timesPutOff: 0, settled: false }
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
    let turns = [...this.#shares]
    while (turns.length > 0 && batch.length < this.#options.maxSize) {
      const part = Math.max(1, Math.floor((this.#options.maxSize - batch.length) / turns.length))
      turns = turns.filter(([name, share]) => {
        const room = Math.min(part, this.#options.maxSize - batch.length)
        if (room === 0) return false
        const taken = share.take(room, batch)
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
    if (output instanceof Failed) entry.reject(output.error)
    else entry.resolve(output)
  }

  #goRound(entry: Entry<In, Out>, { because }: Again): void {
    const { line } = entry
    const { patienceMs = defaultPatienceMs } = this.#options
    if (because !== null && performance.now() - entry.addedAt >= patienceMs) {
      this.#settle(entry, new Failed(because))
      return
    }
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

class Share<In, Out> {
  readonly lines: Line<In, Out>[] = []

  /** Moves up to so many entries that may start into the batch, and answers how many. */
  take(most: number, batch: Entry<In, Out>[]): number {
    const { lines } = this
    const left: Line<In, Out>[] = []
    let taken = 0
    let place = 0
    for (; place < lines.length && taken < most; place++) {
      const line = lines[place]!
      if (line.putOff || (line.batch !== null && line.batch !== batch)) {
        left.push(line)
        continue
      }
      line.batch = batch
      const part = line.entries.splice(0, most - taken)
      batch.push(...part)
      taken += part.length
      if (line.entries.length > 0) left.push(line)
    }
    lines.splice(0, place, ...left)
    return taken
  }
}
