/** Advances a run until it waits or ends. Pure: effects come out as values, and the caller commits them with the run. */

import { Budget, maxLookedAtTogether } from '../conditions/index.ts'
import type { EndReason, StepOutcome } from '../run-words.ts'
import type { Arrival, WaitsFor } from './arrivals.ts'
import { attributesAfter, type Effect } from './effects.ts'
import { endedBy, waitedForBy } from './exit-on.ts'
import type { Answer, RunFacts, SeenFacts } from './facts.ts'
import type { Definition } from './schema.ts'
import { type Step, type StepType, stepTypeOf, type Visit } from './steps/index.ts'

export type { Arrival, WaitsFor } from './arrivals.ts'

/** Where a run stands. */
export interface RunState {
  /** The step it is at; null before the first, and once it has ended. */
  stepId: string | null
  /** True while it waits at `stepId`; else that step is entered next. */
  waiting: boolean
  stepsTaken: number
  /** While it waits: when the wait is over. Null where that was never written down: then it is over. */
  waitUntil: string | null
  /** What ended its last wait. */
  answer: Answer | null
  /** The ids of the arrivals that ended its waits: none of them ends another. */
  used: readonly string[]
}

export interface TraceEntry {
  position: number
  stepId: string
  outcome: StepOutcome
  detail: Record<string, unknown> | null
}

/** An effect and the place in the trace of the step that had it: with the run's id it is done once. */
export type PlacedEffect = Effect & { position: number }

/** How far one visit brought a run. */
export interface Advance {
  state: RunState
  /** When to go on; null = the run has ended, `endReason` says how. */
  wakeAt: Date | null
  endReason: EndReason | null
  /** The reason that an exit gives, in the words of the definition. */
  endDetail: string | null
  /**
   * What may end its wait, or end it, before `wakeAt`; empty where it waits for time alone. Of a step of an unknown type
   * nobody here can say: what was waited for before the visit is still waited for.
   */
  waitsFor: WaitsFor[]
  /** The type of the step at which the run stands because this process does not know it; it is no fault of the run. */
  unknownType: string | null
  trace: TraceEntry[]
  effects: PlacedEffect[]
}

/** Where every run begins. */
export const beforeTheFirst: RunState = {
  stepId: null,
  waiting: false,
  stepsTaken: 0,
  waitUntil: null,
  answer: null,
  used: [],
}

/** More than any sensible workflow takes; a circle of waits that nobody meant ends here. */
const maxSteps = 1000
/**
 * For so long a run is left to processes that know its next step: those of a newer release, while an older one still
 * runs beside them. Short beside a deploy, and long enough that waiting costs nothing.
 */
const unknownTypeWaitMs = 15_000

/**
 * One visit: from where the run stands to its next wait or its end. `arrivals` are what happened to the run's customer
 * since it began, in the order of their ids, of the kinds and types that the definition waits for; where there are `more`
 * of them, a wait whose time has come is not over yet. Pauses after each step, for whoever else is to act in this process:
 * a visit may be of a thousand steps.
 */
export function* advance(
  definition: Definition,
  run: RunState,
  facts: RunFacts,
  arrivals: readonly Arrival[],
  recordedAt: Date,
  now: Date,
  more = false,
): Generator<void, Advance> {
  const visiting = new Visiting(definition, run, facts, arrivals, recordedAt, now, more)
  while (!visiting.result) {
    visiting.go()
    if (!visiting.result) yield
  }
  return visiting.result
}

/** A visit under way. */
class Visiting {
  result: Advance | null = null
  readonly #trace: TraceEntry[] = []
  readonly #effects: PlacedEffect[] = []
  readonly #state: RunState
  readonly #visit: Visit
  readonly #arrivals: readonly Arrival[]

  constructor(
    private readonly definition: Definition,
    private readonly run: RunState,
    facts: RunFacts,
    arrivals: readonly Arrival[],
    recordedAt: Date,
    private readonly now: Date,
    private readonly more: boolean,
  ) {
    this.#state = { ...run, stepId: run.stepId ?? definition.start }
    // The event that started the run is not one that arrived since.
    this.#arrivals = arrivals.filter(({ id }) => id !== facts.event.id)
    this.#visit = {
      facts: seenFacts(facts, run.answer, now),
      budget: new Budget(maxLookedAtTogether),
      // No visit goes beyond a wait for time, so the first wait of all is met in the first visit.
      waitsFrom: run.stepsTaken === 0 ? recordedAt : now,
      now,
    }
    const ended = endedBy(definition.exitOn, this.#arrivals, this.#visit.facts, this.#visit.budget)
    if (ended) this.#end(ended.endReason, ended.reason)
  }

  /** One step on. */
  go(): void {
    const { stepId } = this.#state
    if (stepId === null) this.#end('completed')
    else if (!Object.hasOwn(this.definition.steps, stepId)) this.#end('step_missing')
    else this.#take(this.definition.steps[stepId]!, stepId)
  }

