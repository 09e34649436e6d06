/** Simulates a run to its end with a simulated clock. Pure, except that it yields to the event loop. */
import type { YieldIfDue } from '../../platform/event-loop.ts'
import {
  type Advance,
  type Arrival,
  advance,
  applyToCustomer,
  type Definition,
  initialState,
  type RunFacts,
  type TraceEntry,
} from '../../workflows/index.ts'

/** Input of a simulated run. */
export interface Trial {
  definition: Definition
  facts: RunFacts
  /** Actions of the customer, ordered by id and time. */
  arrivals: readonly SimulatedArrival[]
  /** Time at which the event is recorded. */
  start: Date
}

/** An action of the customer. A reply that opts them out does not end a wait. */
export type SimulatedArrival = Arrival & { optsOut?: boolean }

/** Result and time of one execution of the run. */
export interface SimulatedExecution {
  at: Date
  trace: TraceEntry[]
  effects: Advance['effects']
}

/** Returns whether time is left. */
export type HasTime = () => boolean

/**
 * Calls `onExecution` for each execution and returns the end reason of the run. Effects of a step are visible to later
 * executions. Returns `unfinished` if no time is left or a step type is unknown.
 */
export const simulateRun = async (
  { definition, facts, arrivals, start }: Trial,
  onExecution: (execution: SimulatedExecution) => void,
  yieldIfDue: YieldIfDue,
  hasTime: HasTime,
): Promise<string> => {
  let [state, currentFacts, now] = [initialState, facts, start]
  for (;;) {
    const arrived = arrivals.filter(({ at }) => new Date(at) <= now)
    const answers = arrived.filter(({ optsOut }) => !optsOut)
    const advancing = advance(definition, state, factsAfterArrivals(currentFacts, arrived), answers, start, now)
    let step = advancing.next()
    while (!step.done) {
      const yielding = yieldIfDue()
      if (yielding) await yielding
      if (!hasTime()) return 'unfinished'
      step = advancing.next()
    }
    const result = step.value
    onExecution({ at: now, trace: result.trace, effects: result.effects })
    if (result.endReason !== null) return result.endReason
    if (result.wakeAt === null || result.unknownType !== null || !hasTime()) return 'unfinished'
    state = result.state
    currentFacts = factsAfterEffects(currentFacts, result.effects)
    now = nextWakeTime(result.wakeAt, now, arrivals)
  }
}

/**
 * Updates the facts after replies: a conversation exists, the message window is open, and the customer may have opted
 * out.
 */
const factsAfterArrivals = (facts: RunFacts, arrived: readonly SimulatedArrival[]): RunFacts => {
  const lastReply = arrived.findLast(({ kind }) => kind === 'reply')
  if (!lastReply) return facts
  const optedOut = facts.customer.optedOut || arrived.some(({ optsOut }) => optsOut)
  return {
    ...facts,
    customer: { ...facts.customer, optedOut, hasConversation: true },
    channels: facts.channels.map(channel =>
      channel.windowHours === null
        ? channel
        : { ...channel, windowClosesAt: hoursAfter(lastReply.at, channel.windowHours) },
    ),
  }
}

const hoursAfter = (time: string, hours: number): string =>
  new Date(new Date(time).getTime() + hours * 3_600_000).toISOString()

const factsAfterEffects = (facts: RunFacts, effects: Advance['effects']): RunFacts => {
  if (effects.length === 0) return facts
  const customer = { ...facts.customer }
  for (const effect of effects) applyToCustomer(customer, effect)
  return { ...facts, customer }
}

/**
 * Returns the end of the wait or the next arrival, whichever is earlier. A wait that is already over ends immediately.
 */
const nextWakeTime = (wakeAt: Date, now: Date, arrivals: readonly SimulatedArrival[]): Date => {
  const next = arrivals.map(({ at }) => new Date(at)).find(at => at > now)
  if (next && next < wakeAt) return next
  return wakeAt > now ? wakeAt : now
}
