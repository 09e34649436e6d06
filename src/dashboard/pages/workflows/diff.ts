/** Differences between the steps of two definitions. */
import { same } from './definition/edit.ts'
import type { Definition } from './definition/types.ts'

export interface Difference {
  added: string[]
  removed: string[]
  changed: string[]
  /** True if the trigger or the exit rules differ. */
  start: boolean
}

export const differenceOf = (before: Definition, after: Definition): Difference => {
  const [{ steps: old, ...oldRest }, { steps, ...rest }] = [before, after]
  return {
    added: Object.keys(steps).filter(id => !Object.hasOwn(old, id)),
    removed: Object.keys(old).filter(id => !Object.hasOwn(steps, id)),
    changed: Object.keys(steps).filter(id => Object.hasOwn(old, id) && !same(old[id], steps[id])),
    start: !same(oldRest, rest),
  }
}
