/** What a step type is: everything that the rest of the service asks of it. One file each, listed in `index.ts`. */
import type { TObject } from '@sinclair/typebox'
import type { Budget, Fault } from '../../conditions/index.ts'
import type { StepOutcome } from '../../run-words.ts'
import type { Arrival, WaitsFor } from '../arrivals.ts'
import type { Effect } from '../effects.ts'
import type { SeenFacts } from '../facts.ts'

interface AnyStepType<Step extends { type: string }> {
  /** Its shape in a definition, for the check of bodies and the published document. */
  readonly schema: TObject
  /** The fields that point to other steps, with what they point to; null = the run ends there. */
  pointers(step: Step): Record<string, string | null>
  /** What its shape cannot say, each under its field. A definition that runs is held to it, also in a trial. */
  faults?(step: Step): Iterable<Fault>
  /** Texts that are still empty, each under its field. Publishing is refused because of them, a trial is not. */
  unfinished?(step: Step): Iterable<Fault>
  /** What it asks of publishing: records that the workspace must have. */
  references?(step: Step): Iterable<Reference>
}

/** A step that is done at once. */
interface PassingStepType<Step extends { type: string }> extends AnyStepType<Step> {
  /** What it does when a run comes to it. Pure. */
  enter(step: Step, visit: Visit): Exclude<StepResult, { waitUntil: Date }>
  endOfWait?: undefined
  minWaitMs?: undefined
  resume?: undefined
  waitsFor?: undefined
  answeredBy?: undefined
}

/** A step at which a run may wait. */
interface WaitingStepType<Step extends { type: string }> extends AnyStepType<Step> {
  /** What it does when a run comes to it. Pure. */
  enter(step: Step, visit: Visit): StepResult
  /** When a wait that began then is over, by the clocks of the zone where the step names none. */
  endOfWait(step: Step, from: Date, zone: string): Date
  /** Milliseconds that it waits at least; a circle of steps must hold one that waits a second. */
  minWaitMs(step: Step): number
  /** Where a run goes that waited at it, now that its time has come; with an outcome it is an entry of the trace. */
  resume(step: Step): { next: string | null; outcome?: StepOutcome }
  /** What may end the wait before its time; nothing may, where it is left out. */
  waitsFor?(step: Step): WaitsFor[]
  /** Where a run goes for which this arrived; null where it is not what is waited for. Pure. */
  answeredBy?(step: Step, arrival: Arrival, visit: Visit): Answered | null
}

export type StepType<Step extends { type: string }> = PassingStepType<Step> | WaitingStepType<Step>

/** A record that a step names. */
export type Reference = {
  id: string
  /** The field of the step that names it. */
  field: string
} & (
  | { kind: 'channel' }
  /** What it gives for the template's variables, in the field `variablesField`. */
  | { kind: 'template'; variables: Record<string, string>; variablesField: string }
)

/** The moment at which a run comes to a step. */
export interface Visit {
  facts: SeenFacts
  /** What the conditions of the visit may still look at, all together. */
  budget: Budget
  /**
   * From when a wait is counted. The first of a run counts from the moment its event was recorded, a later one from the
   * moment it is entered (contract 8.2).
   */
  waitsFrom: Date
  /** What time it is. */
  now: Date
}

/** What a step did, in a word for the trace. */
interface Done {
  outcome: StepOutcome
  detail?: Record<string, unknown>
  effects?: Effect[]
}

/** The run goes on at once. */
export type Passed = Done & { next: string | null }

/** A wait has ended. */
export type Answered = Omit<Passed, 'effects'>

/** The run goes on at once, waits at the step, or ends there with the reason that the definition gives. */
export type StepResult = Passed | (Done & { waitUntil: Date }) | (Done & { exit: string })
