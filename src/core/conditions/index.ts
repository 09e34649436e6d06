export { type Comparison, Condition } from './condition.ts'
export { Budget, evaluateCondition, maxCost, maxTotalCost } from './evaluate.ts'
export {
  type Fault,
  faultsOfCondition,
  isKnownPath,
  type KnownPaths,
  maxPathShown,
  unknownPathMessage,
} from './faults.ts'
export { valueAt } from './value.ts'
