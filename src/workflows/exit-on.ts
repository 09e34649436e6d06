/** Exit conditions of a workflow: an event of the customer, or an opt-out, ends a run at any step. */
import { Type } from '@sinclair/typebox'
import type { Budget } from '../core/conditions/index.ts'
import { errorMessage } from '../core/schema.ts'
import { type Arrival, EventType, Match, matchesEvent, type Wait } from './runs/arrivals.ts'
import type { ReadableFacts } from './runs/facts.ts'

/** Custom text that says why a run ended. */
export const Reason = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  description: 'Your own reason for the end of the run.',
  ...errorMessage('Must be a text of 1 to 100 characters.'),
})

/** Maximum number of exit conditions of one definition. */
export const maxExits = 10

export const ExitOn = Type.Union(
  [
    Type.Object(
      { event: EventType, match: Type.Optional(Match), reason: Type.Optional(Reason) },
      { additionalProperties: false, $id: 'ExitOnEvent' },
    ),
    Type.Object(
      { optOut: Type.Literal(true, { description: 'Ends the run when the customer opts out.' }) },
      { additionalProperties: false, $id: 'ExitOnOptOut' },
    ),
  ],
  { $id: 'ExitOn', ...errorMessage('Must be {event, match?, reason?} or {optOut: true}.') },
)
export type ExitOn = { event: string; match?: Match; reason?: string } | { optOut: true }

/** Returns the first exit condition that is met, or null. */
export const findMetExit = (
  exits: readonly ExitOn[] = [],
  arrivals: readonly Arrival[],
  facts: ReadableFacts,
  budget: Budget,
): { endReason: 'opted_out' | 'exit_condition'; reason: string | null } | null => {
  for (const exit of exits) {
    if ('optOut' in exit) {
      if (facts.customer.optedOut) return { endReason: 'opted_out', reason: null }
    } else if (arrivals.some(arrival => matchesEvent(exit, arrival, facts, budget)))
      return { endReason: 'exit_condition', reason: exit.reason ?? null }
  }
  return null
}

/**
 * Returns the arrivals that must wake a run for these exit conditions. Opt-outs are excluded, because recording one
 * ends the runs directly.
 */
export const awaitedByExits = (exits: readonly ExitOn[] = []): Wait[] =>
  exits.flatMap(exit => ('optOut' in exit ? [] : [{ kind: 'event' as const, eventType: exit.event }]))
