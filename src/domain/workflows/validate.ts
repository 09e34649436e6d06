/** What a schema cannot say of a definition: that its steps hang together. Pure. */
import { type Details, invalidRequest } from '../errors.ts'
import { durationMs } from './duration.ts'
import { placeholdersOf } from './facts.ts'
import type { Definition, Step } from './schema.ts'

const knownPath = /^(data|event|customer)(\.[^.\s]+)+$/

/**
 * Refuses (400) a definition whose steps point nowhere, cannot be reached, wait impossibly long, ask for values that
 * do not exist, or go in a circle without ever waiting. `root` is the field under which problems are named.
 */
export const checkDefinition = (definition: Definition, root = 'definition'): void => {
  const problems: Details = {}
  const { steps, start } = definition
  if (!Object.hasOwn(steps, start)) problems[`${root}.start`] = unknownStep(start, steps)
  for (const [id, step] of Object.entries(steps)) {
    for (const [field, reason] of Object.entries(problemsOfStep(step, steps)))
      problems[`${root}.steps.${id}.${field}`] = reason
  }
  if (Object.keys(problems).length === 0) Object.assign(problems, problemsOfPaths(definition, root))
  if (Object.keys(problems).length > 0) throw invalidRequest(problems)
}

const unknownStep = (id: string, steps: Definition['steps']): string =>
  `There is no step "${id}"; the steps are ${Object.keys(steps).slice(0, 20).join(', ')}.`

const problemsOfStep = (step: Step, steps: Definition['steps']): Details => {
  const problems: Details = {}
  for (const [field, target] of Object.entries(pointers(step))) {
    if (target !== null && !Object.hasOwn(steps, target)) problems[field] = unknownStep(target, steps)
  }
  if (step.type === 'delay' && durationMs(step.for) === null) {
    problems.for = 'Must be a duration of at most 90 days, such as PT1H, P2D, 30s, 5m or 2d.'
  }
  if (step.type === 'send_message') {
    const unknown = placeholdersOf(step.text).find(path => !knownPath.test(path))
    if (unknown !== undefined)
      problems.text = `{{${unknown}}} is not known; use data.…, event.… or customer.…, such as {{customer.name}}.`
  }
  return problems
}

const pointers = (step: Step): Record<string, string | null> =>
  step.type === 'condition' ? { then: step.then, else: step.else } : { next: step.next }

const problemsOfPaths = ({ steps, start }: Definition, root: string): Details => {
  const reached = new Set<string>()
  const visit = (id: string | null): void => {
    if (id === null || reached.has(id)) return
    reached.add(id)
    for (const next of Object.values(pointers(steps[id]!))) visit(next)
  }
  visit(start)
  const problems: Details = {}
  for (const id of Object.keys(steps)) {
    if (!reached.has(id))
      problems[`${root}.steps.${id}`] = 'No path leads to this step; point to it from another step or remove it.'
  }
  const circle = [...reached].find(id => returnsWithoutWaiting(id, steps))
  if (circle)
    problems[`${root}.steps.${circle}`] = 'Leads back to itself without a delay; a circle must wait somewhere.'
  return problems
}

const returnsWithoutWaiting = (start: string, steps: Definition['steps']): boolean => {
  const seen = new Set<string>()
  const leads = (id: string): boolean => {
    const step = steps[id]!
    if (step.type === 'delay') return false
    return Object.values(pointers(step)).some(next => {
      if (next === null) return false
      if (next === start) return true
      if (seen.has(next)) return false
      seen.add(next)
      return leads(next)
    })
  }
  return leads(start)
}
