/** Checks of a definition that a schema cannot express: connected steps and existing references. Pure. */

import { type Fault, faultsOfCondition } from '../conditions/index.ts'
import { type Details, invalidRequest } from '../errors.ts'
import { faultsOfVariables, type TemplateContent } from '../templates/index.ts'
import type { Draft } from './draft-schema.ts'
import { stepIdPattern, stepIdWanted } from './ids.ts'
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
export const refuseTooManyConditions = ({ definition }: { definition?: unknown }): void => {
  const open: unknown[] = [definition]
  let conditions = 0
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue
    if (conditionWords.some(word => Object.hasOwn(value, word)) && ++conditions > maxConditions)
      throw invalidRequest({
        definition: `Holds more than ${maxConditions} conditions, nested ones included; simplify it.`,
      })
    open.push(...Object.values(value).filter(inner => typeof inner === 'object'))
  }
}

const conditionWords = ['path', 'all', 'any', 'not']

/**
 * Throws 400 if a step points to a missing step, is unreachable, waits too long, or asks for values that do not exist.
 * Also throws 400 if a step compares with nothing, or if steps form a loop without a wait.
 */
export const checkDefinition = (definition: Definition): void => {
  checkSize(definition)
  refuse(inEachPart(definition))
  refuse(inThePaths(definition))
}

/** Maximum size of a definition as JSON, in bytes. */
export const maxDefinitionBytes = 512 * 1024

/** Throws 400 if a definition or a draft is larger than `maxDefinitionBytes`. */
export const checkSize = (definition: Definition | Draft): void => {
  const bytes = Buffer.byteLength(JSON.stringify(definition))
  if (bytes <= maxDefinitionBytes) return
  throw invalidRequest({
    definition: `A definition has at most ${maxDefinitionBytes / 1024} KiB of JSON; this one has ${Math.ceil(bytes / 1024)} KiB. Shorten its lists of values and its texts, or split the workflow in two.`,
  })
}

/** Throws 400 if required texts are empty. Used for publishing, not for test runs. */
export const refuseUnfinished = ({ steps }: Definition): void => refuse(unfinishedIn(steps))

