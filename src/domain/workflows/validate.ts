/** What a schema cannot say of a definition: that its steps hang together, and that what they ask for exists. Pure. */

import { type Fault, faultsOfCondition } from '../conditions/index.ts'
import { type Details, invalidRequest } from '../errors.ts'
import { faultsOfVariables, type TemplateContent } from '../templates/index.ts'
import type { Draft } from './draft-schema.ts'
import { stepIdPattern, stepIdWanted } from './ids.ts'
import type { Definition } from './schema.ts'
import { type Reference, type Step, stepTypeOf } from './steps/index.ts'
import { faultsOfMatch, runVocabulary, triggerVocabulary } from './vocabulary.ts'

const maxFaults = 20

/** Maximum number of conditions of a definition before its shape is judged: comparisons, `all`, `any` and `not`. */
const maxConditions = 5000

/**
 * Refuses (400) a body whose `definition` holds so many conditions that to judge its shape, and to explain what is wrong
 * with it, would take long.
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
 * Refuses (400) a definition whose steps point nowhere, cannot be reached, wait impossibly long, ask for values that
 * do not exist, compare with nothing, or go in a circle without waiting.
 */
export const checkDefinition = (definition: Definition): void => {
  checkSize(definition)
  refuse(inEachPart(definition))
  refuse(inThePaths(definition))
}

/** Maximum size of a definition as JSON, in bytes. */
export const maxDefinitionBytes = 512 * 1024

/** Refuses (400) a definition or a draft that is larger than `maxDefinitionBytes`. */
export const checkSize = (definition: Definition | Draft): void => {
  const bytes = Buffer.byteLength(JSON.stringify(definition))
  if (bytes <= maxDefinitionBytes) return
  throw invalidRequest({
    definition: `A definition has at most ${maxDefinitionBytes / 1024} KiB of JSON; this one has ${Math.ceil(bytes / 1024)} KiB. Shorten its lists of values and its texts, or split the workflow in two.`,
  })
}

/** Refuses (400) a definition that would do nothing useful where a text is empty. Publishing asks it, trying does not. */
export const refuseUnfinished = ({ steps }: Definition): void => refuse(unfinishedIn(steps))

function* unfinishedIn(steps: Definition['steps']): Generator<Fault> {
  for (const [id, step] of Object.entries(steps))
    for (const [name, reason] of stepTypeOf(step)?.unfinished?.(step) ?? []) yield [`steps.${id}.${name}`, reason]
}

/** The records that its steps name, each with the field that names it. */
export const referencesOf = ({ steps }: Definition): Reference[] =>
  Object.entries(steps).flatMap(([id, step]) =>
    [...(stepTypeOf(step)?.references?.(step) ?? [])].map(reference => ({
      ...reference,
      field: `steps.${id}.${reference.field}`,
      ...('variablesField' in reference && { variablesField: `steps.${id}.${reference.variablesField}` }),
    })),
  )

/** What a workspace has of that to which a definition refers. */
export interface Referenced {
  channelIds: readonly string[]
  templates: readonly Pick<TemplateContent, 'id' | 'variables'>[]
}

/** Refuses (400) a definition that names what the workspace does not have, or leaves out what that needs. */
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

/** Each under its place in the definition, whether that is given or stored already. */
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
  // Nothing could point to it, and whoever sends it chooses how long it is.
  if (impossible !== undefined) return yield [`steps.${impossible.slice(0, 64)}`, stepIdWanted['x-message']]
  if (!Object.hasOwn(steps, start)) yield ['start', unknownStep(start, steps)]
  for (const [id, step] of Object.entries(steps)) yield* inStep(step, `steps.${id}`, steps)
}

function* inStep(step: Step, field: string, steps: Definition['steps']): Generator<Fault> {
  for (const [name, target] of Object.entries(pointersOf(step))) {
    if (target !== null && !Object.hasOwn(steps, target)) yield [`${field}.${name}`, unknownStep(target, steps)]
  }
  const type = stepTypeOf(step)
  // Of a draft that another release wrote: a body with such a step is refused by its shape.
  if (!type) return yield [`${field}.type`, `This release knows no step of the type "${step.type}".`]
  for (const [name, reason] of type.faults?.(step) ?? []) yield [`${field}.${name}`, reason]
}

const unknownStep = (id: string, steps: Definition['steps']): string =>
  `There is no step "${id}"; the steps are ${Object.keys(steps).slice(0, 20).join(', ')}.`

const pointersOf = (step: Step): Record<string, string | null> => stepTypeOf(step)?.pointers(step) ?? {}

/** For each step the steps that it points to, and its shortest wait in milliseconds. */
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

/** What a run waits at a step at the least. */
const waitOf = (step: Step): number => stepTypeOf(step)?.minWaitMs?.(step) ?? 0

/** Whether a way leads from the step back to it on which a run waits for less than that in all. */
const isShortCircle = (start: string, ways: Ways): boolean => {
  // What a run has waited at the least when it leaves a step; it is gone on from the nearest first.
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
