/**
 * Returns the delay after a failed attempt. The delay starts at the end of the attempt, so that a slow receiver is not
 * called sooner than a fast one.
 *
 * @param attemptsMade attempts finished so far, including the one that just failed
 * @param delaysMs milliseconds before the second attempt, the third and so on; the number of attempts is one more than the
 *   number of waits
 * @returns milliseconds, or null if no attempt is left
 */
export const nextDelay = (attemptsMade: number, delaysMs: readonly number[]): number | null =>
  delaysMs[attemptsMade - 1] ?? null
