/**
 * Advances a run until it waits or ends. Pure: effects are returned as values, and the caller commits them with the
 * run.
 */

import { Budget, maxTotalCost } from '../../core/conditions/index.ts'
import type { EndReason, StepOutcome } from '../../core/statuses.ts'
import { awaitedByExits, findMetExit } from '../exit-on.ts'
import type { Definition } from '../schema.ts'
import { type Step, type StepContext, type StepType, stepTypeOf } from '../steps/index.ts'
import type { Arrival, Wait } from './arrivals.ts'
import { attributesAfter, type Effect } from './effects.ts'
import type { Answer, ReadableFacts, RunFacts } from './facts.ts'

export type { Arrival, Wait } from './arrivals.ts'

/** Position of a run in its workflow. */
export interface RunState {
  /** Current step. Null before the first step and after the end. */
  stepId: string | null
  /** True while the run waits at `stepId`. Otherwise that step is entered next. */
  waiting: boolean
  stepsTaken: number
  /** End of the current wait. Null if it was not stored; the wait is then over. */
  waitUntil: string | null
  /** Arrival that ended the last wait. */
  answer: Answer | null
  /** IDs of the arrivals that ended waits. Each arrival ends at most one wait. */
  consumedArrivals: readonly string[]
}

export interface TraceEntry {
  position: number
  stepId: string
  outcome: StepOutcome
  detail: Record<string, unknown> | null
}

/** Effect with the trace position of its step. Run ID and position together make it idempotent. */
export type PositionedEffect = Effect & { position: number }

/** Result of one execution of a run. */
export interface Advance {
  state: RunState
  /** Time of the next execution. Null if the run has ended; `endReason` then says how. */
  wakeAt: Date | null
  endReason: EndReason | null
  /** Reason of an exit, as written in the definition. */
  endDetail: string | null
  /**
   * Arrivals that can end the wait, or the run, before `wakeAt`. Empty if the run waits only for time.
   *
   * For a step of an unknown type the arrivals are not known here, and the stored ones stay in effect.
   */
  waitsFor: Wait[]
  /** Unknown type of the step at which the run stopped. It is not an error of the run. */
  unknownType: string | null
  trace: TraceEntry[]
  effects: PositionedEffect[]
}

/** State of a run before its first step. */
export const initialState: RunState = {
  stepId: null,
  waiting: false,
  stepsTaken: 0,
  waitUntil: null,
  answer: null,
  consumedArrivals: [],
}

/** Maximum number of steps of a run. Far above any sensible workflow; it ends unintended loops. */
const maxSteps = 1000
/**
 * Time in milliseconds for which a run is left to other processes if the next step type is unknown.
 *
 * Processes of a newer release may know it while both releases run. The time is short compared with a deployment, and
 * long enough that polling costs little.
 */
const unknownTypeWaitMs = 15_000

