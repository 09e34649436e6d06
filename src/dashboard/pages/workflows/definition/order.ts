/** Definition in reading order: the trigger first, then the steps in the order in which they follow each other. */
import { pointersOf } from './edit.ts'
import type { Definition, Step } from './types.ts'

const fieldOrder = ['type', 'path', 'op', 'value', 'eventType', 'where', 'event', 'match', 'reply']
const lastFields = ['next', 'then', 'else', 'onTimeout', 'any', 'reason']

const rankOf = (name: string): number => {
  const early = fieldOrder.indexOf(name)
  if (early >= 0) return early
  const late = lastFields.indexOf(name)
  return late >= 0 ? 1000 + late : 500
}

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => rankOf(one) - rankOf(other))
      .map(([name, part]) => [name, sorted(part)]),
  )
}

export const ordered = ({ trigger, entry, exitOn, start, steps, ...rest }: Definition): Definition => {
  const found: [string, Step][] = []
  const seen = new Set<string>()
  const open = [start]
  for (let id = open.shift(); id !== undefined; id = open.shift()) {
    const step = Object.hasOwn(steps, id) ? steps[id] : undefined
    if (!step || seen.has(id)) continue
    seen.add(id)
    found.push([id, sorted(step) as Step])
    for (const { target } of pointersOf(step)) if (target) open.push(target)
  }
  for (const [id, step] of Object.entries(steps)) if (!seen.has(id)) found.push([id, sorted(step) as Step])
  return {
    trigger: sorted(trigger) as Definition['trigger'],
    ...(entry !== undefined && { entry }),
    ...(exitOn !== undefined && { exitOn: sorted(exitOn) as NonNullable<Definition['exitOn']> }),
    start,
    steps: Object.fromEntries(found),
    ...rest,
  }
}
