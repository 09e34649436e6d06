import type { Fault, Workflow } from './definition/types.ts'
import type { Draft } from './draft.ts'

/** What each view of a workflow is given. */
export interface ViewOf {
  workflow: Workflow
  draft: Draft
  faults: Fault[]
  readOnly: boolean
  /** The step whose form is open. */
  step: string | undefined
  /** The event to try it on. */
  event: string | undefined
  open: (step: string | undefined) => void
  /** Shows the editor. */
  edit: () => void
  /** Answers the workflow as it is then, or null where it could not be saved. */
  save: () => Promise<Workflow | null>
}
