/** Time limits of trials and replays. */
import { TimedTurns } from '../turns.ts'
import type { HasTime } from './carry.ts'

/** Maximum CPU time in milliseconds. */
const maxProcessorMs = 4000
/** Maximum total time in milliseconds, so that a busy process answers before the connection times out. */
const maxMs = 15_000

/**
 * Returns the scheduler of one trial and its time check. `hasTime` throws the abort reason when the signal is aborted.
 */
export const timeFor = (signal: AbortSignal): { turns: TimedTurns; hasTime: HasTime } => {
  const turns = new TimedTurns()
  const until = performance.now() + maxMs
  const hasTime = () => {
    signal.throwIfAborted()
    return turns.spentMs < maxProcessorMs && performance.now() < until
  }
  return { turns, hasTime }
}
