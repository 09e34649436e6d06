export { type Comparison, Condition } from './condition.ts'
export { Budget, holds, maxLookedAt, maxLookedAtTogether } from './evaluate.ts'
export { type Fault, faultsOfCondition, isKnown, maxShown, unknownPath, type Vocabulary } from './faults.ts'
export { valueAt } from './value.ts'
