/** What a schema cannot say of a definition: that its steps hang together, and that what they ask for exists. Pure. */
import { distance } from 'fastest-levenshtein'
import { type Details, invalidRequest } from '../errors.ts'
import { durationMs } from './duration.ts'
import { holdsUnclosed, placeholdersOf } from './facts.ts'
import {
  type Comparison,
  type Condition,
  type Definition,
  durationWanted,
  type Step,
  stepIdPattern,
  stepIdWanted,
} from './schema.ts'

/** A field's path and what is wrong with it. */
type Fault = [field: string, reason: string]

const maxFaults = 20

/**
 * Refuses (400) a definition whose steps point nowhere, cannot be reached, wait impossibly long, ask for values that
 * do not exist, compare with nothing, or go in a circle without waiting. A draft is held to the same as what is
 * published. `root` is the field under which problems are named.
 */
export const checkDefinition = (definition: Definition, root = 'definition'): void => {
  refuse(inEachPart(definition), root)
  refuse(inThePaths(definition), root)
}

/** The channels that its messages are to go over, each with the field that names it. */
export const channelsNamed = ({ steps }: Definition): { field: string; channelId: string }[] =>
  Object.entries(steps).flatMap(([id, step]) =>
    step.type === 'send_message' && step.channelId !== undefined
      ? [{ field: `steps.${id}.channelId`, channelId: step.channelId }]
      : [],
  )

/** Refuses (400) a definition that names channels the workspace does not have; `existing` are those that it has. */
export const checkChannels = (definition: Definition, existing: ReadonlySet<string>, root: string): void =>
  refuse(
    channelsNamed(definition)
      .filter(({ channelId }) => !existing.has(channelId.toLowerCase()))
      .map(({ field }) => [
        field,
        'There is no such channel in this workspace; GET /v1/channels lists those there are.',
      ]),
    root,
  )

const refuse = (faults: Iterable<Fault>, root: string): void => {
  const details: Details = {}
  let count = 0
  for (const [field, reason] of faults) {
    details[`${root}.${field}`] = reason
    if (++count === maxFaults) break
  }
  if (count > 0) throw invalidRequest(details)
}

function* inEachPart({ trigger, start, steps }: Definition): Generator<Fault> {
  if (trigger.where) yield* inCondition(trigger.where, 'trigger.where', triggerVocabulary)
  const impossible = Object.keys(steps).find(id => !stepIdPattern.test(id))
  // Nothing could point to it, and whoever sends it chooses how long it is.
  if (impossible !== undefined) return yield [`steps.${impossible.slice(0, 64)}`, stepIdWanted['x-message']]
  if (!Object.hasOwn(steps, start)) yield ['start', unknownStep(start, steps)]
  for (const [id, step] of Object.entries(steps)) yield* inStep(step, `steps.${id}`, steps)
}

function* inStep(step: Step, field: string, steps: Definition['steps']): Generator<Fault> {
  for (const [name, target] of Object.entries(pointers(step))) {
    if (target !== null && !Object.hasOwn(steps, target)) yield [`${field}.${name}`, unknownStep(target, steps)]
  }
  if (step.type === 'delay' && durationMs(step.for) === null) yield [`${field}.for`, durationWanted['x-message']]
  if (step.type === 'condition') yield* inCondition(step.if, `${field}.if`, stepVocabulary)
  if (step.type === 'send_message') {
    const reason = faultOfText(step.text)
    if (reason !== null) yield [`${field}.text`, reason]
  }
}

const unknownStep = (id: string, steps: Definition['steps']): string =>
  `There is no step "${id}"; the steps are ${Object.keys(steps).slice(0, 20).join(', ')}.`

const pointers = (step: Step): Record<string, string | null> =>
  step.type === 'condition' ? { then: step.then, else: step.else } : { next: step.next }

const faultOfText = (text: string): string | null => {
  if (text.trim() === '') return 'Must hold more than white space.'
  if (holdsUnclosed(text))
    return 'Holds {{ that begins no placeholder; one reads {{customer.name}} or {{customer.name|there}}.'
  const unknown = placeholdersOf(text).find(path => !isKnown(path, stepVocabulary))
  return unknown === undefined ? null : unknownPath(unknown, stepVocabulary, path => `{{${path}}}`)
}

function* inCondition(condition: Condition, field: string, vocabulary: Vocabulary): Generator<Fault> {
  if ('not' in condition) return yield* inCondition(condition.not, `${field}.not`, vocabulary)
  if ('path' in condition) return yield* inComparison(condition, field, vocabulary)
  const [name, parts] = 'all' in condition ? (['all', condition.all] as const) : (['any', condition.any] as const)
  for (const [index, part] of parts.entries()) yield* inCondition(part, `${field}.${name}.${index}`, vocabulary)
}

