/** Micro-batching: combines concurrent calls into one call of `work` and returns each caller its own result. */

/** Output that rejects one item. The other items of the batch keep their outputs. */
export class Failed {
  constructor(readonly error: unknown) {}
}

/**
 * Output that retries an item, ahead of later items. With an error, the item first waits, longer each time. It is
 * rejected with that error after `retryTimeoutMs`.
 */
export class Retry {
  constructor(readonly cause: Error | null = null) {}
}

/** Settles one item, by its position, before the rest of its batch. */
export type SettleItem<Out> = (position: number, output: Out | Failed) => void

/** Options of a `Batcher`. */
export interface BatcherOptions<In, Out> {
  /** Maximum number of items in one call of `work`. */
  maxSize: number
  /** Maximum number of concurrent calls of `work`. */
  concurrency: number
  /** Maximum size of a batch, summed over its items. The item that reaches it is the last. Unlimited by default. */
  bytes?: { max: number; sizeOf: (item: In) => number }
  /**
   * Processes a batch and returns one output, `Failed` or `Retry` per item, by position. Items already settled through
   * `settleItem` keep that result. A rejection rejects every item of the batch that is not settled.
   */
  work: (items: In[], settleItem: SettleItem<Out>) => Promise<readonly (Out | Failed | Retry | undefined)[]>
  /** Called with the size of each batch when it starts. */
  onBatch?: (size: number) => void
  /** Returns the tenant of an item. A full batch takes an equal share from every tenant. */
  tenantOf?: (item: In) => string
  /** Time in milliseconds after which an item that is still retried is rejected. Defaults to 10 s. */
  retryTimeoutMs?: number
  /** Limits the number of items that wait because of a conflict, so that they do not use the capacity of others. */
  conflicts?: ConflictLimits<In>
}

/**
 * Limits for items that are retried with an error. An item that is retried for longer than `blockedAfterMs` counts as
 * blocked.
 *
 * At most 8 blocked items may want the same thing; further ones are rejected when they would be retried the first time.
 * `groupOf` adds a limit of 24 per group, or no limit for null.
 */
export interface ConflictLimits<In> {
  resourceOf: (item: In) => string
  groupOf: (item: In) => string | null
}

const defaultRetryTimeoutMs = 10_000
/**
 * Milliseconds of retries after which an item counts as blocked. A conflict of two writers is normally resolved by
 * then.
 */
const blockedAfterMs = 500
const maxConflicts = { perResource: 8, perGroup: 24 }
const noKeys: readonly string[] = []
/** Milliseconds before the second retry, doubled for each later one up to `max`. The first retry does not wait. */
const retryDelayMs = { first: 5, max: 250 }

/**
 * Adaptive batching: runs `work` with all waiting items, at most `maxSize` items per call and at most `concurrency` calls in
 * flight.
 *
 * Items that arrive while all calls are in use form the next batch. An idle service adds no delay. Items of one tenant
 * start in the order in which they were added. An item that is retried does not occupy a call.
 */
export class Batcher<In, Out> {
  readonly #options: BatcherOptions<In, Out>
  /** Tenants with waiting items. The first one is served next. */
  readonly #shares = new Map<string, TenantShare<In, Out>>()
  readonly #unsettled = new Set<Entry<In, Out>>()
  /** Number of blocked items by the name of the thing and of the group. */
  readonly #conflicts = new Map<string, number>()
  #inFlight = 0
  #scheduled = false

  constructor(options: BatcherOptions<In, Out>) {
    this.#options = options
  }

