/** Local validation of a definition while it is edited. The API makes the final decision when it is saved. */
import { parseDuration } from '../duration.ts'
import { listPointers } from './edit.ts'
import type { Definition, Fault, Step } from './types.ts'

/** Error reasons, with texts under `workflows.fault.<reason>`. */
export type Reason =
  | 'unknownStep'
  | 'unreachable'
  | 'idPattern'
  | 'noTrigger'
  | 'noEvent'
  | 'noTemplate'
  | 'noVariable'
  | 'noField'
  | 'noAttribute'
  | 'longDuration'
  | (typeof required)[keyof typeof required]['reason']

export interface LocalFault {
  path: string
  reason: Reason
  values?: Record<string, string>
}

export const stepIdPattern = /^[A-Za-z][A-Za-z0-9_?-]{0,63}$/

export const findFaults = (definition: Definition): LocalFault[] => [...generateFaults(definition)]

function* generateFaults({ trigger, start, steps }: Definition): Generator<LocalFault> {
  if (typeof trigger.eventType !== 'string' || trigger.eventType.trim() === '')
    yield { path: 'trigger.eventType', reason: 'noTrigger' }
  if (!Object.hasOwn(steps, start)) yield { path: 'start', reason: 'unknownStep', values: { id: start } }
  for (const [id, step] of Object.entries(steps)) {
    const path = `steps.${id}`
    if (!stepIdPattern.test(id)) yield { path, reason: 'idPattern' }
    for (const { name, target } of listPointers(step))
      if (typeof target === 'string' && !Object.hasOwn(steps, target))
        yield { path: `${path}.${name}`, reason: 'unknownStep', values: { id: target } }
    yield* generateStepFaults(step, path)
  }
  const reachableIds = findReachable({ start, steps })
  for (const id of Object.keys(steps)) if (!reachableIds.has(id)) yield { path: `steps.${id}`, reason: 'unreachable' }
}

const isBlank = (value: unknown): boolean => typeof value !== 'string' || value.trim() === ''

/** Texts that a step must have. */
const required = {
  send_message: { name: 'text', reason: 'noText' },
  delay: { name: 'for', reason: 'noDuration' },
  wait_for: { name: 'timeout', reason: 'noTimeout' },
  mark_sale: { name: 'currency', reason: 'noCurrency' },
  exit: { name: 'reason', reason: 'noReason' },
} as const

/** Longest delay or timeout. */
const maxWaitMs = 90 * 86_400_000

const isWaiting = (type: string): boolean => type === 'delay' || type === 'wait_for'

const isRequiring = (type: string): type is keyof typeof required => Object.hasOwn(required, type)

function* generateStepFaults(step: Step, path: string): Generator<LocalFault> {
  if (isRequiring(step.type) && !(step.type === 'delay' && step.until)) {
    const { name, reason } = required[step.type]
    const value: unknown = Reflect.get(step, name)
    if (isBlank(value)) yield { path: `${path}.${name}`, reason }
    else if (isWaiting(step.type) && (parseDuration(String(value)) ?? 0) > maxWaitMs)
      yield { path: `${path}.${name}`, reason: 'longDuration' }
  }
  switch (step.type) {
    case 'send_template':
      if (isBlank(step.templateId)) yield { path: `${path}.templateId`, reason: 'noTemplate' }
      for (const [name, text] of Object.entries(step.variables ?? {}))
        if (isBlank(text)) yield { path: `${path}.variables.${name}`, reason: 'noVariable', values: { name } }
      break
    case 'wait_for':
      for (const [index, exit] of (Array.isArray(step.any) ? step.any : []).entries())
        if ('event' in exit && isBlank(exit.event)) yield { path: `${path}.any.${index}.event`, reason: 'noEvent' }
      break
    case 'condition':
      if (listPaths(step.if).some(isBlank)) yield { path: `${path}.if`, reason: 'noField' }
      break
    case 'set_attribute':
      if (Object.keys(step.set ?? {}).some(isBlank)) yield { path: `${path}.set`, reason: 'noAttribute' }
  }
}

/** Returns the compared fields of a condition. A value of another shape has none: the API judges it. */
const listPaths = (condition: unknown): unknown[] => {
  if (typeof condition !== 'object' || condition === null) return []
  if ('path' in condition) return [condition.path]
  return Object.values(condition).flatMap(part => (Array.isArray(part) ? part.flatMap(listPaths) : listPaths(part)))
}

const findReachable = ({ start, steps }: Pick<Definition, 'start' | 'steps'>): Set<string> => {
  const reachableIds = new Set<string>()
  const queue = [start]
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    const step = Object.hasOwn(steps, id) ? steps[id] : undefined
    if (reachableIds.has(id) || !step) continue
    reachableIds.add(id)
    for (const { target } of listPointers(step)) if (target) queue.push(target)
  }
  return reachableIds
}

/** Keeps the first error of each place. */
export const dedupeByPath = (faults: Fault[]): Fault[] => {
  const paths = new Set<string>()
  return faults.filter(({ path }) => !paths.has(path) && paths.add(path))
}
