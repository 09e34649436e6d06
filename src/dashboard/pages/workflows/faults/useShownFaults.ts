/** Errors to show. A new step shows an error only once the person leaves its field, leaves the step, or publishes. */
import { useMemo, useState } from 'react'
import { type Fault, getStepId } from '../definition/types.ts'

export interface ShownFaults {
  faults: Fault[]
  /** Hides the errors of a step that was just added. */
  addStep: (id: string) => void
  /** Shows the errors of a place such as `steps.vip.text`. */
  leaveField: (path: string) => void
  /** Shows all errors of a step. */
  leaveStep: (id: string) => void
  showAll: () => void
}

const isAtOrBelow = (path: string, place: string) => path === place || path.startsWith(`${place}.`)

/** `initial` are the steps whose errors are hidden at first. */
export const useShownFaults = (faults: Fault[], initial: readonly string[]): ShownFaults => {
  const [newSteps, setNewSteps] = useState(initial)
  const [leftFields, setLeftFields] = useState<readonly string[]>([])
  const shown = useMemo(
    () =>
      faults.filter(
        ({ path }) => !newSteps.includes(getStepId(path)) || leftFields.some(field => isAtOrBelow(path, field)),
      ),
    [faults, newSteps, leftFields],
  )
  return {
    faults: shown,
    addStep: id => setNewSteps(steps => [...steps, id]),
    leaveField: path => setLeftFields(fields => (fields.includes(path) ? fields : [...fields, path])),
    leaveStep: id => {
      setNewSteps(steps => (steps.includes(id) ? steps.filter(step => step !== id) : steps))
      setLeftFields(fields => fields.filter(path => getStepId(path) !== id))
    },
    showAll: () => setNewSteps([]),
  }
}