  /** Adds an item. Resolves with its output; rejects if the item or its whole batch failed. */
  add(item: In): Promise<Out> {
    const sequence = new Sequence<In, Out>(this.#options.tenantOf?.(item) ?? '')
    const entry = this.#createEntry(item, sequence)
    this.#enqueue(sequence)
    return entry.promise
  }

  /**
   * Adds items of one tenant that keep their order. An item starts only when the earlier ones are in the same batch,
   * settled, or queued for a retry. Resolves with the result of each item and never rejects.
   */
  async addInOrder(items: In[]): Promise<(Out | Failed)[]> {
    if (items.length === 0) return []
    const sequence = new Sequence<In, Out>(this.#options.tenantOf?.(items[0]!) ?? '')
    const entries = items.map(item => this.#createEntry(item, sequence))
    this.#enqueue(sequence)
    const settled = await Promise.allSettled(entries.map(({ promise }) => promise))
    return settled.map(one => (one.status === 'fulfilled' ? one.value : new Failed(one.reason)))
  }

  /** Resolves when everything added so far is settled. Never rejects. */
  async idle(): Promise<void> {
    await Promise.allSettled([...this.#unsettled].map(({ promise }) => promise))
  }

  #createEntry(item: In, sequence: Sequence<In, Out>): Entry<In, Out> {
    const { promise, resolve, reject } = Promise.withResolvers<Out>()
    const addedAt = performance.now()
    const entry: Entry<In, Out> = {
      promise,
      resolve,
      reject,
      item,
      sequence,
      addedAt,
      retries: 0,
      blockedSince: null,
      conflictKeys: noKeys,
      settled: false,
    }
    sequence.entries.push(entry)
    this.#unsettled.add(entry)
    return entry
  }

  #enqueue(sequence: Sequence<In, Out>): void {
    this.#tenantShare(sequence).sequences.push(sequence)
    this.#schedule()
  }

  #tenantShare({ share: name }: Sequence<In, Out>): TenantShare<In, Out> {
    const existing = this.#shares.get(name)
    if (existing) return existing
    const share = new TenantShare<In, Out>()
    this.#shares.set(name, share)
    return share
  }

  /**
   * Schedules a batch after the ready sockets have been read. Microtasks run between two requests, so a batch started
   * from one would contain only one of the requests that arrived together.
   */
  #schedule(): void {
    if (this.#scheduled || this.#inFlight === this.#options.concurrency) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      this.#startBatches()
    })
  }

  #startBatches(): void {
    while (this.#shares.size > 0 && this.#inFlight < this.#options.concurrency) {
      const batch = this.#take()
      if (batch.length === 0) return
      this.#inFlight++
      void this.#run(batch).then(() => {
        this.#inFlight--
        this.#startBatches()
      })
    }
  }

  /** Takes an equal share from each tenant, until the batch is full or no more items may start. */
  #take(): Entry<In, Out>[] {
    const batch: Entry<In, Out>[] = []
    const { bytes } = this.#options
    const budget: Budget<In> | null = bytes ? { left: bytes.max, sizeOf: bytes.sizeOf } : null
    let waiting = [...this.#shares]
    while (waiting.length > 0 && batch.length < this.#options.maxSize && !isSpent(budget)) {
      const portion = Math.max(1, Math.floor((this.#options.maxSize - batch.length) / waiting.length))
      waiting = waiting.filter(([name, share]) => {
        const limit = Math.min(portion, this.#options.maxSize - batch.length)
        if (limit === 0 || isSpent(budget)) return false
        const taken = share.take(limit, batch, budget)
        this.#shares.delete(name)
        // A tenant that was served comes last in the next batch.
        if (share.sequences.length > 0) this.#shares.set(name, share)
        return taken === limit
      })
    }
    return batch
  }

  /** Runs a batch and settles or retries each entry. Never rejects. */
  async #run(batch: Entry<In, Out>[]): Promise<void> {
    const settleItem: SettleItem<Out> = (position, output) => this.#settle(batch[position]!, output)
    try {
      this.#options.onBatch?.(batch.length)
      const outputs = await this.#options.work(
        batch.map(({ item }) => item),
        settleItem,
      )
      if (outputs.length !== batch.length) throw new Error(`${outputs.length} outputs for ${batch.length} items`)
      for (const [position, output] of outputs.entries())
        if (!(output instanceof Retry)) this.#settle(batch[position]!, output as Out | Failed)
      for (const [position, output] of outputs.entries())
        if (output instanceof Retry) this.#rejectIfExpired(batch[position]!, output)
      for (const { sequence } of batch) sequence.batch = null
      // Reverse order, because each entry is put in front of those that follow it.
      for (let position = batch.length - 1; position >= 0; position--) {
        const output = outputs[position]
        if (output instanceof Retry && !batch[position]!.settled) this.#retry(batch[position]!, output)
      }
    } catch (error) {
      for (const entry of batch) {
        entry.sequence.batch = null
        this.#settle(entry, new Failed(error))
      }
    }
  }

  #settle(entry: Entry<In, Out>, output: Out | Failed): void {
    if (entry.settled) return
    entry.settled = true
    this.#unsettled.delete(entry)
    for (const name of entry.conflictKeys) this.#countConflict(name, -1)
    if (output instanceof Failed) entry.reject(output.error)
    else entry.resolve(output)
  }

  /** Rejects an entry that may not be retried any more. */
  #rejectIfExpired(entry: Entry<In, Out>, { cause }: Retry): void {
    if (cause === null || entry.settled) return
    const { retryTimeoutMs = defaultRetryTimeoutMs } = this.#options
    const now = performance.now()
    entry.blockedSince ??= now
    if (now - entry.addedAt >= retryTimeoutMs || !this.#canRetry(entry, now - entry.blockedSince))
      this.#settle(entry, new Failed(cause))
  }

  #canRetry(entry: Entry<In, Out>, blockedMs: number): boolean {
    const { conflicts } = this.#options
    if (!conflicts || entry.conflictKeys.length > 0) return true
    const [resource, group] = [`thing ${conflicts.resourceOf(entry.item)}`, conflicts.groupOf(entry.item)]
    if (this.#isFull(resource, maxConflicts.perResource)) return false
    if (blockedMs < blockedAfterMs) return true
    if (group !== null && this.#isFull(`group ${group}`, maxConflicts.perGroup)) return false
    entry.conflictKeys = group === null ? [resource] : [resource, `group ${group}`]
    for (const name of entry.conflictKeys) this.#countConflict(name, 1)
    return true
  }

  #isFull(name: string, max: number): boolean {
    return (this.#conflicts.get(name) ?? 0) >= max
  }

  #countConflict(name: string, change: 1 | -1): void {
    const count = (this.#conflicts.get(name) ?? 0) + change
    if (count > 0) this.#conflicts.set(name, count)
    else this.#conflicts.delete(name)
  }

  #retry(entry: Entry<In, Out>, { cause }: Retry): void {
    const { sequence } = entry
    if (cause !== null) this.#delay(sequence, entry.retries++)
    sequence.entries.unshift(entry)
    const { sequences } = this.#tenantShare(sequence)
    if (sequence.entries.length === 1 || !sequences.includes(sequence)) sequences.unshift(sequence)
    this.#schedule()
  }

  /** Delays the sequence of an entry that is retried. No later entry of the sequence may overtake it. */
  #delay(sequence: Sequence<In, Out>, retries: number): void {
    if (retries === 0 || sequence.isDelayed) return
    sequence.isDelayed = true
    const wait = Math.min(retryDelayMs.first * 2 ** (retries - 1), retryDelayMs.max) * (0.5 + Math.random() / 2)
    setTimeout(() => {
      sequence.isDelayed = false
      this.#schedule()
    }, wait)
  }
}

