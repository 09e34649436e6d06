/** Carries a run through to its end by a clock that jumps. Pure but for the turns it gives to others. */
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

/** A run that is carried through. */
export interface Trial {
  definition: Definition
  facts: RunFacts
  /** What its customer does, in the order of ids and times. */
  arrivals: readonly Happening[]
  /** When its event is recorded. */
  start: Date
}

/** Something that the customer does; what opts them out answers no wait. */
export type Happening = Arrival & { optsOut?: boolean }

/** What one visit did, and when. */
export interface Visit {
  at: Date
  trace: TraceEntry[]
  effects: Advance['effects']
}

/** Whether there is time to go on. */
export type HasTime = () => boolean

/**
 * Tells each visit to `see`, and answers how the run ended. What one step sets the steps of later visits see as well.
 * `unfinished` where there was no time left, or a step is of a type that nobody here knows.
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

/** Who has written has a conversation, and may be written to for a while; whoever opted out may not. */
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

/** The end of the wait, or what arrives before it. A wait that is over already ends at once. */
const nextMoment = (wakeAt: Date, now: Date, arrivals: readonly Happening[]): Date => {
  const next = arrivals.map(({ at }) => new Date(at)).find(at => at > now)
  if (next && next < wakeAt) return next
  return wakeAt > now ? wakeAt : now
}
