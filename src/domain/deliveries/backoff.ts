/**
 * Returns the delay after a failed attempt. The delay starts at the end of the attempt, so that a slow receiver is not
 * called sooner than a fast one.
 *
 * @param attemptsMade attempts finished so far, including the one that just failed
 * @param waits milliseconds before the second attempt, the third and so on; the number of attempts is one more than the
 *   number of waits
 * @returns milliseconds, or null if no attempt is left
 */
export const nextWait = (attemptsMade: number, waits: readonly number[]): number | null =>
  waits[attemptsMade - 1] ?? null
