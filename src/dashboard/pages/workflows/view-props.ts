import type { DrawnWorkflow, Fault } from './definition/types.ts'
import type { ShownFaults } from './faults/useShownFaults.ts'
import type { WorkflowSearch } from './search.ts'
import type { Draft } from './useDraft.ts'

/** Draft as saved, with all errors that prevent its use. */
export interface PreparedDraft {
  workflow: DrawnWorkflow
  faults: Fault[]
}

/** Properties of every view of a workflow. */
export interface ViewProps {
  workflow: DrawnWorkflow
  draft: Draft
  /** Errors to show. */
  faults: Fault[]
  shownFaults: ShownFaults
  readOnly: boolean
  /** Whether the test is open beside the editor. */
  isTesting: boolean
  /** Step whose form is open. */
  step: string | undefined
  /** Event for a dry run. */
  event: string | undefined
  /** Version and filters of the history and the runs. */
  search: WorkflowSearch
  open: (step: string | undefined) => void
  /** Opens the editor, with the form of the step that the error refers to. */
  edit: (fault?: Fault) => void
  /** Saves the draft and shows all its errors. Returns null if it was not saved; the page then shows the reason. */
  prepare: () => Promise<PreparedDraft | null>
  /** Publishes the draft. null if there is nothing to publish. */
  publish: (() => void) | null
  /** Shows the errors of the definition that an API error names. Returns false if it names none. */
  showApiFaults: (error: unknown) => boolean
}
