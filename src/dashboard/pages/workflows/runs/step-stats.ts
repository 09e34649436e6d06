/** Statistics of the messages of a step. */
import type { Schemas } from '../../../api/client.ts'
import type { Definition } from '../definition/types.ts'

export type StepStats = Schemas['WorkflowStepStats']

/** Numbers of messages of a step, in the order of a table. */
export const messageCounts = ['sent', 'delivered', 'read', 'replied', 'failed'] as const

/** Returns true for a step that sends messages, in the shown version or in another one that sent some. */
export const isSending = (definition: Definition, step: StepStats): boolean => {
  const type = Object.hasOwn(definition.steps, step.stepId) ? definition.steps[step.stepId]?.type : undefined
  return type === 'send_message' || type === 'send_template' || step.sent + step.failed > 0
}

/**
 * Returns the number of runs that an event, an opt-out, a person or an error ended at the step: all that reached it and
 * neither wait there nor left.
 */
export const endedAt = ({ entered, left, waiting }: StepStats): number => Math.max(entered - left - waiting, 0)
