/** Checks of a definition that a schema cannot express: connected steps and existing references. Pure. */

import { type Fault, faultsOfCondition } from '../core/conditions/index.ts'
import { type Details, invalidRequest } from '../core/errors.ts'
import { faultsOfVariables, type TemplateContent } from '../messaging/templates/index.ts'
import type { Draft } from './draft-schema.ts'
import { stepIdMessage, stepIdPattern } from './ids.ts'
import type { Definition } from './schema.ts'
import { type Reference, type Step, stepTypeOf } from './steps/index.ts'
import { faultsOfMatch, runVocabulary, triggerVocabulary } from './vocabulary.ts'

const maxFaults = 20

/** Maximum number of conditions of a definition: comparisons, `all`, `any` and `not`. Checked before the schema. */
const maxConditions = 5000

/**
 * Throws 400 if the `definition` of a body has more than `maxConditions` conditions, because schema validation and its
 * error messages would take long.
 */
export const rejectTooManyConditions = ({ definition }: { definition?: unknown }): void => {
  const pending: unknown[] = [definition]
  let conditions = 0
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value !== 'object' || value === null) continue
    if (conditionKeys.some(key => Object.hasOwn(value, key)) && ++conditions > maxConditions)
      throw invalidRequest({
        definition: `Has more than ${maxConditions} conditions, including nested ones. Simplify it.`,
      })
    pending.push(...Object.values(value).filter(inner => typeof inner === 'object'))
  }
}

const conditionKeys = ['path', 'all', 'any', 'not']

/**
 * Throws 400 if a step points to a missing step, is unreachable, waits too long, or asks for values that do not exist.
 * Also throws 400 if a step compares with nothing, or if steps form a loop without a wait.
 */
export const checkDefinition = (definition: Definition): void => {
  checkSize(definition)
  rejectFaults(definitionFaults(definition))
  rejectFaults(pathFaults(definition))
}

/** Maximum size of a definition as JSON, in bytes. */
const maxDefinitionBytes = 512 * 1024

/** Throws 400 if a definition or a draft is larger than `maxDefinitionBytes`. */
export const checkSize = (definition: Definition | Draft): void => {
  const bytes = Buffer.byteLength(JSON.stringify(definition))
  if (bytes <= maxDefinitionBytes) return
  throw invalidRequest({
    definition: `Must be at most ${maxDefinitionBytes / 1024} KiB of JSON. It has ${Math.ceil(bytes / 1024)} KiB. Shorten its lists of values and its texts, or split the workflow in two.`,
  })
}

/** Throws 400 if required texts are empty. Used for publishing, not for test runs. */
export const rejectUnfinished = ({ steps }: Definition): void => rejectFaults(unfinishedFaults(steps))

function* unfinishedFaults(steps: Definition['steps']): Generator<Fault> {
  for (const [id, step] of Object.entries(steps))
    for (const [name, reason] of stepTypeOf(step)?.unfinished?.(step) ?? []) yield [`steps.${id}.${name}`, reason]
}

/** Returns the records that the steps reference, each with the field that names it. */
export const referencesOf = ({ steps }: Definition): Reference[] =>
  Object.entries(steps).flatMap(([id, step]) =>
    [...(stepTypeOf(step)?.references?.(step) ?? [])].map(reference => ({
      ...reference,
      field: `steps.${id}.${reference.field}`,
      ...('variablesField' in reference && { variablesField: `steps.${id}.${reference.variablesField}` }),
    })),
  )

/** Records of the workspace that a definition references. */
export interface ReferencedRecords {
  channelIds: readonly string[]
  templates: readonly Pick<TemplateContent, 'id' | 'variables'>[]
}

/** Throws 400 if the workspace lacks a referenced record, or if a required variable is missing. */
export const rejectMissing = (references: readonly Reference[], referenced: ReferencedRecords): void =>
  rejectFaults(referenceFaults(references, referenced))

function* referenceFaults(
  references: readonly Reference[],
  { channelIds, templates }: ReferencedRecords,
): Generator<Fault> {
  const channels = new Set(channelIds)
  const byId = new Map(templates.map(template => [template.id, template]))
  for (const reference of references) {
    const id = reference.id.toLowerCase()
    const template = byId.get(id)
    if (!(reference.kind === 'channel' ? channels.has(id) : template))
      yield [reference.field, missingMessages[reference.kind]]
    else if (reference.kind === 'template')
      for (const [name, reason] of faultsOfVariables(template!, reference.variables))
        yield [`${reference.variablesField}.${name.slice(0, 100)}`, reason]
  }
}

