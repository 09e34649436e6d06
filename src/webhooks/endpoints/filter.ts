/** Filters of endpoints: validation, and evaluation for an event. Pure functions. */
import {
  Budget,
  type Condition,
  evaluateCondition,
  faultsOfCondition,
  type KnownPaths,
  maxCost,
  maxTotalCost,
} from '../../core/conditions/index.ts'
import type { Details } from '../../core/errors.ts'

/** Fields that a filter can use: only the data of the event. */
const vocabulary: KnownPaths = { prefixes: ['data'], exact: [] }

/**
 * Maximum size of a filter as JSON, in characters. It is lower than for workflow conditions, because all
 * filters of an event run without yielding to the event loop.
 */
const maxLength = 16 * 1024
const maxDetails = 20

/** Returns the errors of a filter by field. Empty if it is valid. */
export const faultsOfFilter = (filter: Condition): Details => {
  const faults: Details = {}
  for (const [field, reason] of [...faultsOfCondition(filter, 'filter', vocabulary)].slice(0, maxDetails))
    faults[field] ??= reason
  if (JSON.stringify(filter).length > maxLength) faults.filter ??= 'Must be at most 16 KiB of JSON.'
  return faults
}

/** The parts of an event that filters can use. */
export interface FilterableEvent {
  type: string
  dataText: string
}

export interface Filter {
  webhookId: string
  events: readonly string[]
  filter: Condition
}

/**
 * Returns whether each filter accepts the event, by the id of the endpoint. Contains only endpoints that subscribe to
 * the event's type.
 */
export const evaluateFilters = (
  { type, dataText }: FilterableEvent,
  filters: readonly Filter[],
): Record<string, boolean> => {
  const subscribed = filters.filter(({ events }) => events.includes(type))
  if (subscribed.length === 0) return {}
  const facts = { data: JSON.parse(dataText) }
  const sharedBudget = new Budget(maxTotalCost)
  return Object.fromEntries(
    subscribed.map(({ webhookId, filter }) => [
      webhookId,
      evaluateCondition(filter, facts, new Budget(maxCost, sharedBudget)),
    ]),
  )
}
