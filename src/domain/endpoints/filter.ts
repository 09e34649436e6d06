/** The filter of an endpoint: which there may be, and which events it lets through. Pure. */
import {
  Budget,
  type Condition,
  faultsOfCondition,
  holds,
  maxLookedAt,
  maxLookedAtTogether,
  type Vocabulary,
} from '../conditions/index.ts'
import type { Details } from '../errors.ts'

/** An endpoint is told of nothing but what happened. */
const vocabulary: Vocabulary = { free: ['data'], closed: [] }

/**
 * Of a filter as JSON, in characters. Every event of its type is compared with it before anybody else's go on, so it is
 * bounded more closely than a condition that a workflow asks.
 */
const maxLength = 16 * 1024
const maxDetails = 20

/** What is wrong with it, each under its place; empty where nothing is. */
export const faultsOfFilter = (filter: Condition): Details => {
  const faults: Details = {}
  for (const [field, reason] of [...faultsOfCondition(filter, 'filter', vocabulary)].slice(0, maxDetails))
    faults[field] ??= reason
  if (JSON.stringify(filter).length > maxLength) faults.filter ??= 'Must be at most 16 KiB of JSON.'
  return faults
}

/** Of an event of the workspace: what of it filters may ask. */
export interface Filtered {
  type: string
  dataText: string
}

export interface Filter {
  webhookId: string
  events: readonly string[]
  filter: Condition
}

/** By the id of each endpoint that is told of the type, whether its filter lets the event through. */
export const passing = ({ type, dataText }: Filtered, filters: readonly Filter[]): Record<string, boolean> => {
  const asked = filters.filter(({ events }) => events.includes(type))
  if (asked.length === 0) return {}
  const facts = { data: JSON.parse(dataText) }
  const together = new Budget(maxLookedAtTogether)
  return Object.fromEntries(
    asked.map(({ webhookId, filter }) => [webhookId, holds(filter, facts, new Budget(maxLookedAt, together))]),
  )
}
