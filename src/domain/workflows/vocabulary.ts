/** Facts that a definition may reference, and the errors for unknown ones. Pure. */
import { type Fault, isKnown, maxShown, unknownPath, type Vocabulary } from '../conditions/index.ts'
import type { Match } from './arrivals.ts'
import { holdsUnclosed, placeholdersOf } from './facts.ts'

/** Returns why a text with placeholders is invalid, or null. */
export const faultOfText = (text: string, vocabulary: Vocabulary): string | null =>
  text.trim() === '' ? 'Must hold more than white space.' : faultOfPlaceholders(text, vocabulary)

/** Like `faultOfText`, but the text may be empty. */
export const faultOfPlaceholders = (text: string, vocabulary: Vocabulary): string | null => {
  if (holdsUnclosed(text))
    return 'Holds {{ that begins no placeholder; one reads {{customer.name}} or {{customer.name|there}}.'
  const unknown = placeholdersOf(text).find(path => !isKnown(path, vocabulary))
  return unknown === undefined ? null : unknownPath(unknown, vocabulary, path => `{{${path}}}`)
}

/** Facts that are known for the whole run. */
export const runVocabulary: Vocabulary = {
  free: ['data', 'trigger.data', 'customer.attributes'],
  closed: [
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
export const stepVocabulary: Vocabulary = {
  free: [...runVocabulary.free, 'answer.data'],
  closed: [...runVocabulary.closed, 'answer.text', 'now'],
}

/** Facts of an arriving event: only its data. */
const arrivingVocabulary: Vocabulary = { free: ['data'], closed: [] }

/** Returns the faults of a `match`. The paths on its right side must belong to `vocabulary`. */
export function* faultsOfMatch(match: Match, field: string, vocabulary: Vocabulary): Generator<Fault> {
  for (const [arriving, own] of Object.entries(match)) {
    const place = `${field}.${arriving.slice(0, maxShown)}`
    if (!isPath(arriving, arrivingVocabulary)) yield [place, unknownPath(arriving, arrivingVocabulary, path => path)]
    if (!isPath(own, vocabulary)) yield [place, unknownPath(own, vocabulary, path => path)]
  }
}

const maxPath = 1000

const isPath = (path: string, vocabulary: Vocabulary): boolean => path.length <= maxPath && isKnown(path, vocabulary)

/**
 * Facts for the filter of a trigger. It is evaluated before the event has an ID, and possibly before the customer
 * exists.
 */
export const triggerVocabulary: Vocabulary = { free: ['data'], closed: ['event.type'] }
