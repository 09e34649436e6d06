/** What a step type is: everything that the rest of the service asks of it. One file each, listed in `index.ts`. */
import type { TObject } from '@sinclair/typebox'
import type { Effect } from '../effects.ts'
import type { RunFacts } from '../facts.ts'
import type { Fault } from '../vocabulary.ts'

export interface StepType<Step extends { type: string }> {
  /** Its shape in a definition, for the check of bodies and the published document. */
  readonly schema: TObject
  /** The fields that point to other steps, with what they point to; null = the run ends there. */
  pointers(step: Step): Record<string, string | null>
  /** What its shape cannot say, each under its field. A draft is held to it, and so is what is published. */
  faults?(step: Step): Iterable<Fault>
  /** What it asks of publishing: records that the workspace must have. */
  references?(step: Step): Iterable<Reference>
  /** Milliseconds that it waits at least; a circle of steps must hold one that waits a second. None by default. */
  minWaitMs?(step: Step): number
  /** What it does when a run comes to it. Pure. */
  enter(step: Step, visit: Visit): StepResult
  /** Where a run goes that waited at it, now that its time has come. Only steps that wait have it. */
  resume?(step: Step): string | null
}

/** A record that a step names. */
export interface Reference {
  kind: 'channel'
  id: string
  /** The field of the step that names it. */
  field: string
}

/** The moment at which a run comes to a step. */
export interface Visit {
  facts: RunFacts
  /**
   * From when a wait is counted. The first of a run counts from the moment its event was recorded, a later one from the
   * moment it is entered (contract 8.2).
   */
  waitsFrom: Date
}

/** What a step did, in a word of its own for the trace: the run goes on at once, or waits at the step. */
export type StepResult = { outcome: string; detail?: Record<string, unknown>; effects?: Effect[] } & (
  | { next: string | null }
  | { waitUntil: Date }
)
