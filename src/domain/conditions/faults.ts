/** Validates the paths and operands of conditions. Pure. */
import { distance } from 'fastest-levenshtein'
import { type Comparison, type Condition, maxComparisons, maxLevels, maxListed } from './condition.ts'

/** Path of a field and the reason why it is invalid. */
export type Fault = [field: string, reason: string]

/** Yields the faults of a condition, each under its path within `field`. */
export function* faultsOfCondition(condition: Condition, field: string, vocabulary: Vocabulary): Generator<Fault> {
  const { comparisons, levels } = sizeOf(condition)
  if (comparisons > maxComparisons)
    return yield [field, `Holds ${comparisons} comparisons; a condition may hold ${maxComparisons} at most.`]
  if (levels > maxLevels)
    return yield [field, `Has conditions within conditions ${levels} levels deep; there may be ${maxLevels} at most.`]
  yield* faultsWithin(condition, field, vocabulary)
}

/** Returns the number of comparisons and the nesting depth. The recursion is bounded: a body has at most 64 levels. */
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

/** Valid operands by operator. Any other value would make the comparison always false. */
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

/** Available paths. A `free` path can be followed by any names, a `closed` path is complete. */
export interface Vocabulary {
  free: readonly string[]
  closed: readonly string[]
}

/** Returns whether the path can have a value. */
export const isKnown = (path: string, { free, closed }: Vocabulary): boolean =>
  closed.includes(path) ||
  free.some(root => path.startsWith(`${root}.`) && /^(\.[^.\s]+)+$/.test(path.slice(root.length)))

/** Maximum number of characters shown of a rejected path. */
export const maxShown = 100

/** Returns the error sentence for an unknown path. */
export const unknownPath = (path: string, vocabulary: Vocabulary, show: (path: string) => string): string => {
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

/** Returns the path that was probably meant: one with up to two typing errors, or `event.data.…` for `data.…`. */
const nearest = (path: string, vocabulary: Vocabulary): string | undefined => {
  const inData = path.replace(/^event\.(?=data\.)/, '')
  if (inData !== path && isKnown(inData, vocabulary)) return inData
  return vocabulary.closed.find(one => distance(one.toLowerCase(), path.toLowerCase()) <= 2)
}
