/** Definition in reading order: the trigger first, then the steps in the order in which they follow each other. */
import { listPointers } from './edit.ts'
import type { Definition, Step } from './types.ts'

const fieldOrder = ['type', 'path', 'op', 'value', 'eventType', 'where', 'event', 'match', 'reply']
const lastFields = ['next', 'then', 'else', 'onTimeout', 'any', 'reason']

const fieldRank = (name: string): number => {
  const firstIndex = fieldOrder.indexOf(name)
  if (firstIndex >= 0) return firstIndex
  const lastIndex = lastFields.indexOf(name)
  return lastIndex >= 0 ? 1000 + lastIndex : 500
}

const sortFields = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortFields)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => fieldRank(one) - fieldRank(other))
      .map(([name, child]) => [name, sortFields(child)]),
  )
}

export const sortDefinition = ({ trigger, entry, exitOn, start, steps, ...rest }: Definition): Definition => {
  const orderedSteps: [string, Step][] = []
  const visited = new Set<string>()
  const queue = [start]
  for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
    const step = Object.hasOwn(steps, id) ? steps[id] : undefined
    if (!step || visited.has(id)) continue
    visited.add(id)
    orderedSteps.push([id, sortFields(step) as Step])
    for (const { target } of listPointers(step)) if (target) queue.push(target)
  }
  for (const [id, step] of Object.entries(steps))
    if (!visited.has(id)) orderedSteps.push([id, sortFields(step) as Step])
  return {
    trigger: sortFields(trigger) as Definition['trigger'],
    ...(entry !== undefined && { entry }),
    ...(exitOn !== undefined && { exitOn: sortFields(exitOn) as NonNullable<Definition['exitOn']> }),
    start,
    steps: Object.fromEntries(orderedSteps),
    ...rest,
  }
}
