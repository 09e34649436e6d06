/**
 * How long to wait after an attempt that failed; counted from its end, so that a slow receiver is not asked again sooner
 * than a quick one.
 *
 * @param attemptsMade attempts finished so far, the one that just failed included
 * @param waits milliseconds before the second attempt, the third and so on; one more attempt than waits is made in all
 * @returns milliseconds, or null when no attempt is left to make
 */
export const nextWait = (attemptsMade: number, waits: readonly number[]): number | null =>
  waits[attemptsMade - 1] ?? null
