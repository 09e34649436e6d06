/** Facts that a definition may reference, and the errors for unknown ones. Pure. */
import { type Fault, isKnownPath, type KnownPaths, maxPathShown, unknownPathMessage } from '../core/conditions/index.ts'
import type { Match } from './runs/arrivals.ts'

/** Facts that are known for the whole run. */
export const runVocabulary: KnownPaths = {
  prefixes: ['data', 'trigger.data', 'customer.attributes'],
  exact: [
    'event.id',
    'event.type',
    'customer.id',
    'customer.name',
    'customer.phone',
    'customer.externalId',
    'customer.attributes',
  ],
}

/** Facts that steps can reference. */
export const stepVocabulary: KnownPaths = {
  prefixes: [...runVocabulary.prefixes, 'answer.data'],
  exact: [...runVocabulary.exact, 'answer.text', 'now'],
}

/** Facts of an arriving event: only its data. */
const eventVocabulary: KnownPaths = { prefixes: ['data'], exact: [] }

/** Returns the faults of a `match`. The paths on its right side must belong to `vocabulary`. */
export function* faultsOfMatch(match: Match, field: string, vocabulary: KnownPaths): Generator<Fault> {
  for (const [eventPath, runPath] of Object.entries(match)) {
    const faultPath = `${field}.${eventPath.slice(0, maxPathShown)}`
    if (!isPath(eventPath, eventVocabulary))
      yield [faultPath, unknownPathMessage(eventPath, eventVocabulary, path => path)]
    if (!isPath(runPath, vocabulary)) yield [faultPath, unknownPathMessage(runPath, vocabulary, path => path)]
  }
}

const maxPath = 1000

const isPath = (path: string, vocabulary: KnownPaths): boolean =>
  path.length <= maxPath && isKnownPath(path, vocabulary)

/**
 * Facts for the filter of a trigger. It is evaluated before the event has an ID, and possibly before the customer
 * exists.
 */
export const triggerVocabulary: KnownPaths = { prefixes: ['data'], exact: ['event.type'] }
