/** Interface of a step type. Each type has its own file and is listed in `index.ts`. */
import type { TObject } from '@sinclair/typebox'
import type { Budget, Fault } from '../../conditions/index.ts'
import type { StepOutcome } from '../../run-words.ts'
import type { Arrival, WaitsFor } from '../arrivals.ts'
import type { Effect } from '../effects.ts'
import type { SeenFacts } from '../facts.ts'

interface AnyStepType<Step extends { type: string }> {
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
interface PassingStepType<Step extends { type: string }> extends AnyStepType<Step> {
  /** Executes the step. Pure. */
  enter(step: Step, visit: Visit): Exclude<StepResult, { waitUntil: Date }>
  endOfWait?: undefined
  minWaitMs?: undefined
  resume?: undefined
  waitsFor?: undefined
  answeredBy?: undefined
}

/** Step at which a run can wait. */
interface WaitingStepType<Step extends { type: string }> extends AnyStepType<Step> {
  /** Enters the step. Pure. */
  enter(step: Step, visit: Visit): StepResult
  /** Returns the end of a wait that began at `from`. `zone` applies if the step names no time zone. */
  endOfWait(step: Step, from: Date, zone: string): Date
  /** Returns the minimum wait in milliseconds. The waits of a loop must add up to at least one second. */
  minWaitMs(step: Step): number
  /** Returns the next step after the wait has timed out. An outcome adds an entry to the trace. */
  resume(step: Step): { next: string | null; outcome?: StepOutcome }
  /** Returns the arrivals that can end the wait early. Omit it if none can. */
  waitsFor?(step: Step): WaitsFor[]
  /** Returns the next step for an arrival, or null if it does not end the wait. Pure. */
  answeredBy?(step: Step, arrival: Arrival, visit: Visit): Answered | null
}

export type StepType<Step extends { type: string }> = PassingStepType<Step> | WaitingStepType<Step>

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
export interface Visit {
  facts: SeenFacts
  /** Remaining comparisons for all conditions of the execution. */
  budget: Budget
  /**
   * Time from which a wait is counted. The first wait of a run counts from the time its event was recorded. A later one
   * counts from the time it is entered (contract 8.2).
   */
  waitsFrom: Date
  /** Current time. */
  now: Date
}

/** Outcome of a step, for the trace. */
interface Done {
  outcome: StepOutcome
  detail?: Record<string, unknown>
  effects?: Effect[]
}

/** Result of a step after which the run continues immediately. */
export type Passed = Done & { next: string | null }

/** Result of an arrival that ended a wait. */
export type Answered = Omit<Passed, 'effects'>

/** Result of a step: the run continues immediately, waits, or ends with the reason in the definition. */
export type StepResult = Passed | (Done & { waitUntil: Date }) | (Done & { exit: string })
