/** Whether a condition holds, found out within a budget: what an event holds cannot keep a process busy. Pure. */
import { type Numeral, numeralOf } from '../../platform/json.ts'
import type { Comparison, Condition } from './condition.ts'
import { valueAt } from './value.ts'

/** The most that one condition looks at; then it is false. A visit of a run may look at four times as much in all. */
export const maxLookedAt = 50_000
/** The most that all conditions of one event, or of one visit of a run, look at together. */
export const maxLookedAtTogether = 4 * maxLookedAt

/** How much may still be looked at: entries of lists, comparisons, and texts by their length. */
export class Budget {
  #exceeded = false

  /** `shared` is used up as well. */
  constructor(
    private left: number = maxLookedAt,
    private readonly shared: Budget | null = null,
  ) {}

  /** True once more was asked for than there was: what was answered since means nothing. */
  get exceeded(): boolean {
    return this.#exceeded
  }

  /** Takes so much; false, now and from then on, where there is not enough. */
  spend(amount: number): boolean {
    this.left -= amount
    if (this.left < 0 || this.shared?.spend(amount) === false) this.#exceeded = true
    return !this.#exceeded
  }
}

/**
 * True or false, never an exception: what is absent or of another type compares as false, and a condition that exceeds
 * the budget is false whatever its parts are.
 */
export const holds = (
  condition: Condition,
  facts: unknown,
  budget = new Budget(),
  onAbsent: (path: string) => void = () => {},
): boolean => judged(condition, { facts, budget, onAbsent }) && !budget.exceeded

/** What a condition is judged by. */
interface Judging {
  facts: unknown
  budget: Budget
  /** Told of each path at which a comparison found nothing that it could compare. */
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

/** Taking a path apart, in comparisons of two values. */
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

/** Whether one text stands in another. The worst of pairs costs their product, the longer they are. */
const stands = (wanted: string, text: string, budget: Budget): boolean =>
  budget.spend(Math.ceil(text.length / 100) * Math.ceil(wanted.length / 100)) && text.includes(wanted)

/** Shops send amounts as numbers or as text; "12.50" and 12.5 are the same amount. */
const equal = (a: unknown, b: unknown): boolean => {
  if (typeof a === typeof b) return a === b
  const [x, y] = [roughNumber(a), roughNumber(b)]
  // Digit by digit is dear, and what differs as a double differs.
  return x !== null && x === y && asNumber(a) === asNumber(b)
}

const ordered = (op: 'gt' | 'gte' | 'lt' | 'lte', a: unknown, b: unknown): boolean => {
  const [x, y] = [asNumber(a), asNumber(b)]
  if (x === null || y === null) return false
  return { gt: x > y, gte: x >= y, lt: x < y, lte: x <= y }[op]
}

/** The largest number there is has 309 digits; a text far longer than that is none. */
const maxNumberLength = 400

/** The nearest double; null for what is no number. */
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