  #take(step: Step, stepId: string): void {
    const type = stepTypeOf(step)
    if (!type) this.#putOff(step.type)
    else if (this.#state.waiting && type.resume) this.#resume(step, type, stepId)
    else if (this.#state.stepsTaken >= maxSteps) this.#end('too_many_steps')
    else this.#enter(step, type, stepId)
  }

  #enter(step: Step, type: StepType<Step>, stepId: string): void {
    // It may have waited here by an older version, in which this step was one to wait at.
    this.#state.waiting = false
    this.#state.waitUntil = null
    const result = type.enter(step, this.#visit)
    const position = this.#note(stepId, result.outcome, result.detail)
    for (const effect of result.effects ?? []) this.#have(effect, position)
    if ('exit' in result) this.#end('exited', result.exit)
    else if ('next' in result) this.#state.stepId = result.next
    else {
      this.#state.waiting = true
      this.#state.waitUntil = result.waitUntil.toISOString()
      if (!this.#isAnswered(step, type, stepId)) this.#park(step, type, result.waitUntil)
    }
  }

  #resume(step: Step, type: StepType<Step>, stepId: string): void {
    if (this.#isAnswered(step, type, stepId)) return
    const { waitUntil } = this.#state
    if (waitUntil !== null && (this.more || new Date(waitUntil) > this.now)) {
      this.#park(step, type, new Date(waitUntil))
      return
    }
    const over = type.resume!(step)
    if (over.outcome !== undefined) this.#note(stepId, over.outcome)
    this.#goOn(over.next)
  }

  /** Whether something that arrived in time ended the wait; the run is then behind it. */
  #isAnswered(step: Step, type: StepType<Step>, stepId: string): boolean {
    if (!type.answeredBy) return false
    const { waitUntil, used } = this.#state
    for (const arrival of this.#arrivals) {
      if (used.includes(arrival.id)) continue
      if (waitUntil !== null && new Date(arrival.at) > new Date(waitUntil)) continue
      const exit = type.answeredBy(step, arrival, this.#visit)
      if (!exit) continue
      this.#state.used = [...used, arrival.id]
      this.#state.answer = arrival.kind === 'reply' ? { text: arrival.text } : { data: arrival.data }
      this.#visit.facts.answer = this.#state.answer
      this.#note(stepId, exit.outcome, exit.detail)
      this.#goOn(exit.next)
      return true
    }
    return false
  }

  #goOn(next: string | null): void {
    this.#state.stepId = next
    this.#state.waiting = false
    this.#state.waitUntil = null
    this.#visit.waitsFrom = this.now
  }

  #note(stepId: string, outcome: StepOutcome, detail?: Record<string, unknown>): number {
    const position = this.#state.stepsTaken++
    this.#trace.push({ position, stepId, outcome, detail: detail ?? null })
    return position
  }

  /** Steps that come later in the visit see what an earlier one did. */
  #have(effect: Effect, position: number): void {
    this.#effects.push({ ...effect, position })
    customerAfter(this.#visit.facts.customer, effect)
  }

  #park(step: Step, type: StepType<Step>, until: Date): void {
    const waitsFor = [...waitedForBy(this.definition.exitOn), ...(type.waitsFor?.(step) ?? [])]
    this.#stop({ wakeAt: until, waitsFor: eachOnce(waitsFor) })
  }

  #end(endReason: EndReason, endDetail: string | null = null): void {
    this.#state.waiting = false
    this.#state.waitUntil = null
    this.#stop({ endReason, endDetail })
  }

  /** The run as it stood, for a process that knows the step: what came before it in this visit is done there as well. */
  #putOff(unknownType: string): void {
    const wakeAt = new Date(this.now.getTime() + unknownTypeWaitMs)
    this.result = { ...nothing, state: this.run, wakeAt, unknownType, trace: [], effects: [] }
  }

  #stop(how: Partial<Advance>): void {
    this.result = { ...nothing, ...how, state: this.#state, trace: this.#trace, effects: this.#effects }
  }
}

const nothing = { wakeAt: null, endReason: null, endDetail: null, waitsFor: [], unknownType: null }

/** What paths lead into, the customer as one that steps may change. */
const seenFacts = (facts: RunFacts, answer: Answer | null, now: Date): SeenFacts => ({
  ...facts,
  customer: { ...facts.customer },
  trigger: { data: facts.data },
  answer,
  now: now.toISOString(),
})

/** The customer of a run as an effect leaves them, for the steps behind it. */
export const customerAfter = (customer: RunFacts['customer'], effect: Effect): void => {
  if (effect.kind === 'set_attributes') customer.attributes = attributesAfter(customer.attributes, effect)
  // Also one that is kept as skipped is kept in a conversation.
  else if (effect.kind === 'queue_message') customer.hasConversation = true
}

const eachOnce = (all: readonly WaitsFor[]): WaitsFor[] => [
  ...new Map(all.map(one => [`${one.kind} ${one.eventType}`, one])).values(),
]
