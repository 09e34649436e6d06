/** Step `condition`: chooses one of two branches. */
import { Type } from '@sinclair/typebox'
import { Budget, Condition, evaluateCondition, faultsOfCondition, maxCost } from '../../core/conditions/index.ts'
import { Next } from '../ids.ts'
import { stepVocabulary } from '../vocabulary.ts'
import type { StepType } from './step.ts'

const ConditionStep = Type.Object(
  {
    type: Type.Literal('condition', { description: 'Chooses the next step by a condition.' }),
    if: Condition,
    then: Next,
    else: Next,
  },
  { additionalProperties: false, $id: 'ConditionStep' },
)
/** Written by hand, because TypeBox cannot derive a recursive type. */
type ConditionStep = { type: 'condition'; if: Condition; then: string | null; else: string | null }

/** Maximum number of absent paths reported in the trace. */
const maxAbsent = 10

export const condition: StepType<ConditionStep> = {
  schema: ConditionStep,
  pointers: step => ({ then: step.then, else: step.else }),
  faults: step => faultsOfCondition(step.if, 'if', stepVocabulary),
  enter(step, { facts, budget }) {
    const stepBudget = new Budget(maxCost, budget)
    const absent = new Set<string>()
    const outcome = evaluateCondition(step.if, facts, stepBudget, path => absent.size < maxAbsent && absent.add(path))
      ? 'then'
      : 'else'
    const detail = {
      ...(stepBudget.isExceeded && { reason: 'too_much_to_compare' }),
      ...(absent.size > 0 && { absent: [...absent] }),
    }
    return { outcome, ...(Object.keys(detail).length > 0 && { detail }), next: step[outcome] }
  },
}
