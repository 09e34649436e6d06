/** Recording what somebody else holds locked at the moment: again and again, a little later each time. */
import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds between tries: doubled each time, within bounds. */
const pauseMs = { min: 10, max: 1000 }
/** Nobody of ours holds a row for longer than a statement may last. */
const maxWaitMs = 60_000

/**
 * Tries until `attempt` answers true. Rejects as it does; also after a minute, and when the process ends: the row stays
 * due then. What waits here keeps its place in the window of its own actor and nobody else's.
 */
export const untilDone = async (attempt: () => Promise<boolean>, deadline: AbortSignal): Promise<void> => {
  const end = performance.now() + maxWaitMs
  for (let pause = pauseMs.min; !(await attempt()); pause = Math.min(pause * 2, pauseMs.max)) {
    if (performance.now() > end) throw new Error('somebody holds the row locked for a minute now')
    await sleep(pause, undefined, { signal: deadline })
  }
}
