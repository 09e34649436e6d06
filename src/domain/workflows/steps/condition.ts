/** `condition`: the run takes one of two ways. */
import { Type } from '@sinclair/typebox'
import { Condition } from '../condition.ts'
import { holds } from '../facts.ts'
import { Next } from '../ids.ts'
import { faultsOfCondition, stepVocabulary } from '../vocabulary.ts'
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
  enter(step, { facts }) {
    const outcome = holds(step.if, facts) ? 'then' : 'else'
    return { outcome, next: step[outcome] }
  },
}
