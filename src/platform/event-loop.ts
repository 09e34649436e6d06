/** Cooperative scheduling: long loops yield to the event loop every 10 ms, and trials pause every 3 ms. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Slices } from './slices.ts'

/** Called between two pieces of work. Returns a promise to await if the loop must yield, otherwise null. */
export type YieldIfDue = () => Promise<void> | null

/** Maximum time in milliseconds that a loop may block the event loop. */
const maxBlockMs = 10

/** Returns a function that yields after every 10 ms. */
export const createYield = (): YieldIfDue => {
  let since = performance.now()
  const yieldIfDue = async () => {
    await exclusiveIteration()
    since = performance.now()
  }
  return () => (performance.now() - since < maxBlockMs ? null : yieldIfDue())
}

let lastIteration: Promise<unknown> = Promise.resolve()

/**
 * Resolves in an event loop iteration that no other caller shares. For work of several milliseconds that cannot be
 * divided, such as parsing a large body. Without it, many such bodies that arrive together would be parsed in one
 * iteration.
 */
export const exclusiveIteration = async (): Promise<void> => {
  lastIteration = lastIteration.then(() => new Promise(resolve => setImmediate(resolve)))
  await lastIteration
}

let lastSlice: Promise<unknown> = Promise.resolve()

/**
 * Runs the pieces with pauses. One piece of all callers runs at a time. After it, the process pauses as long as the
 * piece took, so that short calls are answered in between.
 */
export const runInSlices = async <T>(slices: Slices<T>): Promise<T> => {
  for (;;) {
    const slice = lastSlice.then(() => runSlice(slices))
    // Keeps no result in memory.
    lastSlice = slice.then(
      () => {},
      () => {},
    )
    const { done, value } = await slice
    if (done) return value
  }
}

const runSlice = async <T>(slices: Slices<T>): Promise<IteratorResult<void, T>> => {
  await exclusiveIteration()
  const startedAt = performance.now()
  try {
    return slices.next()
  } finally {
    const tookMs = performance.now() - startedAt
    if (tookMs >= 1) await sleep(tookMs)
  }
}

/** Maximum time in milliseconds that a trial may block the event loop. */
const maxTrialBlockMs = 3

let lastPause: Promise<unknown> = Promise.resolve()

/**
 * Resolves after a pause in which only other tasks run. The pauses of concurrent callers follow each other, and the
 * work of one caller runs between two pauses. Each pause is as long as the work before it, so all callers together use
 * at most half of the time.
 */
const pause = async (ms: number): Promise<void> => {
  // The immediate delays the pause until the work that the previous pause released has blocked the loop.
  lastPause = lastPause.then(() => new Promise(resolve => setImmediate(() => setTimeout(resolve, ms))))
  await lastPause
}

/**
 * Pauses every 3 ms and measures the processing time of the work. Time spent pausing or waiting does not count. A request
 * takes several event loop iterations. Without pauses, each of these iterations would wait for a slice of a trial.
 */
export class TimedYield {
  #since = performance.now()
  #spentMs = 0

  /** Processing time so far, in milliseconds. */
  get spentMs(): number {
    return this.#spentMs + performance.now() - this.#since
  }

  readonly yieldIfDue: YieldIfDue = () => {
    const blockedMs = performance.now() - this.#since
    if (blockedMs < maxTrialBlockMs) return null
    return this.waitFor(() => pause(blockedMs))
  }

  /** Waits for something, for example the database. The wait does not count. */
  async waitFor<T>(wait: () => Promise<T>): Promise<T> {
    this.#spentMs = this.spentMs
    try {
      return await wait()
    } finally {
      this.#since = performance.now()
    }
  }
}
