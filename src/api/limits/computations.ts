/**
 * Limits calls that compute for milliseconds to seconds. JavaScript runs on one thread, so without limits each of these
 * calls would block all other requests.
 */
import { KeyedLimiter, type KeyedLimiterOptions } from '../../platform/keyed-limiter.ts'

/**
 * `trials`: test runs and replays of workflows, and counts of recoveries, which take up to 4 seconds. `checks`: checks of definitions and
 * signatures, which take up to a tenth of a second. `bodies`: parsing and validation of large bodies.
 */
export type Computation = 'trials' | 'checks' | 'bodies'

/** One call at a time per workspace and two per process. A call that waits longer than 10 seconds gets 503. */
const limits: KeyedLimiterOptions = {
  total: 2,
  maxPerKey: 1,
  maxWaiting: 256,
  maxWaitingPerKey: 64,
  maxWaitMs: 10_000,
}

/** Waiting bodies are limited by their bytes. The pieces of concurrent bodies take turns. */
const bodyLimits: KeyedLimiterOptions = { ...limits, total: 8, maxWaiting: 8192, maxWaitingPerKey: 2048 }

/** Maximum milliseconds of the pause after a call. The pause is as long as the call took. */
const maxPauseMs = 100

export class Computations {
  readonly #limiters: Record<Computation, KeyedLimiter> = {
    trials: new KeyedLimiter(limits),
    checks: new KeyedLimiter(limits),
    bodies: new KeyedLimiter(bodyLimits),
  }

  /**
   * Runs the work when a permit is free. Rejects with `LimiterFull`, with the error of the work, or with the abort
   * reason of the signal.
   */
  async run<T>(kind: Computation, workspaceId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const limiter = this.#limiters[kind]
    await limiter.acquire(workspaceId, { signal })
    const startedAt = performance.now()
    try {
      return await work()
    } finally {
      // Without a pause, waiting calls would run back to back, with only one event loop iteration for other requests in
      // between.
      const pauseMs = Math.min(performance.now() - startedAt, maxPauseMs)
      setTimeout(() => limiter.release(workspaceId), pauseMs)
    }
  }
}
