/** Retries an operation with increasing pauses while another transaction holds its row locked. */
import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds between attempts. Doubled each time, within these bounds. */
const pauseMs = { min: 10, max: 1000 }
/** Maximum total time in milliseconds. No statement of this service may hold a lock longer. */
const maxWaitMs = 60_000

/**
 * Calls `attempt` until it returns true. Rejects if `attempt` rejects, after a minute, and when the process ends; the
 * row then stays due.
 *
 * A waiting call uses capacity only of the same actor.
 */
export const retryWhileLocked = async (attempt: () => Promise<boolean>, deadline: AbortSignal): Promise<void> => {
  const end = performance.now() + maxWaitMs
  for (let pause = pauseMs.min; !(await attempt()); pause = Math.min(pause * 2, pauseMs.max)) {
    if (performance.now() > end) throw new Error('the row has been locked for a minute')
    await sleep(pause, undefined, { signal: deadline })
  }
}
