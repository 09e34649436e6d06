/**
 * Micro-batching of changes: concurrent calls become one statement. The statement costs one flush to disk and one
 * notification, however many outbound events it writes.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Batcher, type ConflictLimits, type Failed, type Retry } from '../micro-batch.ts'
import { isTransaction, type Sql, withRetry } from './client.ts'

/** Maximum number of items per statement, and of concurrent statements of one kind. */
const maxSize = 512
const concurrency = 2

const throttles = new WeakMap<Sql, BatchThrottle>()

/**
 * Applies backpressure to the batches of this pool while other work is late. `maxDelayMs` returns the longest delay in
 * milliseconds.
 */
export const throttleBatches = (pool: Sql, maxDelayMs: () => number): void => {
  throttles.set(pool, new BatchThrottle(maxDelayMs))
}

/**
 * Maximum delay, as a multiple of the duration of the previous batch. Batches keep at least a quarter of their speed.
 */
const maxDelayShare = 3

/** Delays batches while other work is late. */
export class BatchThrottle {
  #tookMs = 0

  /** `maxDelayMs` returns the longest delay in milliseconds. 0 means no delay. */
  constructor(private readonly maxDelayMs: () => number) {}

  /** Runs `work` after the delay. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const delayMs = Math.min(this.maxDelayMs(), this.#tookMs * maxDelayShare)
    if (delayMs >= 1) await sleep(delayMs)
    const startedAt = performance.now()
    try {
      return await work()
    } finally {
      this.#tookMs = performance.now() - startedAt
    }
  }
}

/** Adds one change to a micro-batch and resolves with its output. */
export interface MicroBatched<In, Out> {
  (sql: Sql, item: In): Promise<Out>
  /**
   * Adds several changes of one workspace and keeps their order (Batcher.addInOrder). Returns outputs by position and
   * never rejects.
   */
  inOrder(sql: Sql, items: In[]): Promise<(Out | Failed)[]>
}

/**
 * Returns a function that batches a change with concurrent changes of the same kind. A full batch takes an equal share
 * from every workspace. Calls on the same pool share a batch; calls on a transaction run in that transaction.
 *
 * `work` takes any number of items and returns outputs by position. It must be idempotent, because it is repeated if
 * the connection breaks. It must not wait for a row lock, which would block the whole batch, but return `Retry` for
 * that item.
 *
 * `conflicts` limits how many items can retry for long, and `bytes` limits the size of one statement. The function rejects
 * with the error of the item (`Failed`) or of the whole batch.
 */
export const microBatched = <In extends { workspaceId: string }, Out>(
  work: (sql: Sql, items: In[]) => Promise<readonly (Out | Failed | Retry)[]>,
  conflicts?: ConflictLimits<In>,
  bytes?: { max: number; sizeOf: (item: In) => number },
): MicroBatched<In, Out> => {
  const batchers = new WeakMap<Sql, Batcher<In, Out>>()
  const batcherOf = (sql: Sql): Batcher<In, Out> => {
    const existing = batchers.get(sql)
    if (existing) return existing
    const batcher = new Batcher<In, Out>({
      maxSize,
      concurrency,
      tenantOf: ({ workspaceId }) => workspaceId,
      ...(conflicts && { conflicts }),
      ...(bytes && { bytes }),
      work: async items => {
        if (isTransaction(sql)) return work(sql, items)
        const record = () => withRetry(() => work(sql, items))
        return throttles.get(sql)?.run(record) ?? record()
      },
    })
    batchers.set(sql, batcher)
    return batcher
  }
  return Object.assign((sql: Sql, item: In) => batcherOf(sql).add(item), {
    inOrder: (sql: Sql, items: In[]) => batcherOf(sql).addInOrder(items),
  })
}
