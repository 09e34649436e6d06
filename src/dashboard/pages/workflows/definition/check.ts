/** Local validation of a definition while it is edited. The API makes the final decision when it is saved. */
import { listPointers } from './edit.ts'
import type { Definition, Fault } from './types.ts'

/** Error reasons, with texts under `workflows.fault.<reason>`. */
export type Reason = 'unknownStep' | 'unreachable' | 'empty' | 'idPattern' | 'noTemplate'

export interface LocalFault {
  path: string
  reason: Reason
  values?: Record<string, string>
}

export const stepIdPattern = /^[A-Za-z][A-Za-z0-9_?-]{0,63}$/

export const findFaults = (definition: Definition): LocalFault[] => [...generateFaults(definition)]

function* generateFaults({ trigger, start, steps }: Definition): Generator<LocalFault> {
  if (typeof trigger.eventType !== 'string' || trigger.eventType.trim() === '')
    yield { path: 'trigger.eventType', reason: 'empty' }
  if (!Object.hasOwn(steps, start)) yield { path: 'start', reason: 'unknownStep', values: { id: start } }
  for (const [id, step] of Object.entries(steps)) {
    const path = `steps.${id}`
    if (!stepIdPattern.test(id)) yield { path, reason: 'idPattern' }
    for (const { name, target } of listPointers(step))
      if (typeof target === 'string' && !Object.hasOwn(steps, target))
        yield { path: `${path}.${name}`, reason: 'unknownStep', values: { id: target } }
    for (const name of required[step.type] ?? []) {
      const value: unknown = Reflect.get(step, name)
      if (isBlank(value)) yield { path: `${path}.${name}`, reason: name === 'templateId' ? 'noTemplate' : 'empty' }
    }
    if (step.type === 'send_template')
      for (const [name, text] of Object.entries(step.variables ?? {}))
        if (isBlank(text)) yield { path: `${path}.variables.${name}`, reason: 'empty' }
  }
  const reachableIds = findReachable({ start, steps })
  for (const id of Object.keys(steps)) if (!reachableIds.has(id)) yield { path: `steps.${id}`, reason: 'unreachable' }
}

const isBlank = (value: unknown): boolean => typeof value !== 'string' || value.trim() === ''

const required: Partial<Record<string, string[]>> = {
  send_message: ['text'],
  send_template: ['templateId'],
  wait_for: ['timeout'],
  mark_sale: ['currency'],
  exit: ['reason'],
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
