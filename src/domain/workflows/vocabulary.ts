/** Which facts a definition may speak of, and what is wrong where it speaks of others. Pure. */
import { distance } from 'fastest-levenshtein'
import type { Match } from './arrivals.ts'
import { type Comparison, type Condition, maxComparisons, maxLevels, maxListed } from './condition.ts'
import { holdsUnclosed, placeholdersOf } from './facts.ts'

/** A field's path and what is wrong with it. */
export type Fault = [field: string, reason: string]

/** Why a text with placeholders is not taken; null where it is. */
export const faultOfText = (text: string, vocabulary: Vocabulary): string | null =>
  text.trim() === '' ? 'Must hold more than white space.' : faultOfPlaceholders(text, vocabulary)

/** The same of a text that may be empty. */
export const faultOfPlaceholders = (text: string, vocabulary: Vocabulary): string | null => {
  if (holdsUnclosed(text))
    return 'Holds {{ that begins no placeholder; one reads {{customer.name}} or {{customer.name|there}}.'
  const unknown = placeholdersOf(text).find(path => !isKnown(path, vocabulary))
  return unknown === undefined ? null : unknownPath(unknown, vocabulary, path => `{{${path}}}`)
}

/** What is wrong with a condition, each under its place within `field`. */
export function* faultsOfCondition(condition: Condition, field: string, vocabulary: Vocabulary): Generator<Fault> {
  const { comparisons, levels } = sizeOf(condition)
  if (comparisons > maxComparisons)
    return yield [field, `Holds ${comparisons} comparisons; a condition may hold ${maxComparisons} at most.`]
  if (levels > maxLevels)
    return yield [field, `Has conditions within conditions ${levels} levels deep; there may be ${maxLevels} at most.`]
  yield* faultsWithin(condition, field, vocabulary)
}

/** How many comparisons stand in it, and how many levels of `all`, `any` and `not` it has. A body is 64 levels deep at most. */
const sizeOf = (condition: Condition): { comparisons: number; levels: number } => {
  if ('path' in condition) return { comparisons: 1, levels: 0 }
  const parts = partsOf(condition).map(sizeOf)
  return {
    comparisons: parts.reduce((sum, part) => sum + part.comparisons, 0),
    levels: 1 + Math.max(...parts.map(({ levels }) => levels)),
  }
}

const partsOf = (condition: Exclude<Condition, Comparison>): Condition[] => {
  if ('not' in condition) return [condition.not]
  return 'all' in condition ? condition.all : condition.any
}

function* faultsWithin(condition: Condition, field: string, vocabulary: Vocabulary): Generator<Fault> {
  if ('not' in condition) return yield* faultsWithin(condition.not, `${field}.not`, vocabulary)
  if ('path' in condition) return yield* faultsOfComparison(condition, field, vocabulary)
  const [name, parts] = 'all' in condition ? (['all', condition.all] as const) : (['any', condition.any] as const)
  for (const [index, part] of parts.entries()) yield* faultsWithin(part, `${field}.${name}.${index}`, vocabulary)
}

function* faultsOfComparison({ path, op, value }: Comparison, field: string, vocabulary: Vocabulary): Generator<Fault> {
  if (!isKnown(path, vocabulary)) yield [`${field}.path`, unknownPath(path, vocabulary, path => path)]
  const { fits, wanted } = operands[op]
  if (!fits(value)) yield [`${field}.value`, wanted]
}

const isScalar = (value: unknown): boolean => ['string', 'number', 'bigint', 'boolean'].includes(typeof value)
const isNumeric = (value: unknown): boolean =>
  ['number', 'bigint'].includes(typeof value) ||
  (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)))

const scalar = { fits: isScalar, wanted: 'Must be a text, a number, true or false to compare with.' }
const number = { fits: isNumeric, wanted: 'Must be a number to compare with, or a text that is one.' }
const list = {
  fits: (value: unknown) =>
    Array.isArray(value) && value.length > 0 && value.length <= maxListed && value.every(isScalar),
  wanted: `Must be a list of 1 to ${maxListed} entries, each a text, a number, true or false.`,
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
export interface Vocabulary {
  free: readonly string[]
  closed: readonly string[]
}

/** What is known of a run from its beginning to its end. */
export const runVocabulary: Vocabulary = {
  free: ['data', 'trigger.data', 'customer.attributes'],
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

/** What steps know. */
export const stepVocabulary: Vocabulary = {
  free: [...runVocabulary.free, 'answer.data'],
  closed: [...runVocabulary.closed, 'answer.text', 'now'],
}

/** Of an event that arrives, its data. */
const arrivingVocabulary: Vocabulary = { free: ['data'], closed: [] }

/** What is wrong with a `match`, whose own paths may be of that vocabulary. */
export function* faultsOfMatch(match: Match, field: string, vocabulary: Vocabulary): Generator<Fault> {
  for (const [arriving, own] of Object.entries(match)) {
    const place = `${field}.${arriving.slice(0, maxShown)}`
    if (!isPath(arriving, arrivingVocabulary)) yield [place, unknownPath(arriving, arrivingVocabulary, path => path)]
    if (!isPath(own, vocabulary)) yield [place, unknownPath(own, vocabulary, path => path)]
  }
}

const maxPath = 1000

const isPath = (path: string, vocabulary: Vocabulary): boolean => path.length <= maxPath && isKnown(path, vocabulary)

/** The filter of a trigger is asked before the event has an id, and may be asked before there is a customer. */
export const triggerVocabulary: Vocabulary = { free: ['data'], closed: ['event.type'] }

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
  const there = all.length === 1 ? `is ${all[0]}` : `are ${all.slice(0, -1).join(', ')} and ${all.at(-1)}`
  return `${shown} is not known here; there ${there}.`
}

/** The path that was probably meant: mistyped by up to two letters, or the event's data looked for in the event. */
const nearest = (path: string, vocabulary: Vocabulary): string | undefined => {
  const inData = path.replace(/^event\.(?=data\.)/, '')
  if (inData !== path && isKnown(inData, vocabulary)) return inData
  return vocabulary.closed.find(one => distance(one.toLowerCase(), path.toLowerCase()) <= 2)
}
