/**
 * Explains why a trigger's filter rejected an event: the deciding comparisons, and a sentence made from them. Pure
 * functions.
 */
import { Budget, evaluateCondition, valueAt } from '../core/conditions/index.ts'
import { truncateJson } from '../core/truncated-json.ts'
import type { ListeningWorkflow } from '../workflows/index.ts'

type Condition = NonNullable<ListeningWorkflow['where']>
type Comparison = Extract<Condition, { path: string }>

/** A comparison that made the filter reject the event. Stored with the event, so that the sentence never changes. */
export interface DecidingComparison {
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
export const decidingComparisons = (
  condition: Condition,
  facts: unknown,
  budget = new Budget(),
): DecidingComparison[] => {
  if (evaluateCondition(condition, facts, budget)) return []
  const found: DecidingComparison[] = []
  for (const comparison of yieldDeciding(condition, facts, true, budget)) {
    if (budget.isExceeded) break
    found.push(comparison)
    if (found.length === maxComparisons) break
  }
  return found
}

/**
 * Yields the comparisons because of which the condition differs from `wanted`. Call it only if the condition differs.
 */
function* yieldDeciding(
  condition: Condition,
  facts: unknown,
  wanted: boolean,
  budget: Budget,
): Generator<DecidingComparison> {
  if (budget.isExceeded) return
  if ('not' in condition) return yield* yieldDeciding(condition.not, facts, !wanted, budget)
  if (!('all' in condition || 'any' in condition)) return yield toDecidingComparison(condition, facts, !wanted)
  const operands = 'all' in condition ? condition.all : condition.any
  // One wrong part decides an `all` that must be true, or an `any` that must be false. In the other cases every part
  // contributes.
  const isOneEnough = 'all' in condition === wanted
  for (const operand of operands) {
    if (evaluateCondition(operand, facts, budget) === wanted) continue
    yield* yieldDeciding(operand, facts, wanted, budget)
    if (isOneEnough || budget.isExceeded) return
  }
}

const toDecidingComparison = (
  { path, op, value }: Comparison,
  facts: unknown,
  negated: boolean,
): DecidingComparison => {
  const found = valueAt(facts, path)
  return { path, op, value: clip(value), ...(found !== undefined && { found: clip(found) }), negated }
}

/** Shortens a long value to the beginning of its JSON text. */
const clip = (value: unknown): unknown => {
  if (value === undefined) return value
  const text = truncateJson(value, maxCharacters)
  return text.length <= maxCharacters ? value : `${text.slice(0, maxCharacters)}…`.toWellFormed()
}

/** Returns a sentence such as `data.total is 12 and must be at least 20`. Several are joined with semicolons. */
export const explainComparisons = (comparisons: DecidingComparison[]): string => comparisons.map(clause).join('; ')

const clause = ({ path, op, value, negated, ...rest }: DecidingComparison): string => {
  const is = 'found' in rest ? `is ${JSON.stringify(rest.found)}` : 'is absent'
  const must = `must${negated ? ' not' : ''}`
  if (op === 'exists') return `${path} ${is} and ${must} be ${value === false ? 'absent' : 'present'}`
  return `${path} ${is} and ${must} ${operatorTexts[op]} ${JSON.stringify(value)}`
}

const operatorTexts: Record<Exclude<Comparison['op'], 'exists'>, string> = {
  eq: 'be',
  ne: 'differ from',
  gt: 'be more than',
  gte: 'be at least',
  lt: 'be less than',
  lte: 'be at most',
  in: 'be one of',
  contains: 'contain',
}
