/**
 * Registry of step types. A stored definition can name other types, of a newer release that runs in parallel or of an
 * older one.
 */
import { type TObject, Type } from '@sinclair/typebox'
import { condition } from './condition.ts'
import { delay } from './delay.ts'
import { exit } from './exit.ts'
import { markSale } from './mark-sale.ts'
import { sendMessage } from './send-message.ts'
import { sendTemplate } from './send-template.ts'
import { setAttribute } from './set-attribute.ts'
import type { StepType } from './step.ts'
import { waitFor } from './wait-for.ts'

export type { Reference, StepContext, StepType } from './step.ts'

/** Step types by the value of `type`. The published document lists them in this order. */
const stepTypes = {
  delay,
  condition,
  send_message: sendMessage,
  send_template: sendTemplate,
  wait_for: waitFor,
  mark_sale: markSale,
  set_attribute: setAttribute,
  exit,
}

export type StepTypes = typeof stepTypes
export type StepTypeName = keyof StepTypes
type StepOf<T> = T extends StepType<infer S> ? S : never

/** Step of any known type. */
export type Step = StepOf<StepTypes[StepTypeName]>

const names = Object.keys(stepTypes) as StepTypeName[]

export const Step = Type.Union(
  names.map((name): TObject => stepTypes[name].schema),
  { $id: 'WorkflowStep', description: `One of the steps ${names.map(name => `\`${name}\``).join(', ')}.` },
)

/** Returns the type of a step, or undefined if this process does not know it. */
export const stepTypeOf = (step: Step): StepType<Step> | undefined =>
  // The cast is safe: each entry accepts only steps with its own name, which is the name looked up.
  Object.hasOwn(stepTypes, step.type) ? (stepTypes[step.type] as unknown as StepType<Step>) : undefined
