/**
 * Shares of the processor for calls that compute for milliseconds to seconds. JavaScript runs on one thread: without
 * shares, every such call lengthens the time between two turns of all others.
 */
import { KeyedLimiter, type KeyedLimiterOptions } from '../platform/keyed-limiter.ts'

/**
 * `trials`: trials and replays of workflows, which take up to 4 seconds. `checks`: checks of definitions and of signatures,
 * which take up to a tenth of a second.
 */
export type Computation = 'trials' | 'checks'

/** One at a time of a workspace, two of the process. A call that waits longer than 10 seconds is 503. */
const limits: KeyedLimiterOptions = {
  total: 2,
  maxPerKey: 1,
  maxWaiting: 256,
  maxWaitingPerKey: 64,
  maxWaitMs: 10_000,
}

/** The next call of a workspace begins as long after one as that took, at most so many milliseconds. */
const maxRestMs = 100

export class Computations {
  readonly #limiters: Record<Computation, KeyedLimiter> = {
    trials: new KeyedLimiter(limits),
    checks: new KeyedLimiter(limits),
  }

  /** Runs the work when it is the workspace's turn. Rejects with LimiterFull, and as the work or the signal. */
  async run<T>(kind: Computation, workspaceId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const limiter = this.#limiters[kind]
    await limiter.acquire(workspaceId, { signal })
    const startedAt = performance.now()
    try {
      return await work()
    } finally {
      // Calls that wait would otherwise run one after the other, and leave others one turn between two of them.
      const restMs = Math.min(performance.now() - startedAt, maxRestMs)
      setTimeout(() => limiter.release(workspaceId), restMs)
    }
  }
}
