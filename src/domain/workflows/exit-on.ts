/** What ends a run wherever it is: an event of its customer, or that they opt out. */
import { Type } from '@sinclair/typebox'
import type { Budget } from '../conditions/index.ts'
import { message } from '../schema.ts'
import { type Arrival, EventType, isWanted, Match, type WaitsFor } from './arrivals.ts'
import type { SeenFacts } from './facts.ts'

/** Words of the definition's own for how a run ended. */
export const Reason = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  description: 'Words of your own for how the run ended.',
  ...message('Must be a text of 1 to 100 characters.'),
})

/** The most that may end a run of one definition. */
export const maxExits = 10

export const ExitOn = Type.Union(
  [
    Type.Object(
      { event: EventType, match: Type.Optional(Match), reason: Type.Optional(Reason) },
      { additionalProperties: false, $id: 'ExitOnEvent' },
    ),
    Type.Object(
      { optOut: Type.Literal(true, { description: 'The customer opting out ends the run.' }) },
      { additionalProperties: false, $id: 'ExitOnOptOut' },
    ),
  ],
  { $id: 'ExitOn', ...message('Must be {event, match?, reason?} or {optOut: true}.') },
)
export type ExitOn = { event: string; match?: Match; reason?: string } | { optOut: true }

/** Which of these ends the run: the first that holds. */
export const endedBy = (
  exits: readonly ExitOn[] = [],
  arrivals: readonly Arrival[],
  facts: SeenFacts,
  budget: Budget,
): { endReason: 'opted_out' | 'exit_condition'; reason: string | null } | null => {
  for (const exit of exits) {
    if ('optOut' in exit) {
      if (facts.customer.optedOut) return { endReason: 'opted_out', reason: null }
    } else if (arrivals.some(arrival => isWanted(exit, arrival, facts, budget)))
      return { endReason: 'exit_condition', reason: exit.reason ?? null }
  }
  return null
}

/** What these have a run woken by. An opt-out ends runs where it is recorded. */
export const waitedForBy = (exits: readonly ExitOn[] = []): WaitsFor[] =>
  exits.flatMap(exit => ('optOut' in exit ? [] : [{ kind: 'event' as const, eventType: exit.event }]))
