/** Micro-batching: combines concurrent calls into one call of `work` and returns each caller its own result. */

/** Output that rejects one item. The other items of the batch keep their outputs. */
export class Failed {
  constructor(readonly error: unknown) {}
}

/**
 * Output that retries an item, ahead of later items. With an error, the item first waits, longer each time. It is
 * rejected with that error after `patienceMs`.
 */
export class Again {
  constructor(readonly because: Error | null = null) {}
}

/** Settles one item, by its position, before the rest of its batch. */
export type Answer<Out> = (position: number, output: Out | Failed) => void

/** Options of a `Batcher`. */
export interface BatcherOptions<In, Out> {
  /** Maximum number of items in one call of `work`. */
  maxSize: number
  /** Maximum number of concurrent calls of `work`. */
  lanes: number
  /** Maximum size of a batch, summed over its items. The item that reaches it is the last. Unlimited by default. */
  bytes?: { max: number; sizeOf: (item: In) => number }
  /**
   * Processes a batch and returns one output, `Failed` or `Again` per item, by position. Items already settled through
   * `answer` keep that result. A rejection rejects every item of the batch that is not settled.
   */
  work: (items: In[], answer: Answer<Out>) => Promise<readonly (Out | Failed | Again | undefined)[]>
  /** Called with the size of each batch when it starts. */
  onBatch?: (size: number) => void
  /** Returns the tenant of an item. A full batch takes an equal share from every tenant. */
  shareOf?: (item: In) => string
  /** Time in milliseconds after which an item that is still retried is rejected. Defaults to 10 s. */
  patienceMs?: number
  /** Limits the number of items that wait because of a conflict, so that they do not use the capacity of others. */
  heldUp?: HeldUpBounds<In>
}

/**
 * Limits for items that are retried with an error. An item that is retried for longer than `momentMs` counts as
 * blocked.
 *
 * At most 8 blocked items may want the same thing; further ones are rejected when they would be retried the first time.
 * `groupOf` adds a limit of 24 per group, or no limit for null.
 */
export interface HeldUpBounds<In> {
  thingOf: (item: In) => string
  groupOf: (item: In) => string | null
}

const defaultPatienceMs = 10_000
/**
 * Milliseconds of retries after which an item counts as blocked. A conflict of two writers is normally resolved by
 * then.
 */
const momentMs = 500
const mostHeldUp = { ofThing: 8, ofGroup: 24 }
const nowhere: readonly string[] = []
/** Milliseconds before the second retry, doubled for each later one up to `most`. The first retry does not wait. */
const againMs = { first: 5, most: 250 }

/**
 * Adaptive batching: runs `work` with all waiting items, at most `maxSize` items per call and at most `lanes` calls in
 * flight.
 *
 * Items that arrive while all calls are in use form the next batch. An idle service adds no delay. Items of one tenant
 * start in the order in which they were added. An item that is retried does not occupy a call.
 */
export class Batcher<In, Out> {
  readonly #options: BatcherOptions<In, Out>
  /** Tenants with waiting items. The first one is served next. */
  readonly #shares = new Map<string, Share<In, Out>>()
  readonly #unsettled = new Set<Entry<In, Out>>()
  /** Number of blocked items by the name of the thing and of the group. */
  readonly #heldUp = new Map<string, number>()
  #lanesInUse = 0
  #scheduled = false

  constructor(options: BatcherOptions<In, Out>) {
    this.#options = options
  }

  /** Adds an item. Resolves with its output; rejects if the item or its whole batch failed. */
  add(item: In): Promise<Out> {
    const line = new Line<In, Out>(this.#options.shareOf?.(item) ?? '')
    const entry = this.#entryOf(item, line)
    this.#wait(line)
    return entry.promise
  }

  /**
   * Adds items of one tenant that keep their order. An item starts only when the earlier ones are in the same batch,
   * settled, or queued for a retry. Resolves with the result of each item and never rejects.
   */
  async addInOrder(items: In[]): Promise<(Out | Failed)[]> {
    if (items.length === 0) return []
    const line = new Line<In, Out>(this.#options.shareOf?.(items[0]!) ?? '')
    const entries = items.map(item => this.#entryOf(item, line))
    this.#wait(line)
    const settled = await Promise.allSettled(entries.map(({ promise }) => promise))
    return settled.map(one => (one.status === 'fulfilled' ? one.value : new Failed(one.reason)))
  }

  /** Resolves when everything added so far is settled. Never rejects. */
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
   * Schedules a batch after the ready sockets have been read. Microtasks run between two requests, so a batch started
   * from one would contain only one of the requests that arrived together.
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

  /** Takes an equal share from each tenant, until the batch is full or no more items may start. */
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
        // A tenant that was served comes last in the next batch.
        if (share.lines.length > 0) this.#shares.set(name, share)
        return taken === room
      })
    }
    return batch
  }

  /** Runs a batch and settles or retries each entry. Never rejects. */
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
      // Reverse order, because each entry is put in front of those that follow it.
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

  /** Rejects an entry that may not be retried any more. */
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

  /** Delays the sequence of an entry that is retried. No later entry of the sequence may overtake it. */
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
  /** Time by `performance.now()`. */
  addedAt: number
  timesPutOff: number
  /** Time of the first retry with an error, by `performance.now()`. */
  barredSince: number | null
  /** Names under which the entry is counted as blocked. */
  heldUpIn: readonly string[]
  settled: boolean
}

/** Entries that keep their order: those added together, or a single one. */
class Line<In, Out> {
  readonly entries: Entry<In, Out>[] = []
  /** Batch that contains the in-flight entries of this sequence. */
  batch: Entry<In, Out>[] | null = null
  putOff = false

  constructor(readonly share: string) {}
}

/** Remaining bytes of a batch. */
interface Budget<In> {
  left: number
  sizeOf: (item: In) => number
}

const isSpent = (budget: Budget<never> | null): boolean => budget !== null && budget.left <= 0

/** Returns how many of the first entries fit the budget, and subtracts their size from it. */
const affordable = <In>(entries: readonly { item: In }[], most: number, budget: Budget<In>): number => {
  let count = 0
  while (count < entries.length && count < most && budget.left > 0) budget.left -= budget.sizeOf(entries[count++]!.item)
  return count
}

class Share<In, Out> {
  readonly lines: Line<In, Out>[] = []

  /** Moves up to `most` entries that may start into the batch. Returns how many were moved. */
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
