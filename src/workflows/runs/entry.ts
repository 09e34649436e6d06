/** Rules for whether a customer may start a workflow a second time. Pure. */
import { createHash } from 'node:crypto'
import { valueAt } from '../../core/conditions/index.ts'

/** Part of a definition that limits how often a customer may start it. */
export interface Entry {
  reentry?: 'always' | 'once' | 'not_while_active'
  /** Path such as `data.cartId`. The limit then applies to each value of it separately. */
  key?: string
}

/** Rule that limits entries. */
export type EntryRule = 'once' | 'not_while_active'

/** Existing run that prevents another one, as returned by the API. */
export interface EntryBlock {
  rule: EntryRule
  runId: string
  /** Start time of that run. */
  since: string
}

const prefixes: Record<EntryRule, string> = { once: 'once', not_while_active: 'active' }

/** Returns the key that only one run may have, or null if the number of runs is not limited. */
export const entryKeyOf = (entry: Entry | null | undefined, customerId: string, facts: unknown): string | null => {
  const rule = entryRuleOf(entry)
  return rule && `${prefixes[rule]}:${entryHash(entry!, customerId, facts)}`
}

/**
 * Returns the keys of runs that may prevent this one. Includes the keys of both rules, because an earlier version may
 * have had the other rule.
 */
export const blockingEntryKeys = (entry: Entry | null | undefined, customerId: string, facts: unknown): string[] => {
  if (entryRuleOf(entry) === null) return []
  const hash = entryHash(entry!, customerId, facts)
  return Object.values(prefixes).map(prefix => `${prefix}:${hash}`)
}

export const entryRuleOf = (entry: Entry | null | undefined): EntryRule | null =>
  entry?.reentry === 'once' || entry?.reentry === 'not_while_active' ? entry.reentry : null

/**
 * Hashes the customer and the value of the key, because a value can have any length. An absent value counts as a value.
 */
const entryHash = ({ key }: Entry, customerId: string, facts: unknown): string => {
  const hash = createHash('sha256').update(customerId.toLowerCase())
  if (key !== undefined) hash.update(`\n${JSON.stringify(valueAt(facts, key), sortMembers) ?? ''}`)
  return hash.digest('base64url').slice(0, 32)
}

/** JSON replacer that sorts object members, so that objects that `match` treats as equal have the same text. */
const sortMembers = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value
