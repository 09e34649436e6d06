import type { DrawnWorkflow, Fault } from './definition/types.ts'
import type { Draft } from './draft.ts'

/** What each view of a workflow is given. */
export interface ViewOf {
  workflow: DrawnWorkflow
  draft: Draft
  faults: Fault[]
  readOnly: boolean
  /** The step whose form is open. */
  step: string | undefined
  /** The event to try it on. */
  event: string | undefined
  open: (step: string | undefined) => void
  /** Shows the editor, with the form of the step that a fault is about. */
  edit: (fault?: Fault) => void
  /** Returns the workflow as saved, complete or not; null if it was not saved, which the page then says. */
  save: () => Promise<DrawnWorkflow | null>
  /** Takes over the faults of the definition that an error names. Returns false if it names none. */
  refused: (error: unknown) => boolean
}