/**
 * Executes a run from its current state to its next wait or its end. Yields after each step, because one execution can
 * take a thousand steps.
 *
 * `arrivals` are the arrivals of the run's customer since the start that the definition waits for, in order of their
 * IDs. If there are `more`, a wait whose time has passed is not over yet.
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
  const execution = new Execution(definition, run, facts, arrivals, recordedAt, now, more)
  while (!execution.result) {
    execution.executeStep()
    if (!execution.result) yield
  }
  return execution.result
}

/** State of one execution. */
class Execution {
  result: Advance | null = null
  readonly #trace: TraceEntry[] = []
  readonly #effects: PositionedEffect[] = []
  readonly #state: RunState
  readonly #context: StepContext
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
    // The event that started the run does not count as an arrival.
    this.#arrivals = arrivals.filter(({ id }) => id !== facts.event.id)
    this.#context = {
      facts: readableFacts(facts, run.answer, now),
      budget: new Budget(maxTotalCost),
      // An execution ends at a wait for time, so the first wait of a run occurs in its first execution.
      waitStart: run.stepsTaken === 0 ? recordedAt : now,
      now,
    }
    const metExit = findMetExit(definition.exitOn, this.#arrivals, this.#context.facts, this.#context.budget)
    if (metExit) this.#end(metExit.endReason, metExit.reason)
  }

  /** Executes one step. */
  executeStep(): void {
    const { stepId } = this.#state
    if (stepId === null) this.#end('completed')
    else if (!Object.hasOwn(this.definition.steps, stepId)) this.#end('step_missing')
    else this.#dispatch(this.definition.steps[stepId]!, stepId)
  }

  #dispatch(step: Step, stepId: string): void {
    const type = stepTypeOf(step)
    if (!type) this.#postpone(step.type)
    else if (this.#state.waiting && type.resume) this.#resume(step, type, stepId)
    else if (this.#state.stepsTaken >= maxSteps) this.#end('too_many_steps')
    else this.#enter(step, type, stepId)
  }

  #enter(step: Step, type: StepType<Step>, stepId: string): void {
    // With an older version of the workflow, the run may have waited at this step.
    this.#state.waiting = false
    this.#state.waitUntil = null
    const result = type.enter(step, this.#context)
    const position = this.#addTrace(stepId, result.outcome, result.detail)
    for (const effect of result.effects ?? []) this.#addEffect(effect, position)
    if ('exit' in result) this.#end('exited', result.exit)
    else if ('next' in result) this.#state.stepId = result.next
    else {
      this.#state.waiting = true
      this.#state.waitUntil = result.waitUntil.toISOString()
      if (!this.#tryArrivals(step, type, stepId)) this.#wait(step, type, result.waitUntil)
    }
  }

  #resume(step: Step, type: StepType<Step>, stepId: string): void {
    if (this.#tryArrivals(step, type, stepId)) return
    const { waitUntil } = this.#state
    if (waitUntil !== null && (this.more || new Date(waitUntil) > this.now)) {
      this.#wait(step, type, new Date(waitUntil))
      return
    }
    const timeout = type.resume!(step)
    if (timeout.outcome !== undefined) this.#addTrace(stepId, timeout.outcome)
    this.#moveTo(timeout.next)
  }

  /** Returns whether an arrival in time ended the wait. If so, the run has moved to the next step. */
  #tryArrivals(step: Step, type: StepType<Step>, stepId: string): boolean {
    if (!type.matchArrival) return false
    const { waitUntil, consumedArrivals } = this.#state
    for (const arrival of this.#arrivals) {
      if (consumedArrivals.includes(arrival.id)) continue
      if (waitUntil !== null && new Date(arrival.at) > new Date(waitUntil)) continue
      const exit = type.matchArrival(step, arrival, this.#context)
      if (!exit) continue
      this.#state.consumedArrivals = [...consumedArrivals, arrival.id]
      this.#state.answer = arrival.kind === 'reply' ? { text: arrival.text } : { data: arrival.data }
      this.#context.facts.answer = this.#state.answer
      this.#addTrace(stepId, exit.outcome, exit.detail)
      this.#moveTo(exit.next)
      return true
    }
    return false
  }

  #moveTo(next: string | null): void {
    this.#state.stepId = next
    this.#state.waiting = false
    this.#state.waitUntil = null
    this.#context.waitStart = this.now
  }

  #addTrace(stepId: string, outcome: StepOutcome, detail?: Record<string, unknown>): number {
    const position = this.#state.stepsTaken++
    this.#trace.push({ position, stepId, outcome, detail: detail ?? null })
    return position
  }

  /** Records an effect. Later steps of the same execution see its result. */
  #addEffect(effect: Effect, position: number): void {
    this.#effects.push({ ...effect, position })
    applyToCustomer(this.#context.facts.customer, effect)
  }

  #wait(step: Step, type: StepType<Step>, until: Date): void {
    const waitsFor = [...awaitedByExits(this.definition.exitOn), ...(type.waitsFor?.(step) ?? [])]
    this.#finish({ wakeAt: until, waitsFor: uniqueWaits(waitsFor) })
  }

  #end(endReason: EndReason, endDetail: string | null = null): void {
    this.#state.waiting = false
    this.#state.waitUntil = null
    this.#finish({ endReason, endDetail })
  }

  /**
   * Returns the run unchanged, for a process that knows the step type. That process repeats the earlier steps of this
   * execution.
   */
  #postpone(unknownType: string): void {
    const wakeAt = new Date(this.now.getTime() + unknownTypeWaitMs)
    this.result = { ...emptyAdvance, state: this.run, wakeAt, unknownType, trace: [], effects: [] }
  }

  #finish(fields: Partial<Advance>): void {
    this.result = { ...emptyAdvance, ...fields, state: this.#state, trace: this.#trace, effects: this.#effects }
  }
}

const emptyAdvance = { wakeAt: null, endReason: null, endDetail: null, waitsFor: [], unknownType: null }

/** Returns the facts that paths can read, with a copy of the customer that steps may change. */
const readableFacts = (facts: RunFacts, answer: Answer | null, now: Date): ReadableFacts => ({
  ...facts,
  customer: { ...facts.customer },
  trigger: { data: facts.data },
  answer,
  now: now.toISOString(),
})

/** Applies an effect to the customer, for later steps. */
export const applyToCustomer = (customer: RunFacts['customer'], effect: Effect): void => {
  if (effect.kind === 'set_attributes') customer.attributes = attributesAfter(customer.attributes, effect)
  // A skipped message also belongs to a conversation.
  else if (effect.kind === 'queue_message') customer.hasConversation = true
}

const uniqueWaits = (all: readonly Wait[]): Wait[] => [
  ...new Map(all.map(wait => [`${wait.kind} ${wait.eventType}`, wait])).values(),
]
