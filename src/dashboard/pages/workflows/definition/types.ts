/** What a definition is, as the interface has it. */
import type { Schemas } from '../../../api/client.ts'

export type Workflow = Schemas['Workflow']
export type Definition = Schemas['WorkflowDefinition']
/** A workflow whose draft can be drawn and edited, complete or not. */
export type DrawnWorkflow = Omit<Workflow, 'draft'> & { draft: Definition }
export type Condition = Schemas['Condition']
export type Comparison = Extract<Condition, { path: string }>
export type Step = Definition['steps'][string]
export type StepType = Step['type']
export type StepOf<Type extends StepType> = Extract<Step, { type: Type }>
export type WaitExit = StepOf<'wait_for'>['any'][number]
export type RunExit = NonNullable<Definition['exitOn']>[number]

/** In the order in which they are offered. */
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

/** A place in a definition and what is wrong with it: `steps.vip.text`. */
export interface Fault {
  place: string
  reason: string
}

/** The step a fault is about; `start` for what is wrong with how a run begins or ends. */
export const stepOfPlace = (place: string): string => {
  const [first, id] = place.split('.')
  return first === 'steps' && id !== undefined ? id : 'start'
}

/** What the interface says of `definition.steps.vip.text`, by the place in the definition. */
export const faultsOfDetails = (details: Record<string, string>): Fault[] =>
  Object.entries(details)
    .filter(([field]) => field === 'definition' || field.startsWith('definition.'))
    .map(([field, reason]) => ({ place: field.slice('definition.'.length), reason }))
