/** `condition`: the run takes one of two ways. */
import { Type } from '@sinclair/typebox'
import { Budget, Condition, faultsOfCondition, holds, maxLookedAt } from '../../conditions/index.ts'
import { Next } from '../ids.ts'
import { stepVocabulary } from '../vocabulary.ts'
import type { StepType } from './step.ts'

const ConditionStep = Type.Object(
  { type: Type.Literal('condition'), if: Condition, then: Next, else: Next },
  { additionalProperties: false },
)
/** By hand: a recursive shape has no type that TypeBox could tell. */
type ConditionStep = { type: 'condition'; if: Condition; then: string | null; else: string | null }

export const condition: StepType<ConditionStep> = {
  schema: ConditionStep,
  pointers: step => ({ then: step.then, else: step.else }),
  faults: step => faultsOfCondition(step.if, 'if', stepVocabulary),
  enter(step, { facts, budget }) {
    const own = new Budget(maxLookedAt, budget)
    const outcome = holds(step.if, facts, own) ? 'then' : 'else'
    return { outcome, ...(own.exceeded && { detail: { reason: 'too_much_to_compare' } }), next: step[outcome] }
  },
}
