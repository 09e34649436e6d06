/** Evaluates conditions within a budget, so that large event data cannot block the process. Pure. */
import { type Numeral, numeralOf } from '../../platform/json.ts'
import type { Comparison, Condition } from './condition.ts'
import { valueAt } from './value.ts'

/**
 * Maximum cost of one condition; above it the condition is false. One execution of a run has four times as much in
 * total.
 */
export const maxLookedAt = 50_000
/** Maximum total cost of all conditions of one event, or of one execution of a run. */
export const maxLookedAtTogether = 4 * maxLookedAt

/** Remaining cost of an evaluation. Entries of lists, comparisons, and texts by their length count. */
export class Budget {
  #exceeded = false

  /** `shared` is charged as well. */
  constructor(
    private left: number = maxLookedAt,
    private readonly shared: Budget | null = null,
  ) {}

  /** True once the budget was exceeded. Results since then are not valid. */
  get exceeded(): boolean {
    return this.#exceeded
  }

  /** Charges the amount. Returns false if it exceeds the budget, and on every later call. */
  spend(amount: number): boolean {
    this.left -= amount
    if (this.left < 0 || this.shared?.spend(amount) === false) this.#exceeded = true
    return !this.#exceeded
  }
}

/**
 * Returns whether the condition holds. Never throws: absent values and values of another type compare as false. A
 * condition that exceeds the budget is false, whatever its parts are.
 */
export const holds = (
  condition: Condition,
  facts: unknown,
  budget = new Budget(),
  onAbsent: (path: string) => void = () => {},
): boolean => judged(condition, { facts, budget, onAbsent }) && !budget.exceeded

/** Inputs of an evaluation. */
interface Judging {
  facts: unknown
  budget: Budget
  /** Called with each path at which a comparison found no value. */
  onAbsent: (path: string) => void
}

const judged = (condition: Condition, by: Judging): boolean => {
  const { facts, budget, onAbsent } = by
  if (budget.exceeded) return false
  if ('all' in condition) return condition.all.every(part => judged(part, by))
  if ('any' in condition) return condition.any.some(part => judged(part, by))
  if ('not' in condition) return !judged(condition.not, by)
  if (!budget.spend(costOfPath)) return false
  const found = valueAt(facts, condition.path)
  if (found === undefined && condition.op !== 'exists') onAbsent(condition.path)
  return compare(condition, found, budget)
}

/** Cost of resolving a path, in comparisons of two values. */
const costOfPath = 5

const compare = ({ op, value }: Comparison, found: unknown, budget: Budget): boolean => {
  if (op === 'exists') return (found !== undefined) === (value !== false)
  if (found === undefined) return false
  const isEqual = (one: unknown, other: unknown) => budget.spend(costOf(one, other)) && equal(one, other)
  switch (op) {
    case 'eq':
      return isEqual(found, value)
    case 'ne':
      return !isEqual(found, value)
    case 'in':
      return Array.isArray(value) && value.some(one => isEqual(found, one))
    case 'contains':
      if (typeof found === 'string') return typeof value !== 'object' && stands(String(value), found, budget)
      return Array.isArray(found) && found.some(one => budget.exceeded || isEqual(one, value))
    default:
      return ordered(op, found, value)
  }
}

/** Cost of comparing two values: equal texts are read whole, and a text beside a number is converted digit by digit. */
const costOf = (one: unknown, other: unknown): number => {
  if (typeof one === 'string') return 1 + (one.length >> (typeof other === 'string' ? 8 : 2))
  return typeof other === 'string' ? 1 + (Math.min(other.length, maxNumberLength) >> 2) : 1
}

/**
 * Returns whether a text contains another. The cost grows with the product of the two lengths, as in the worst case.
 */
const stands = (wanted: string, text: string, budget: Budget): boolean =>
  budget.spend(Math.ceil(text.length / 100) * Math.ceil(wanted.length / 100)) && text.includes(wanted)

/** Shops send amounts as numbers or as text; "12.50" and 12.5 are the same amount. */
const equal = (a: unknown, b: unknown): boolean => {
  if (typeof a === typeof b) return a === b
  const [x, y] = [roughNumber(a), roughNumber(b)]
  // Compares doubles first, because the exact comparison by digits is expensive.
  return x !== null && x === y && asNumber(a) === asNumber(b)
}

const ordered = (op: 'gt' | 'gte' | 'lt' | 'lte', a: unknown, b: unknown): boolean => {
  const [x, y] = [asNumber(a), asNumber(b)]
  if (x === null || y === null) return false
  return { gt: x > y, gte: x >= y, lt: x < y, lte: x <= y }[op]
}

/** The largest double has 309 digits. A much longer text is not a number. */
const maxNumberLength = 400

/** Returns the nearest double, or null if the value is not a number. */
const roughNumber = (value: unknown): number | null => {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value)
  if (typeof value !== 'string' || value.length > maxNumberLength || value.trim() === '') return null
  const number = Number(value)
  return Number.isFinite(number) ? number : null
}

const asNumber = (value: unknown): Numeral | null => {
  if (typeof value === 'number' || typeof value === 'bigint') return value
  const number = roughNumber(value)
  return number === null ? null : numeralOf(number, String(value).trim())
}
