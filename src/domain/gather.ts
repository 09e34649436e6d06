/**
 * Gathering changes: what many callers ask for at the same moment becomes one statement, and with that one flush to disk
 * and one notification, however many outbound events it tells of.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Again, Batcher, type Failed, type HeldUpBounds } from '../db/batch.ts'
import { retrying, type Sql } from '../db/client.ts'

/** Most of them in one statement, and most statements of one kind at the same time. */
const maxSize = 512
const lanes = 2

const delays = new WeakMap<Sql, Backpressure>()

/** Delays what is gathered for this pool while other work is late. `restMs` returns the longest delay in milliseconds. */
export const giveWay = (pool: Sql, restMs: () => number): void => {
  delays.set(pool, new Backpressure(restMs))
}

/** The delay lasts at most so many times as long as the work before it: a quarter of the speed remains in any case. */
const maxDelayShare = 3

/** Delays batches while other work is late. */
export class Backpressure {
  #tookMs = 0

  /** `restMs` returns the longest delay in milliseconds; 0 = none. */
  constructor(private readonly restMs: () => number) {}

  /** Runs `work` after the delay. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const delayMs = Math.min(this.restMs(), this.#tookMs * maxDelayShare)
    if (delayMs >= 1) await sleep(delayMs)
    const begun = performance.now()
    try {
      return await work()
    } finally {
      this.#tookMs = performance.now() - begun
    }
  }
}

/** Asks for a change; resolves with what became of it. */
export interface Gathered<In, Out> {
  (sql: Sql, item: In): Promise<Out>
  /** Several of one workspace that keep their order (Batcher.addInOrder). Answers by position, and never rejects. */
  inOrder(sql: Sql, items: In[]): Promise<(Out | Failed)[]>
}

/**
 * A change that is gathered with others of its kind, in fair shares of the workspaces: asked of the same pool they go
 * together, asked of a transaction they join that. `work` takes any number, answers by position, and is repeated where
 * the connection breaks: done twice, it must change nothing more. It waits for no row that somebody else is changing,
 * for all would wait with it, but answers Again; `heldUp` bounds how many go round for long, and `bytes` the size of one statement. Rejects with what became of
 * the one (Failed) or of all.
 */
export const gathered = <In extends { workspaceId: string }, Out>(
  work: (sql: Sql, items: In[]) => Promise<readonly (Out | Failed | Again)[]>,
  heldUp?: HeldUpBounds<In>,
  bytes?: { max: number; sizeOf: (item: In) => number },
): Gathered<In, Out> => {
  const batchers = new WeakMap<Sql, Batcher<In, Out>>()
  const batcherOf = (sql: Sql): Batcher<In, Out> => {
    const known = batchers.get(sql)
    if (known) return known
    const batcher = new Batcher<In, Out>({
      maxSize,
      lanes,
      shareOf: ({ workspaceId }) => workspaceId,
      ...(heldUp && { heldUp }),
      ...(bytes && { bytes }),
      work: async items => {
        if (isTransaction(sql)) return work(sql, items)
        const record = () => retrying(() => work(sql, items))
        return delays.get(sql)?.run(record) ?? record()
      },
    })
    batchers.set(sql, batcher)
    return batcher
  }
  return Object.assign((sql: Sql, item: In) => batcherOf(sql).add(item), {
    inOrder: (sql: Sql, items: In[]) => batcherOf(sql).addInOrder(items),
  })
}

const isTransaction = (sql: Sql): boolean => 'savepoint' in sql
