/** Local validation of a definition while it is edited. The API makes the final decision when it is saved. */
import { pointersOf } from './edit.ts'
import type { Definition, Fault } from './types.ts'

/** Error reasons, with texts under `workflows.fault.<reason>`. */
export type Reason = 'unknownStep' | 'unreachable' | 'empty' | 'idPattern' | 'noTemplate'

export interface Finding {
  place: string
  reason: Reason
  values?: Record<string, string>
}

export const stepIdPattern = /^[A-Za-z][A-Za-z0-9_?-]{0,63}$/

export const findingsOf = (definition: Definition): Finding[] => [...found(definition)]

function* found({ trigger, start, steps }: Definition): Generator<Finding> {
  if (typeof trigger.eventType !== 'string' || trigger.eventType.trim() === '')
    yield { place: 'trigger.eventType', reason: 'empty' }
  if (!Object.hasOwn(steps, start)) yield { place: 'start', reason: 'unknownStep', values: { id: start } }
  for (const [id, step] of Object.entries(steps)) {
    const place = `steps.${id}`
    if (!stepIdPattern.test(id)) yield { place, reason: 'idPattern' }
    for (const { name, target } of pointersOf(step))
      if (typeof target === 'string' && !Object.hasOwn(steps, target))
        yield { place: `${place}.${name}`, reason: 'unknownStep', values: { id: target } }
    for (const name of required[step.type] ?? []) {
      const value: unknown = Reflect.get(step, name)
      if (isBlank(value)) yield { place: `${place}.${name}`, reason: name === 'templateId' ? 'noTemplate' : 'empty' }
    }
    if (step.type === 'send_template')
      for (const [name, text] of Object.entries(step.variables ?? {}))
        if (isBlank(text)) yield { place: `${place}.variables.${name}`, reason: 'empty' }
  }
  const reached = reachable({ start, steps })
  for (const id of Object.keys(steps)) if (!reached.has(id)) yield { place: `steps.${id}`, reason: 'unreachable' }
}

const isBlank = (value: unknown): boolean => typeof value !== 'string' || value.trim() === ''

const required: Partial<Record<string, string[]>> = {
  send_message: ['text'],
  send_template: ['templateId'],
  wait_for: ['timeout'],
  mark_sale: ['currency'],
  exit: ['reason'],
}

const reachable = ({ start, steps }: Pick<Definition, 'start' | 'steps'>): Set<string> => {
  const reached = new Set<string>()
  const open = [start]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const step = Object.hasOwn(steps, id) ? steps[id] : undefined
    if (reached.has(id) || !step) continue
    reached.add(id)
    for (const { target } of pointersOf(step)) if (target) open.push(target)
  }
  return reached
}

/** Keeps the first error of each place. */
export const oncePerPlace = (faults: Fault[]): Fault[] => {
  const places = new Set<string>()
  return faults.filter(({ place }) => !places.has(place) && places.add(place))
}
