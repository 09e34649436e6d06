/** Validates the paths and operands of conditions. Pure. */
import { distance } from 'fastest-levenshtein'
import { type Comparison, type Condition, maxComparisons, maxInEntries, maxLevels } from './condition.ts'

/** Path of a field and the reason why it is invalid. */
export type Fault = [field: string, reason: string]

/** Yields the faults of a condition, each under its path within `field`. */
export function* faultsOfCondition(condition: Condition, field: string, knownPaths: KnownPaths): Generator<Fault> {
  const { comparisons, levels } = sizeOf(condition)
  if (comparisons > maxComparisons)
    return yield [field, `Has ${comparisons} comparisons. The maximum is ${maxComparisons}.`]
  if (levels > maxLevels)
    return yield [field, `Has conditions nested ${levels} levels deep. The maximum is ${maxLevels}.`]
  yield* faultsWithin(condition, field, knownPaths)
}

/** Returns the number of comparisons and the nesting depth. The recursion is bounded: a body has at most 64 levels. */
const sizeOf = (condition: Condition): { comparisons: number; levels: number } => {
  if ('path' in condition) return { comparisons: 1, levels: 0 }
  const children = childrenOf(condition).map(sizeOf)
  return {
    comparisons: children.reduce((sum, child) => sum + child.comparisons, 0),
    levels: 1 + Math.max(...children.map(({ levels }) => levels)),
  }
}

const childrenOf = (condition: Exclude<Condition, Comparison>): Condition[] => {
  if ('not' in condition) return [condition.not]
  return 'all' in condition ? condition.all : condition.any
}

function* faultsWithin(condition: Condition, field: string, knownPaths: KnownPaths): Generator<Fault> {
  if ('not' in condition) return yield* faultsWithin(condition.not, `${field}.not`, knownPaths)
  if ('path' in condition) return yield* faultsOfComparison(condition, field, knownPaths)
  const [name, children] = 'all' in condition ? (['all', condition.all] as const) : (['any', condition.any] as const)
  for (const [index, child] of children.entries()) yield* faultsWithin(child, `${field}.${name}.${index}`, knownPaths)
}

function* faultsOfComparison({ path, op, value }: Comparison, field: string, knownPaths: KnownPaths): Generator<Fault> {
  if (!isKnownPath(path, knownPaths)) yield [`${field}.path`, unknownPathMessage(path, knownPaths, path => path)]
  const { isValid, expected } = operands[op]
  if (!isValid(value)) yield [`${field}.value`, expected]
}

const isScalar = (value: unknown): boolean => ['string', 'number', 'bigint', 'boolean'].includes(typeof value)
const isNumeric = (value: unknown): boolean =>
  ['number', 'bigint'].includes(typeof value) ||
  (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)))

const scalar = { isValid: isScalar, expected: 'Must be a text, a number, true or false to compare with.' }
const number = { isValid: isNumeric, expected: 'Must be a number to compare with, or a text that contains a number.' }
const list = {
  isValid: (value: unknown) =>
    Array.isArray(value) && value.length > 0 && value.length <= maxInEntries && value.every(isScalar),
  expected: `Must be a list of 1 to ${maxInEntries} entries, each a text, a number, true or false.`,
}
const presence = {
  isValid: (value: unknown) => value === undefined || typeof value === 'boolean',
  expected: 'Must be true or false. It defaults to true.',
}

/** Valid operands by operator. Any other value would make the comparison always false. */
const operands: Record<Comparison['op'], { isValid: (value: unknown) => boolean; expected: string }> = {
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

/** Available paths. A `prefixes` path can be followed by any names, a `exact` path is complete. */
export interface KnownPaths {
  prefixes: readonly string[]
  exact: readonly string[]
}

/** Returns whether the path can have a value. */
export const isKnownPath = (path: string, { prefixes, exact }: KnownPaths): boolean =>
  exact.includes(path) ||
  prefixes.some(root => path.startsWith(`${root}.`) && /^(\.[^.\s]+)+$/.test(path.slice(root.length)))

/** Maximum number of characters shown of a rejected path. */
export const maxPathShown = 100

/** Returns the error sentence for an unknown path. */
export const unknownPathMessage = (path: string, knownPaths: KnownPaths, show: (path: string) => string): string => {
  const suggestion = path.length <= maxPathShown && closestPath(path, knownPaths)
  const quoted = show(path.length <= maxPathShown ? path : `${path.slice(0, maxPathShown)}…`.toWellFormed())
  if (suggestion) return `${quoted} is not a known path. Did you mean ${show(suggestion)}?`
  const all = [
    ...knownPaths.prefixes.map(root => `${root}.…`),
    ...knownPaths.exact.filter(path => !knownPaths.prefixes.includes(path)),
  ]
  const options = all.length === 1 ? all[0] : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`
  return `${quoted} is not a known path. Use ${options}.`
}

/** Returns the path that was probably meant: one with up to two typing errors, or `event.data.…` for `data.…`. */
const closestPath = (path: string, knownPaths: KnownPaths): string | undefined => {
  const withoutEvent = path.replace(/^event\.(?=data\.)/, '')
  if (withoutEvent !== path && isKnownPath(withoutEvent, knownPaths)) return withoutEvent
  return knownPaths.exact.find(one => distance(one.toLowerCase(), path.toLowerCase()) <= 2)
}
