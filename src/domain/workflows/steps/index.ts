/**
 * The step types there are. A definition that is stored may name others: of a newer release that runs beside this one,
 * or of an older one whose step type is gone.
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

export type { Answered, Reference, StepResult, StepType, Visit } from './step.ts'

/** By the name that stands in `type`. In this order they are published. */
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

/** A step of any of the types. */
export type Step = StepOf<StepTypes[StepTypeName]>

const names = Object.keys(stepTypes) as StepTypeName[]

export const Step = Type.Union(
  names.map((name): TObject => stepTypes[name].schema),
  { $id: 'WorkflowStep', description: `One of the steps ${names.map(name => `\`${name}\``).join(', ')}.` },
)

/** The type of a step; undefined where this process does not know it. */
export const stepTypeOf = (step: Step): StepType<Step> | undefined =>
  // Each entry takes the steps of its own name alone, which is the one asked for here.
  Object.hasOwn(stepTypes, step.type) ? (stepTypes[step.type] as unknown as StepType<Step>) : undefined
