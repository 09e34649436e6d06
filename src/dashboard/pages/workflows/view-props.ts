import type { DrawnWorkflow, Fault } from './definition/types.ts'
import type { Draft } from './useDraft.ts'

/** Properties of every view of a workflow. */
export interface ViewProps {
  workflow: DrawnWorkflow
  draft: Draft
  faults: Fault[]
  readOnly: boolean
  /** Step whose form is open. */
  step: string | undefined
  /** Event for a dry run. */
  event: string | undefined
  open: (step: string | undefined) => void
  /** Opens the editor, with the form of the step that the error refers to. */
  edit: (fault?: Fault) => void
  /**
   * Returns the workflow as saved, complete or not. Returns null if it was not saved; the page then shows the reason.
   */
  save: () => Promise<DrawnWorkflow | null>
  /** Shows the errors of the definition that an API error names. Returns false if it names none. */
  showApiFaults: (error: unknown) => boolean
}
