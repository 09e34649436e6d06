/** Evaluates conditions within a budget, so that large event data cannot block the process. Pure. */
import { type Numeral, toNumeral } from '../../platform/json.ts'
import type { Comparison, Condition } from './condition.ts'
import { valueAt } from './value.ts'

/**
 * Maximum cost of one condition; above it the condition is false. One execution of a run has four times as much in
 * total.
 */
export const maxCost = 50_000
/** Maximum total cost of all conditions of one event, or of one execution of a run. */
export const maxTotalCost = 4 * maxCost

/** Remaining cost of an evaluation. Entries of lists, comparisons, and texts by their length count. */
export class Budget {
  #isExceeded = false

  /** `shared` is charged as well. */
  constructor(
    private remaining: number = maxCost,
    private readonly shared: Budget | null = null,
  ) {}

  /** True once the budget was exceeded. Results since then are not valid. */
  get isExceeded(): boolean {
    return this.#isExceeded
  }

  /** Charges the amount. Returns false if it exceeds the budget, and on every later call. */
  spend(amount: number): boolean {
    this.remaining -= amount
    if (this.remaining < 0 || this.shared?.spend(amount) === false) this.#isExceeded = true
    return !this.#isExceeded
  }
}

/**
 * Returns whether the condition holds. Never throws: absent values and values of another type compare as false. A
 * condition that exceeds the budget is false, whatever its parts are.
 */
export const evaluateCondition = (
  condition: Condition,
  facts: unknown,
  budget = new Budget(),
  onAbsent: (path: string) => void = () => {},
): boolean => evaluate(condition, { facts, budget, onAbsent }) && !budget.isExceeded

/** Inputs of an evaluation. */
interface Evaluation {
  facts: unknown
  budget: Budget
  /** Called with each path at which a comparison found no value. */
  onAbsent: (path: string) => void
}

const evaluate = (condition: Condition, evaluation: Evaluation): boolean => {
  const { facts, budget, onAbsent } = evaluation
  if (budget.isExceeded) return false
  if ('all' in condition) return condition.all.every(child => evaluate(child, evaluation))
  if ('any' in condition) return condition.any.some(child => evaluate(child, evaluation))
  if ('not' in condition) return !evaluate(condition.not, evaluation)
  if (!budget.spend(pathCost)) return false
  const actual = valueAt(facts, condition.path)
  if (actual === undefined && condition.op !== 'exists') onAbsent(condition.path)
  return compare(condition, actual, budget)
}

/** Cost of resolving a path, in comparisons of two values. */
const pathCost = 5

const compare = ({ op, value }: Comparison, actual: unknown, budget: Budget): boolean => {
  if (op === 'exists') return (actual !== undefined) === (value !== false)
  if (actual === undefined) return false
  const isEqual = (one: unknown, other: unknown) => budget.spend(comparisonCost(one, other)) && areEqual(one, other)
  switch (op) {
    case 'eq':
      return isEqual(actual, value)
    case 'ne':
      return !isEqual(actual, value)
    case 'in':
      return Array.isArray(value) && value.some(one => isEqual(actual, one))
    case 'contains':
      if (typeof actual === 'string') return typeof value !== 'object' && containsText(String(value), actual, budget)
      return Array.isArray(actual) && actual.some(one => budget.isExceeded || isEqual(one, value))
    default:
      return compareOrder(op, actual, value)
  }
}

/** Cost of comparing two values: equal texts are read whole, and a text beside a number is converted digit by digit. */
const comparisonCost = (one: unknown, other: unknown): number => {
  if (typeof one === 'string') return 1 + (one.length >> (typeof other === 'string' ? 8 : 2))
  return typeof other === 'string' ? 1 + (Math.min(other.length, maxNumberLength) >> 2) : 1
}

/**
 * Returns whether a text contains another. The cost grows with the product of the two lengths, as in the worst case.
 */
const containsText = (needle: string, text: string, budget: Budget): boolean =>
  budget.spend(Math.ceil(text.length / 100) * Math.ceil(needle.length / 100)) && text.includes(needle)

/** Shops send amounts as numbers or as text; "12.50" and 12.5 are the same amount. */
const areEqual = (a: unknown, b: unknown): boolean => {
  if (typeof a === typeof b) return a === b
  const [x, y] = [toDouble(a), toDouble(b)]
  // Compares doubles first, because the exact comparison by digits is expensive.
  return x !== null && x === y && readNumeral(a) === readNumeral(b)
}

const compareOrder = (op: 'gt' | 'gte' | 'lt' | 'lte', a: unknown, b: unknown): boolean => {
  const [x, y] = [readNumeral(a), readNumeral(b)]
  if (x === null || y === null) return false
  return { gt: x > y, gte: x >= y, lt: x < y, lte: x <= y }[op]
}

/** The largest double has 309 digits. A much longer text is not a number. */
const maxNumberLength = 400

/** Returns the nearest double, or null if the value is not a number. */
const toDouble = (value: unknown): number | null => {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value)
  if (typeof value !== 'string' || value.length > maxNumberLength || value.trim() === '') return null
  const number = Number(value)
  return Number.isFinite(number) ? number : null
}

const readNumeral = (value: unknown): Numeral | null => {
  if (typeof value === 'number' || typeof value === 'bigint') return value
  const number = toDouble(value)
  return number === null ? null : toNumeral(number, String(value).trim())
}
