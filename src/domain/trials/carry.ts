/** Simulates a run to its end with a simulated clock. Pure, except that it yields to the event loop. */
import type { Rest } from '../turns.ts'
import {
  type Advance,
  type Arrival,
  advance,
  beforeTheFirst,
  customerAfter,
  type Definition,
  type RunFacts,
  type TraceEntry,
} from '../workflows/index.ts'

/** Input of a simulated run. */
export interface Trial {
  definition: Definition
  facts: RunFacts
  /** Actions of the customer, ordered by id and time. */
  arrivals: readonly Happening[]
  /** Time at which the event is recorded. */
  start: Date
}

/** An action of the customer. A reply that opts them out does not end a wait. */
export type Happening = Arrival & { optsOut?: boolean }

/** Result and time of one execution of the run. */
export interface Visit {
  at: Date
  trace: TraceEntry[]
  effects: Advance['effects']
}

/** Returns whether time is left. */
export type HasTime = () => boolean

/**
 * Calls `see` for each execution and returns the end reason of the run. Effects of a step are visible to later
 * executions. Returns `unfinished` if no time is left or a step type is unknown.
 */
export const carryThrough = async (
  { definition, facts, arrivals, start }: Trial,
  see: (visit: Visit) => void,
  rest: Rest,
  hasTime: HasTime,
): Promise<string> => {
  let [state, seen, now] = [beforeTheFirst, facts, start]
  for (;;) {
    const there = arrivals.filter(({ at }) => new Date(at) <= now)
    const answers = there.filter(({ optsOut }) => !optsOut)
    const visiting = advance(definition, state, afterArrivals(seen, there), answers, start, now)
    let step = visiting.next()
    while (!step.done) {
      const resting = rest()
      if (resting) await resting
      if (!hasTime()) return 'unfinished'
      step = visiting.next()
    }
    const to = step.value
    see({ at: now, trace: to.trace, effects: to.effects })
    if (to.endReason !== null) return to.endReason
    if (to.wakeAt === null || to.unknownType !== null || !hasTime()) return 'unfinished'
    state = to.state
    seen = afterEffects(seen, to.effects)
    now = nextMoment(to.wakeAt, now, arrivals)
  }
}

/**
 * Updates the facts after replies: a conversation exists, the message window is open, and the customer may have opted
 * out.
 */
const afterArrivals = (facts: RunFacts, there: readonly Happening[]): RunFacts => {
  const written = there.findLast(({ kind }) => kind === 'reply')
  if (!written) return facts
  const optedOut = facts.customer.optedOut || there.some(({ optsOut }) => optsOut)
  return {
    ...facts,
    customer: { ...facts.customer, optedOut, hasConversation: true },
    channels: facts.channels.map(channel =>
      channel.windowHours === null
        ? channel
        : { ...channel, windowClosesAt: hoursAfter(written.at, channel.windowHours) },
    ),
  }
}

const hoursAfter = (time: string, hours: number): string =>
  new Date(new Date(time).getTime() + hours * 3_600_000).toISOString()

const afterEffects = (facts: RunFacts, effects: Advance['effects']): RunFacts => {
  if (effects.length === 0) return facts
  const customer = { ...facts.customer }
  for (const effect of effects) customerAfter(customer, effect)
  return { ...facts, customer }
}

/**
 * Returns the end of the wait or the next arrival, whichever is earlier. A wait that is already over ends immediately.
 */
const nextMoment = (wakeAt: Date, now: Date, arrivals: readonly Happening[]): Date => {
  const next = arrivals.map(({ at }) => new Date(at)).find(at => at > now)
  if (next && next < wakeAt) return next
  return wakeAt > now ? wakeAt : now
}
