/** Whether a customer may be let into a workflow a second time. Pure. */
import { createHash } from 'node:crypto'
import { valueAt } from '../conditions/index.ts'

/** Of a definition: how often a customer is let in. */
export interface Entry {
  reentry?: 'always' | 'once' | 'not_while_active'
  /** A path such as `data.cartId`: then it is once, or one at a time, for each of its values. */
  key?: string
}

/** What limits it. */
export type EntryRule = 'once' | 'not_while_active'

/** The run that is in the way of another one, as it is told. */
export interface InTheWay {
  rule: EntryRule
  runId: string
  /** When that run began. */
  since: string
}

const prefixes: Record<EntryRule, string> = { once: 'once', not_while_active: 'active' }

/** The key that a run of the customer is given, which no two of them have; null where any number may be let in. */
export const entryKeyOf = (entry: Entry | null | undefined, customerId: string, facts: unknown): string | null => {
  const rule = ruleOf(entry)
  return rule && `${prefixes[rule]}:${whatOf(entry!, customerId, facts)}`
}

/** The keys of runs that may be in the way: of both rules, for the workflow may have had the other before. */
export const entryKeysInTheWay = (entry: Entry | null | undefined, customerId: string, facts: unknown): string[] => {
  if (ruleOf(entry) === null) return []
  const what = whatOf(entry!, customerId, facts)
  return Object.values(prefixes).map(prefix => `${prefix}:${what}`)
}

export const ruleOf = (entry: Entry | null | undefined): EntryRule | null =>
  entry?.reentry === 'once' || entry?.reentry === 'not_while_active' ? entry.reentry : null

/** Of any length a value may have; one that is absent is a value like any other. */
const whatOf = ({ key }: Entry, customerId: string, facts: unknown): string => {
  const hash = createHash('sha256').update(customerId.toLowerCase())
  if (key !== undefined) hash.update(`\n${JSON.stringify(valueAt(facts, key), namesInOrder) ?? ''}`)
  return hash.digest('base64url').slice(0, 32)
}

/** Objects that `match` would call equal are written alike, in whichever order their names came. */
const namesInOrder = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value
