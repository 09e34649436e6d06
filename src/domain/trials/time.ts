/** How long a trial or a replay may compute. */
import { TimedTurns } from '../turns.ts'
import type { HasTime } from './carry.ts'

/** Milliseconds of processor time. */
const maxProcessorMs = 4000
/** Milliseconds in all. A busy process must not keep the caller until the connection is closed. */
const maxMs = 15_000

/** The turns of one trial, and whether there is time left; `hasTime` throws the reason of the signal once it aborts. */
export const timeFor = (signal: AbortSignal): { turns: TimedTurns; hasTime: HasTime } => {
  const turns = new TimedTurns()
  const until = performance.now() + maxMs
  const hasTime = () => {
    signal.throwIfAborted()
    return turns.spentMs < maxProcessorMs && performance.now() < until
  }
  return { turns, hasTime }
}
