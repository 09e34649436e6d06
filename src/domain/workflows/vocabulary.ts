/** Which facts a definition may speak of, and what is wrong where it speaks of others. Pure. */
import { type Fault, isKnown, maxShown, unknownPath, type Vocabulary } from '../conditions/index.ts'
import type { Match } from './arrivals.ts'
import { holdsUnclosed, placeholdersOf } from './facts.ts'

/** Why a text with placeholders is not taken; null where it is. */
export const faultOfText = (text: string, vocabulary: Vocabulary): string | null =>
  text.trim() === '' ? 'Must hold more than white space.' : faultOfPlaceholders(text, vocabulary)

/** The same of a text that may be empty. */
export const faultOfPlaceholders = (text: string, vocabulary: Vocabulary): string | null => {
  if (holdsUnclosed(text))
    return 'Holds {{ that begins no placeholder; one reads {{customer.name}} or {{customer.name|there}}.'
  const unknown = placeholdersOf(text).find(path => !isKnown(path, vocabulary))
  return unknown === undefined ? null : unknownPath(unknown, vocabulary, path => `{{${path}}}`)
}

/** What is known of a run from its beginning to its end. */
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

/** What steps know. */
export const stepVocabulary: Vocabulary = {
  free: [...runVocabulary.free, 'answer.data'],
  closed: [...runVocabulary.closed, 'answer.text', 'now'],
}

/** Of an event that arrives, its data. */
const arrivingVocabulary: Vocabulary = { free: ['data'], closed: [] }

/** What is wrong with a `match`, whose own paths may be of that vocabulary. */
export function* faultsOfMatch(match: Match, field: string, vocabulary: Vocabulary): Generator<Fault> {
  for (const [arriving, own] of Object.entries(match)) {
    const place = `${field}.${arriving.slice(0, maxShown)}`
    if (!isPath(arriving, arrivingVocabulary)) yield [place, unknownPath(arriving, arrivingVocabulary, path => path)]
    if (!isPath(own, vocabulary)) yield [place, unknownPath(own, vocabulary, path => path)]
  }
}

const maxPath = 1000

const isPath = (path: string, vocabulary: Vocabulary): boolean => path.length <= maxPath && isKnown(path, vocabulary)

/** The filter of a trigger is asked before the event has an id, and may be asked before there is a customer. */
export const triggerVocabulary: Vocabulary = { free: ['data'], closed: ['event.type'] }
