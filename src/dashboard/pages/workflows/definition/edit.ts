/** Pure functions that change a definition and return a new one. They do not validate it: `check.ts` does. */
import type { Definition, DrawnWorkflow, Step, StepType, Workflow } from './types.ts'

/** Reference from a step to the next one: `next`, `then`, `else`, `onTimeout`, `any.0`. */
export interface Pointer {
  name: string
  target: string | null
}

/** Returns the references of a step in drawing order. */
export const listPointers = (step: Step): Pointer[] => {
  switch (step.type) {
    case 'condition':
      return [
        { name: 'then', target: step.then },
        { name: 'else', target: step.else },
      ]
    case 'wait_for':
      return [
        ...(Array.isArray(step.any) ? step.any : []).map((exit, index) => ({
          name: `any.${index}`,
          target: exit.next,
        })),
        { name: 'onTimeout', target: step.onTimeout },
      ]
    case 'exit':
      return []
    default:
      return [{ name: 'next', target: step.next }]
  }
}

/** Returns the step with one reference changed. */
const setPointer = (step: Step, name: string, target: string | null): Step => {
  if (step.type === 'wait_for' && name.startsWith('any.')) {
    const index = Number(name.slice('any.'.length))
    return { ...step, any: step.any.map((exit, at) => (at === index ? { ...exit, next: target } : exit)) }
  }
  return { ...step, [name]: target } as Step
}

const mapPointers = (step: Step, change: (target: string | null) => string | null): Step =>
  listPointers(step).reduce((changed, { name, target }) => setPointer(changed, name, change(target)), step)

export const setStep = (definition: Definition, id: string, step: Step): Definition => ({
  ...definition,
  steps: { ...definition.steps, [id]: step },
})

/** Position of a new step: after a reference of a step, or at the start. */
export interface InsertPosition {
  from: string | null
  name: string
}

/** Inserts a new step at the gap. Also returns its id. */
export const insertStep = (
  definition: Definition,
  gap: InsertPosition,
  type: StepType,
): { definition: Definition; id: string } => {
  const id = findFreeId(definition, type)
  const from = gap.from === null ? null : definition.steps[gap.from]
  const target = from ? (listPointers(from).find(({ name }) => name === gap.name)?.target ?? null) : definition.start
  const steps = Object.entries(definition.steps).flatMap(([stepId, step]): [string, Step][] =>
    stepId === gap.from
      ? [
          [stepId, setPointer(step, gap.name, id)],
          [id, newStep(type, target)],
        ]
      : [[stepId, step]],
  )
  if (gap.from === null) steps.unshift([id, newStep(type, target)])
  return {
    id,
    definition: {
      ...definition,
      ...(gap.from === null && { start: id }),
      steps: Object.fromEntries(steps),
    },
  }
}

/** Removes a step. References to it lead to its first successor. The only step cannot be removed. */
export const removeStep = (definition: Definition, id: string): Definition => {
  const step = definition.steps[id]
  if (!step || Object.keys(definition.steps).length === 1) return definition
  const [first] = listPointers(step).map(({ target }) => (target === id ? null : target))
  const successor = first ?? null
  const steps = Object.fromEntries(
    Object.entries(definition.steps)
      .filter(([stepId]) => stepId !== id)
      .map(([stepId, other]) => [stepId, mapPointers(other, target => (target === id ? successor : target))]),
  )
  const start = definition.start === id ? (successor ?? Object.keys(steps)[0]!) : definition.start
  return { ...definition, start, steps }
}

/** Renames a step and updates all references to it. */
export const renameStep = (definition: Definition, id: string, to: string): Definition => ({
  ...definition,
  start: definition.start === id ? to : definition.start,
  steps: Object.fromEntries(
    Object.entries(definition.steps).map(([stepId, step]) => [
      stepId === id ? to : stepId,
      mapPointers(step, target => (target === id ? to : target)),
    ]),
  ),
})

const baseIds: Record<StepType, string> = {
  send_message: 'message',
  send_template: 'template',
  delay: 'wait',
  wait_for: 'answer',
  condition: 'check',
  set_attribute: 'attribute',
  mark_sale: 'sale',
  exit: 'end',
}

const findFreeId = ({ steps }: Definition, type: StepType): string => {
  const base = baseIds[type]
  for (let number = 1; ; number++) {
    const id = number === 1 ? base : `${base}-${number}`
    if (!Object.hasOwn(steps, id)) return id
  }
}

const newStep = (type: StepType, next: string | null): Step => {
  switch (type) {
    case 'delay':
      return { type, for: '1h', next }
    case 'condition':
      return { type, if: { path: 'data.total', op: 'gte', value: 100 }, then: next, else: next }
    case 'send_message':
      return { type, text: '', next }
    case 'send_template':
      return { type, templateId: '', variables: {}, next }
    case 'wait_for':
      return { type, timeout: '2d', onTimeout: next, any: [{ reply: {}, next }] }
    case 'mark_sale':
      return { type, amount: '{{data.total}}', currency: '{{data.currency}}', next }
    case 'set_attribute':
      return { type, set: { lastSeen: '{{now}}' }, next }
    case 'exit':
      return { type, reason: 'done' }
  }
}

/** Returns the initial definition of a new workflow. */
export const initialDefinition = (eventType: string, text: string): Definition => ({
  trigger: { eventType },
  start: 'message',
  steps: { message: { type: 'send_message', text, next: null } },
})

/** Compares two values as JSON, ignoring the order of fields. */
export const isEqual = (one: unknown, other: unknown): boolean => {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const [names, others] = [definedKeys(one), definedKeys(other)]
  return (
    names.length === others.length &&
    names.every(name => Object.hasOwn(other, name) && isEqual(Reflect.get(one, name), Reflect.get(other, name)))
  )
}

const definedKeys = (value: object): string[] =>
  Object.keys(value).filter(name => Reflect.get(value, name) !== undefined)

/** Returns true if the definition can be drawn, even with errors. */
export const isDrawable = (value: unknown): value is Definition => {
  if (!isRecord(value) || !isRecord(value.trigger) || !isRecord(value.steps)) return false
  return (
    typeof value.start === 'string' &&
    Object.values(value.steps).every(
      step =>
        isRecord(step) &&
        typeof step.type === 'string' &&
        (step.any === undefined || (Array.isArray(step.any) && step.any.every(isRecord))),
    )
  )
}

/** Returns the workflow with its draft as a definition. Every draft that the API stores can be drawn. */
export const toDrawnWorkflow = (workflow: Workflow): DrawnWorkflow => {
  const { draft } = workflow
  if (!isDrawable(draft)) throw new Error('The draft cannot be drawn.')
  return { ...workflow, draft }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
