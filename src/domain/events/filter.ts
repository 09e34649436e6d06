/**
 * Explains why a trigger's filter rejected an event: the deciding comparisons, and a sentence made from them. Pure
 * functions.
 */
import { Budget, holds, valueAt } from '../conditions/index.ts'
import { beginningOfJson, type ListeningWorkflow } from '../workflows/index.ts'

type Condition = NonNullable<ListeningWorkflow['where']>
type Comparison = Extract<Condition, { path: string }>

/** A comparison that made the filter reject the event. Stored with the event, so that the sentence never changes. */
export interface Deciding {
  path: string
  op: Comparison['op']
  value: unknown
  /** Value at the path. Missing if there was none. */
  found?: unknown
  /** True if the comparison is inside a `not`: it was true but had to be false. */
  negated: boolean
}

const maxComparisons = 3
const maxCharacters = 100

/**
 * Returns the comparisons that made the condition false. Empty if the condition is true. Returns at most three, and
 * stops when the budget is used up.
 */
export const decidingComparisons = (condition: Condition, facts: unknown, budget = new Budget()): Deciding[] => {
  if (holds(condition, facts, budget)) return []
  const found: Deciding[] = []
  for (const one of deciding(condition, facts, true, budget)) {
    if (budget.exceeded) break
    found.push(one)
    if (found.length === maxComparisons) break
  }
  return found
}

/**
 * Yields the comparisons because of which the condition differs from `wanted`. Call it only if the condition differs.
 */
function* deciding(condition: Condition, facts: unknown, wanted: boolean, budget: Budget): Generator<Deciding> {
  if (budget.exceeded) return
  if ('not' in condition) return yield* deciding(condition.not, facts, !wanted, budget)
  if (!('all' in condition || 'any' in condition)) return yield decidingOne(condition, facts, !wanted)
  const parts = 'all' in condition ? condition.all : condition.any
  // One wrong part decides an `all` that must be true, or an `any` that must be false. In the other cases every part
  // contributes.
  const oneIsEnough = 'all' in condition === wanted
  for (const part of parts) {
    if (holds(part, facts, budget) === wanted) continue
    yield* deciding(part, facts, wanted, budget)
    if (oneIsEnough || budget.exceeded) return
  }
}

const decidingOne = ({ path, op, value }: Comparison, facts: unknown, negated: boolean): Deciding => {
  const found = valueAt(facts, path)
  return { path, op, value: clipped(value), ...(found !== undefined && { found: clipped(found) }), negated }
}

/** Shortens a long value to the beginning of its JSON text. */
const clipped = (value: unknown): unknown => {
  if (value === undefined) return value
  const text = beginningOfJson(value, maxCharacters)
  return text.length <= maxCharacters ? value : `${text.slice(0, maxCharacters)}…`.toWellFormed()
}

/** Returns a sentence such as `data.total must be at least 20 and was 12`. Several are joined with semicolons. */
export const sentenceOf = (comparisons: Deciding[]): string => comparisons.map(clause).join('; ')

const clause = ({ path, op, value, negated, ...rest }: Deciding): string => {
  const was = 'found' in rest ? `was ${JSON.stringify(rest.found)}` : 'was absent'
  const must = `must${negated ? ' not' : ''}`
  if (op === 'exists') return `${path} ${must} be ${value === false ? 'absent' : 'present'} and ${was}`
  return `${path} ${must} ${words[op]} ${JSON.stringify(value)} and ${was}`
}

const words: Record<Exclude<Comparison['op'], 'exists'>, string> = {
  eq: 'be',
  ne: 'differ from',
  gt: 'be more than',
  gte: 'be at least',
  lt: 'be less than',
  lte: 'be at most',
  in: 'be one of',
  contains: 'contain',
}