function* unfinishedIn(steps: Definition['steps']): Generator<Fault> {
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
export interface Referenced {
  channelIds: readonly string[]
  templates: readonly Pick<TemplateContent, 'id' | 'variables'>[]
}

/** Throws 400 if the workspace lacks a referenced record, or if a required variable is missing. */
export const refuseMissing = (references: readonly Reference[], referenced: Referenced): void =>
  refuse(inReferences(references, referenced))

function* inReferences(references: readonly Reference[], { channelIds, templates }: Referenced): Generator<Fault> {
  const channels = new Set(channelIds)
  const byId = new Map(templates.map(template => [template.id, template]))
  for (const reference of references) {
    const id = reference.id.toLowerCase()
    const template = byId.get(id)
    if (!(reference.kind === 'channel' ? channels.has(id) : template))
      yield [reference.field, whereToLook[reference.kind]]
    else if (reference.kind === 'template')
      for (const [name, reason] of faultsOfVariables(template!, reference.variables))
        yield [`${reference.variablesField}.${name.slice(0, 100)}`, reason]
  }
}

const whereToLook: Record<Reference['kind'], string> = {
  channel: 'There is no such channel in this workspace; GET /v1/channels lists those there are.',
  template: 'There is no such template in this workspace; GET /v1/templates lists those there are.',
}

/** Throws 400 with the faults by their path in the definition, both for new and for stored ones. */
const refuse = (faults: Iterable<Fault>): void => {
  const details: Details = {}
  let count = 0
  for (const [field, reason] of faults) {
    details[`definition.${field}`] = reason
    if (++count === maxFaults) break
  }
  if (count > 0) throw invalidRequest(details)
}

function* inEachPart({ trigger, exitOn, start, steps }: Definition): Generator<Fault> {
  if (trigger.where) yield* faultsOfCondition(trigger.where, 'trigger.where', triggerVocabulary)
  for (const [index, exit] of (exitOn ?? []).entries())
    if ('event' in exit) yield* faultsOfMatch(exit.match ?? {}, `exitOn.${index}.match`, runVocabulary)
  const impossible = Object.keys(steps).find(id => !stepIdPattern.test(id))
  // No step can reference this ID. It comes from the caller, so it is shortened.
  if (impossible !== undefined) return yield [`steps.${impossible.slice(0, 64)}`, stepIdWanted['x-message']]
  if (!Object.hasOwn(steps, start)) yield ['start', unknownStep(start, steps)]
  for (const [id, step] of Object.entries(steps)) yield* inStep(step, `steps.${id}`, steps)
}

function* inStep(step: Step, field: string, steps: Definition['steps']): Generator<Fault> {
  for (const [name, target] of Object.entries(pointersOf(step))) {
    if (target !== null && !Object.hasOwn(steps, target)) yield [`${field}.${name}`, unknownStep(target, steps)]
  }
  const type = stepTypeOf(step)
  // Occurs only in a draft of another release. The schema rejects a body with this step.
  if (!type) return yield [`${field}.type`, `This release knows no step of the type "${step.type}".`]
  for (const [name, reason] of type.faults?.(step) ?? []) yield [`${field}.${name}`, reason]
}

const unknownStep = (id: string, steps: Definition['steps']): string =>
  `There is no step "${id}"; the steps are ${Object.keys(steps).slice(0, 20).join(', ')}.`

const pointersOf = (step: Step): Record<string, string | null> => stepTypeOf(step)?.pointers(step) ?? {}

/** Next steps and minimum wait in milliseconds of each step. */
type Ways = ReadonlyMap<string, { next: readonly (string | null)[]; waitMs: number }>

function* inThePaths({ steps, start }: Definition): Generator<Fault> {
  const ways: Ways = new Map(
    Object.entries(steps).map(([id, step]) => [id, { next: Object.values(pointersOf(step)), waitMs: waitOf(step) }]),
  )
  const reached = new Set<string>()
  const visit = (id: string | null): void => {
    if (id === null || reached.has(id)) return
    reached.add(id)
    for (const next of ways.get(id)!.next) visit(next)
  }
  visit(start)
  for (const id of Object.keys(steps)) {
    if (!reached.has(id))
      yield [`steps.${id}`, 'No path leads to this step; point to it from another step or remove it.']
  }
  const circle = [...reached].find(id => isShortCircle(id, ways))
  if (circle !== undefined)
    yield [
      `steps.${circle}`,
      'Leads back to itself without waiting; the waits of a circle must come to at least 1 second.',
    ]
}

const minWaitMs = 1000

/** Returns the minimum wait at a step in milliseconds. */
const waitOf = (step: Step): number => stepTypeOf(step)?.minWaitMs?.(step) ?? 0

/** Returns whether a path leads from the step back to itself with a total wait below the minimum. */
const isShortCircle = (start: string, ways: Ways): boolean => {
  // Minimum wait before a run leaves each step. The step with the smallest value is expanded first (Dijkstra).
  const open = new Map([[start, ways.get(start)!.waitMs]])
  const done = new Set<string>()
  for (let at = nearest(open); at !== null; at = nearest(open)) {
    const waited = open.get(at)!
    if (waited >= minWaitMs) return false
    open.delete(at)
    done.add(at)
    for (const next of ways.get(at)!.next) {
      if (next === start) return true
      if (next === null || done.has(next)) continue
      open.set(next, Math.min(open.get(next) ?? Number.POSITIVE_INFINITY, waited + ways.get(next)!.waitMs))
    }
  }
  return false
}

const nearest = (open: ReadonlyMap<string, number>): string | null => {
  let best: string | null = null
  for (const [id, waited] of open) if (best === null || waited < open.get(best)!) best = id
  return best
}