const missingMessages: Record<Reference['kind'], string> = {
  channel: 'No such channel in this workspace. GET /v1/channels lists all channels.',
  template: 'No such template in this workspace. GET /v1/templates lists all templates.',
}

/** Throws 400 with the faults by their path in the definition, both for new and for stored ones. */
const rejectFaults = (faults: Iterable<Fault>): void => {
  const details: Details = {}
  let count = 0
  for (const [field, reason] of faults) {
    details[`definition.${field}`] = reason
    if (++count === maxFaults) break
  }
  if (count > 0) throw invalidRequest(details)
}

function* definitionFaults({ trigger, exitOn, start, steps }: Definition): Generator<Fault> {
  if (trigger.where) yield* faultsOfCondition(trigger.where, 'trigger.where', triggerVocabulary)
  for (const [index, exit] of (exitOn ?? []).entries())
    if ('event' in exit) yield* faultsOfMatch(exit.match ?? {}, `exitOn.${index}.match`, runVocabulary)
  const invalidId = Object.keys(steps).find(id => !stepIdPattern.test(id))
  // No step can reference this ID. It comes from the caller, so it is shortened.
  if (invalidId !== undefined) return yield [`steps.${invalidId.slice(0, 64)}`, stepIdMessage['x-message']]
  if (!Object.hasOwn(steps, start)) yield ['start', unknownStep(start, steps)]
  for (const [id, step] of Object.entries(steps)) yield* stepFaults(step, `steps.${id}`, steps)
}

function* stepFaults(step: Step, field: string, steps: Definition['steps']): Generator<Fault> {
  for (const [name, target] of Object.entries(pointersOf(step))) {
    if (target !== null && !Object.hasOwn(steps, target)) yield [`${field}.${name}`, unknownStep(target, steps)]
  }
  const type = stepTypeOf(step)
  // Occurs only in a draft of another release. The schema rejects a body with this step.
  if (!type) return yield [`${field}.type`, `This release does not support the step type "${step.type}".`]
  for (const [name, reason] of type.faults?.(step) ?? []) yield [`${field}.${name}`, reason]
}

const unknownStep = (id: string, steps: Definition['steps']): string =>
  `There is no step "${id}". The steps are ${Object.keys(steps).slice(0, 20).join(', ')}.`

const pointersOf = (step: Step): Record<string, string | null> => stepTypeOf(step)?.pointers(step) ?? {}

/** Next steps and minimum wait in milliseconds of each step. */
type StepGraph = ReadonlyMap<string, { next: readonly (string | null)[]; waitMs: number }>

function* pathFaults({ steps, start }: Definition): Generator<Fault> {
  const graph: StepGraph = new Map(
    Object.entries(steps).map(([id, step]) => [id, { next: Object.values(pointersOf(step)), waitMs: minWaitOf(step) }]),
  )
  const reachable = new Set<string>()
  const traverse = (id: string | null): void => {
    if (id === null || reachable.has(id)) return
    reachable.add(id)
    for (const next of graph.get(id)!.next) traverse(next)
  }
  traverse(start)
  for (const id of Object.keys(steps)) {
    if (!reachable.has(id))
      yield [`steps.${id}`, 'No path leads to this step. Point to it from another step, or remove it.']
  }
  const loop = [...reachable].find(id => isTooShortLoop(id, graph))
  if (loop !== undefined)
    yield [
      `steps.${loop}`,
      'Leads back to itself without waiting. The waits of a loop must add up to at least 1 second.',
    ]
}

const minWaitMs = 1000

/** Returns the minimum wait at a step in milliseconds. */
const minWaitOf = (step: Step): number => stepTypeOf(step)?.minWaitMs?.(step) ?? 0

/** Returns whether a path leads from the step back to itself with a total wait below the minimum. */
const isTooShortLoop = (start: string, graph: StepGraph): boolean => {
  // Minimum wait before a run leaves each step. The step with the smallest value is expanded first (Dijkstra).
  const pending = new Map([[start, graph.get(start)!.waitMs]])
  const done = new Set<string>()
  for (let current = shortestWait(pending); current !== null; current = shortestWait(pending)) {
    const waited = pending.get(current)!
    if (waited >= minWaitMs) return false
    pending.delete(current)
    done.add(current)
    for (const next of graph.get(current)!.next) {
      if (next === start) return true
      if (next === null || done.has(next)) continue
      pending.set(next, Math.min(pending.get(next) ?? Number.POSITIVE_INFINITY, waited + graph.get(next)!.waitMs))
    }
  }
  return false
}

const shortestWait = (pending: ReadonlyMap<string, number>): string | null => {
  let best: string | null = null
  for (const [id, waited] of pending) if (best === null || waited < pending.get(best)!) best = id
  return best
}
