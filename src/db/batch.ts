/** Stands in the place of an output to reject that one item; the others of the batch keep theirs. */
export class Failed {
  constructor(readonly error: unknown) {}
}

/** How a Batcher gathers. */
export interface BatcherOptions<In, Out> {
  /** Most items in one call of `work`. */
  maxSize: number
  /** Most calls of `work` at the same time. */
  lanes: number
  /** Answers by position, one output or Failed for each item. A rejection rejects every item of the batch. */
  work: (items: In[]) => Promise<readonly (Out | Failed)[]>
  /** Told the size of each batch as it starts. */
  onBatch?: (size: number) => void
}

/**
 * Adaptive batching: runs `work` with everything that is waiting, at most `maxSize` items, at most `lanes` calls in
 * flight. What arrives while all lanes are busy travels together as soon as one is free; an idle service pays no delay.
 * Items start in the order in which they were added.
 */
export class Batcher<In, Out> {
  readonly #options: BatcherOptions<In, Out>
  readonly #inFlight = new Set<Promise<void>>()
  #waiting: Entry<In, Out>[] = []
  #scheduled = false

  constructor(options: BatcherOptions<In, Out>) {
    this.#options = options
  }

  /** Resolves with the item's output; rejects when the item or its whole batch failed. */
  add(item: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject })
      if (!this.#scheduled && this.#inFlight.size < this.#options.lanes) this.#schedule()
    })
  }

  /** Resolves, never rejects, once everything added so far is settled. */
  async idle(): Promise<void> {
    const last = this.#waiting.at(-1)
    while (last && this.#waiting.includes(last)) {
      this.#fillLanes()
      await Promise.race(this.#inFlight)
    }
    await Promise.all(this.#inFlight)
  }

  /**
   * After the sockets that are ready have been read: microtasks run between one request and the next, so a batch started
   * from there would hold a single request of those that arrived together.
   */
  #schedule(): void {
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      this.#fillLanes()
    })
  }

  #fillLanes(): void {
    while (this.#waiting.length > 0 && this.#inFlight.size < this.#options.lanes) {
      const flight = this.#run(this.#take()).then(() => {
        this.#inFlight.delete(flight)
        this.#fillLanes()
      })
      this.#inFlight.add(flight)
    }
  }

  #take(): Entry<In, Out>[] {
    if (this.#waiting.length > this.#options.maxSize) return this.#waiting.splice(0, this.#options.maxSize)
    const all = this.#waiting
    this.#waiting = []
    return all
  }

  /** Settles every entry, and never rejects. */
  async #run(batch: Entry<In, Out>[]): Promise<void> {
    try {
      this.#options.onBatch?.(batch.length)
      const outputs = await this.#options.work(batch.map(entry => entry.item))
      if (outputs.length !== batch.length) throw new Error(`${outputs.length} outputs for ${batch.length} items`)
      batch.forEach((entry, position) => {
        const output = outputs[position] as Out | Failed
        if (output instanceof Failed) entry.reject(output.error)
        else entry.resolve(output)
      })
    } catch (error) {
      for (const entry of batch) entry.reject(error)
    }
  }
}

interface Entry<In, Out> {
  item: In
  resolve: (output: Out) => void
  reject: (error: unknown) => void
}
