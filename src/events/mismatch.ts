/** Compares a repeat of an idempotency key with the first event of that key. */
import type { PublicError } from '../core/errors.ts'
import type { Mismatch } from './schema.ts'
import type { ExistingEvent, IncomingEvent } from './sql.ts'

/**
 * Returns the differences, except in `data` and `optIn`. If the customer was erased or the event was deleted by retention, only the
 * type is compared. `customerId` is the customer of the repeat, or null if unknown.
 */
export const mismatchOf = (first: ExistingEvent, repeat: IncomingEvent, customerId: string | null): Mismatch[] => {
  const differences: Mismatch[] = []
  if (first.type !== repeat.type) differences.push('type')
  if (!first.isComplete) return differences
  if (first.customerId !== customerId) differences.push('customer')
  if (first.occurredAt?.getTime() !== repeat.occurredAt?.getTime()) differences.push('occurredAt')
  return differences
}

/** Returns the warning for the list of rejected events. It is the same for all repeats that differ in the same way. */
export const mismatchWarning = (mismatch: readonly Mismatch[], firstType: string): PublicError => ({
  code: 'conflict',
  message:
    'An idempotency key was used again for a different event. The first event was returned, and nothing was recorded. Use a new key for each occurrence.',
  details: Object.fromEntries(
    mismatch.map(field => [
      field,
      field === 'type' ? `The first event has the type ${JSON.stringify(firstType)}.` : sentences[field],
    ]),
  ),
})

const sentences: Record<Exclude<Mismatch, 'type'>, string> = {
  customer: 'The first event is about another customer.',
  occurredAt: 'The first event occurred at another time.',
  optIn:
    'The first event has another opt-in, or only one of the two has one. The opt-in of the repeat was not recorded.',
  data: 'The first event has other data.',
}