interface Entry<In, Out> extends PromiseWithResolvers<Out> {
  item: In
  sequence: Sequence<In, Out>
  /** Time by `performance.now()`. */
  addedAt: number
  retries: number
  /** Time of the first retry with an error, by `performance.now()`. */
  blockedSince: number | null
  /** Names under which the entry is counted as blocked. */
  conflictKeys: readonly string[]
  settled: boolean
}

/** Entries that keep their order: those added together, or a single one. */
class Sequence<In, Out> {
  readonly entries: Entry<In, Out>[] = []
  /** Batch that contains the in-flight entries of this sequence. */
  batch: Entry<In, Out>[] | null = null
  isDelayed = false

  constructor(readonly share: string) {}
}

/** Remaining bytes of a batch. */
interface Budget<In> {
  left: number
  sizeOf: (item: In) => number
}

const isSpent = (budget: Budget<never> | null): boolean => budget !== null && budget.left <= 0

/** Returns how many of the first entries fit the budget, and subtracts their size from it. */
const countFitting = <In>(entries: readonly { item: In }[], max: number, budget: Budget<In>): number => {
  let count = 0
  while (count < entries.length && count < max && budget.left > 0) budget.left -= budget.sizeOf(entries[count++]!.item)
  return count
}

class TenantShare<In, Out> {
  readonly sequences: Sequence<In, Out>[] = []

  /** Moves up to `max` entries that may start into the batch. Returns how many were moved. */
  take(max: number, batch: Entry<In, Out>[], budget: Budget<In> | null): number {
    const { sequences } = this
    const left: Sequence<In, Out>[] = []
    let taken = 0
    let index = 0
    for (; index < sequences.length && taken < max && !isSpent(budget); index++) {
      const sequence = sequences[index]!
      if (sequence.isDelayed || (sequence.batch !== null && sequence.batch !== batch)) {
        left.push(sequence)
        continue
      }
      sequence.batch = batch
      const portion = sequence.entries.splice(
        0,
        budget ? countFitting(sequence.entries, max - taken, budget) : max - taken,
      )
      batch.push(...portion)
      taken += portion.length
      if (sequence.entries.length > 0) left.push(sequence)
    }
    sequences.splice(0, index, ...left)
    return taken
  }
}
