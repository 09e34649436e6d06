/** Why a trigger's filter let an event pass by: the comparisons that decided, and a sentence made of them. Pure. */
import { Budget, holds, valueAt } from '../conditions/index.ts'
import { beginningOfJson, type ListeningWorkflow } from '../workflows/index.ts'

type Condition = NonNullable<ListeningWorkflow['where']>
type Comparison = Extract<Condition, { path: string }>

/** One comparison that decided against the event. Stored with the event, so that the sentence never changes. */
export interface Deciding {
  path: string
  op: Comparison['op']
  value: unknown
  /** What was found at the path; absent when nothing was there. */
  found?: unknown
  /** The comparison stands under a `not`: it was true, and should not have been. */
  negated: boolean
}

const maxComparisons = 3
const maxCharacters = 100

/**
 * The comparisons that made the condition false for these facts; empty when it holds. At most three, and no more than are
 * found within the budget.
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

/** Those by which the condition is not what was `wanted`. The caller has made sure that it is not. */
function* deciding(condition: Condition, facts: unknown, wanted: boolean, budget: Budget): Generator<Deciding> {
  if (budget.exceeded) return
  if ('not' in condition) return yield* deciding(condition.not, facts, !wanted, budget)
  if (!('all' in condition || 'any' in condition)) return yield decidingOne(condition, facts, !wanted)
  const parts = 'all' in condition ? condition.all : condition.any
  // One wrong part is enough to spoil `all`, or what must not be `any`; the other way round every part is to blame.
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

/** A value as it is kept: whole while it is short, else the beginning of its text. */
const clipped = (value: unknown): unknown => {
  if (value === undefined) return value
  const text = beginningOfJson(value, maxCharacters)
  return text.length <= maxCharacters ? value : `${text.slice(0, maxCharacters)}…`.toWellFormed()
}

/** `data.total must be at least 20 and was 12`; several are joined. */
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
