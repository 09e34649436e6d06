/** Differences between the steps of two definitions. */
import { isEqual } from '../definition/edit.ts'
import type { Definition } from '../definition/types.ts'

export interface Difference {
  added: string[]
  removed: string[]
  changed: string[]
  /** True if the trigger or the exit rules differ. */
  start: boolean
}

export const diffDefinitions = (before: Definition, after: Definition): Difference => {
  const [{ steps: oldSteps, ...oldRest }, { steps, ...rest }] = [before, after]
  return {
    added: Object.keys(steps).filter(id => !Object.hasOwn(oldSteps, id)),
    removed: Object.keys(oldSteps).filter(id => !Object.hasOwn(steps, id)),
    changed: Object.keys(steps).filter(id => Object.hasOwn(oldSteps, id) && !isEqual(oldSteps[id], steps[id])),
    start: !isEqual(oldRest, rest),
  }
}