function* inComparison({ path, op, value }: Comparison, field: string, vocabulary: Vocabulary): Generator<Fault> {
  if (!isKnown(path, vocabulary)) yield [`${field}.path`, unknownPath(path, vocabulary, path => path)]
  const { fits, wanted } = operands[op]
  if (!fits(value)) yield [`${field}.value`, wanted]
}

const isScalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value)
const isNumeric = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)))

const scalar = { fits: isScalar, wanted: 'Must be a text, a number, true or false to compare with.' }
const number = { fits: isNumeric, wanted: 'Must be a number to compare with, or a text that is one.' }
const list = {
  fits: (value: unknown) => Array.isArray(value) && value.length > 0 && value.every(isScalar),
  wanted: 'Must be a list of at least 1 entry, each a text, a number, true or false.',
}
const presence = {
  fits: (value: unknown) => value === undefined || typeof value === 'boolean',
  wanted: 'Must be true or false, or left out, which is the same as true.',
}

/** What an operator compares with. Anything else would make the comparison false whatever the event holds. */
const operands: Record<Comparison['op'], { fits: (value: unknown) => boolean; wanted: string }> = {
  eq: scalar,
  ne: scalar,
  contains: scalar,
  gt: number,
  gte: number,
  lt: number,
  lte: number,
  in: list,
  exists: presence,
}

/** Paths to what there is: `free` may be followed by any names, `closed` are whole. */
interface Vocabulary {
  free: readonly string[]
  closed: readonly string[]
}

const stepVocabulary: Vocabulary = {
  free: ['data', 'customer.attributes'],
  closed: [
    'event.id',
    'event.type',
    'customer.id',
    'customer.name',
    'customer.phone',
    'customer.externalId',
    'customer.attributes',
  ],
}

/** The filter of a trigger is asked before the event has an id, and may be asked before there is a customer. */
const triggerVocabulary: Vocabulary = { free: ['data'], closed: ['event.type'] }

const isKnown = (path: string, { free, closed }: Vocabulary): boolean =>
  closed.includes(path) ||
  free.some(root => path.startsWith(`${root}.`) && /^(\.[^.\s]+)+$/.test(path.slice(root.length)))

const maxShown = 100

const unknownPath = (path: string, vocabulary: Vocabulary, show: (path: string) => string): string => {
  const meant = path.length <= maxShown && nearest(path, vocabulary)
  const shown = show(path.length <= maxShown ? path : `${path.slice(0, maxShown)}…`.toWellFormed())
  if (meant) return `${shown} is not known here; did you mean ${show(meant)}?`
  const all = [
    ...vocabulary.free.map(root => `${root}.…`),
    ...vocabulary.closed.filter(path => !vocabulary.free.includes(path)),
  ]
  return `${shown} is not known here; there are ${all.slice(0, -1).join(', ')} and ${all.at(-1)}.`
}

/** The path that was probably meant: mistyped by up to two letters, or the event's data looked for in the event. */
const nearest = (path: string, vocabulary: Vocabulary): string | undefined => {
  const inData = path.replace(/^event\.(?=data\.)/, '')
  if (inData !== path && isKnown(inData, vocabulary)) return inData
  return vocabulary.closed.find(one => distance(one.toLowerCase(), path.toLowerCase()) <= 2)
}

function* inThePaths({ steps, start }: Definition): Generator<Fault> {
  const reached = new Set<string>()
  const visit = (id: string | null): void => {
    if (id === null || reached.has(id)) return
    reached.add(id)
    for (const next of Object.values(pointers(steps[id]!))) visit(next)
  }
  visit(start)
  for (const id of Object.keys(steps)) {
    if (!reached.has(id))
      yield [`steps.${id}`, 'No path leads to this step; point to it from another step or remove it.']
  }
  const circle = [...reached].find(id => returnsWithoutWaiting(id, steps))
  if (circle !== undefined)
    yield [`steps.${circle}`, 'Leads back to itself without waiting; a circle must hold a delay of at least 1 second.']
}

const minWaitMs = 1000

const returnsWithoutWaiting = (start: string, steps: Definition['steps']): boolean => {
  const seen = new Set<string>()
  const leads = (id: string): boolean => {
    const step = steps[id]!
    if (step.type === 'delay' && (durationMs(step.for) ?? 0) >= minWaitMs) return false
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
