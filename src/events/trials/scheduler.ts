/** Time limits of trials and replays. */
import { TimedYield } from '../../platform/event-loop.ts'
import type { HasTime } from './simulate-run.ts'

/** Maximum CPU time in milliseconds. */
const maxCpuMs = 4000
/** Maximum total time in milliseconds, so that a busy process answers before the connection times out. */
const maxMs = 15_000

/**
 * Returns the scheduler of one trial and its time check. `hasTime` throws the abort reason when the signal is aborted.
 */
export const startScheduler = (signal: AbortSignal): { scheduler: TimedYield; hasTime: HasTime } => {
  const scheduler = new TimedYield()
  const until = performance.now() + maxMs
  const hasTime = () => {
    signal.throwIfAborted()
    return scheduler.spentMs < maxCpuMs && performance.now() < until
  }
  return { scheduler, hasTime }
}
