/** Types of a workflow definition, taken from the API. */
import type { Schemas } from '../../../api/client.ts'

export type Workflow = Schemas['Workflow']
export type Definition = Schemas['WorkflowDefinition']
/** Workflow whose draft can be drawn and edited, complete or not. */
export type DrawnWorkflow = Omit<Workflow, 'draft'> & { draft: Definition }
export type Condition = Schemas['Condition']
export type Comparison = Extract<Condition, { path: string }>
export type Step = Definition['steps'][string]
export type StepType = Step['type']
export type StepOf<Type extends StepType> = Extract<Step, { type: Type }>
export type WaitExit = StepOf<'wait_for'>['any'][number]
export type RunExit = NonNullable<Definition['exitOn']>[number]

/** Step types in the order of the menu. */
export const stepTypes = [
  'send_message',
  'send_template',
  'delay',
  'wait_for',
  'condition',
  'set_attribute',
  'mark_sale',
  'exit',
] as const satisfies readonly StepType[]

/** Error at a path in a definition, such as `steps.vip.text`. */
export interface Fault {
  path: string
  reason: string
}

/** Returns the step of a path; `start` for errors in the trigger or in the exit rules. */
export const getStepId = (path: string): string => {
  const [first, id] = path.split('.')
  return first === 'steps' && id !== undefined ? id : 'start'
}

/** Converts the API's error details, such as `definition.steps.vip.text`, to paths in the definition. */
export const toFaults = (details: Record<string, string>): Fault[] =>
  Object.entries(details)
    .filter(([field]) => field === 'definition' || field.startsWith('definition.'))
    .map(([field, reason]) => ({ path: field.slice('definition.'.length), reason }))
