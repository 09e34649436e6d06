/** Interface of a step type. Each type has its own file and is listed in `index.ts`. */
import type { TObject } from '@sinclair/typebox'
import type { Budget, Fault } from '../../core/conditions/index.ts'
import type { StepOutcome } from '../../core/statuses.ts'
import type { Arrival, Wait } from '../runs/arrivals.ts'
import type { Effect } from '../runs/effects.ts'
import type { ReadableFacts } from '../runs/facts.ts'

interface BaseStepType<Step extends { type: string }> {
  /** Schema in a definition, for validation and for the published document. */
  readonly schema: TObject
  /** Returns the fields that reference other steps, with the step ID. Null ends the run. */
  pointers(step: Step): Record<string, string | null>
  /**
   * Returns faults that the schema cannot express, by field. Every definition that runs must have none, including in a
   * test run.
   */
  faults?(step: Step): Iterable<Fault>
  /** Returns texts that are still empty, by field. They prevent publishing, but not a test run. */
  unfinished?(step: Step): Iterable<Fault>
  /** Returns the records that the workspace must have before publishing. */
  references?(step: Step): Iterable<Reference>
}

/** Step that finishes immediately. */
interface ImmediateStepType<Step extends { type: string }> extends BaseStepType<Step> {
  /** Executes the step. Pure. */
  enter(step: Step, context: StepContext): Exclude<StepResult, { waitUntil: Date }>
  endOfWait?: undefined
  minWaitMs?: undefined
  resume?: undefined
  waitsFor?: undefined
  matchArrival?: undefined
}

/** Step at which a run can wait. */
interface WaitingStepType<Step extends { type: string }> extends BaseStepType<Step> {
  /** Enters the step. Pure. */
  enter(step: Step, context: StepContext): StepResult
  /** Returns the end of a wait that began at `from`. `zone` applies if the step names no time zone. */
  endOfWait(step: Step, from: Date, zone: string): Date
  /** Returns the minimum wait in milliseconds. The waits of a loop must add up to at least one second. */
  minWaitMs(step: Step): number
  /** Returns the next step after the wait has timed out. An outcome adds an entry to the trace. */
  resume(step: Step): { next: string | null; outcome?: StepOutcome }
  /** Returns the arrivals that can end the wait early. Omit it if none can. */
  waitsFor?(step: Step): Wait[]
  /** Returns the next step for an arrival, or null if it does not end the wait. Pure. */
  matchArrival?(step: Step, arrival: Arrival, context: StepContext): ArrivalResult | null
}

export type StepType<Step extends { type: string }> = ImmediateStepType<Step> | WaitingStepType<Step>

/** Record that a step references. */
export type Reference = {
  id: string
  /** Field of the step that names the record. */
  field: string
} & (
  | { kind: 'channel' }
  /** Values for the variables of the template, from the field `variablesField`. */
  | { kind: 'template'; variables: Record<string, string>; variablesField: string }
)

/** Context of an execution when a run reaches a step. */
export interface StepContext {
  facts: ReadableFacts
  /** Remaining comparisons for all conditions of the execution. */
  budget: Budget
  /**
   * Time from which a wait is counted. The first wait of a run counts from the time its event was recorded. A later one
   * counts from the time it is entered (contract 8.2).
   */
  waitStart: Date
  /** Current time. */
  now: Date
}

/** Outcome of a step, for the trace. */
interface TracedResult {
  outcome: StepOutcome
  detail?: Record<string, unknown>
  effects?: Effect[]
}

/** Result of a step after which the run continues immediately. */
export type ContinueResult = TracedResult & { next: string | null }

/** Result of an arrival that ended a wait. */
export type ArrivalResult = Omit<ContinueResult, 'effects'>

/** Result of a step: the run continues immediately, waits, or ends with the reason in the definition. */
export type StepResult = ContinueResult | (TracedResult & { waitUntil: Date }) | (TracedResult & { exit: string })
