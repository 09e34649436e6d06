/** Compares a repeat of an idempotency key with the event that the key names. */
import type { RefusalText } from '../errors.ts'
import type { Mismatch } from './schema.ts'
import type { IncomingEvent, SeenEvent } from './sql.ts'

/**
 * Returns what differs apart from `data`. Of an event whose customer was erased, or that is no longer kept, only the type
 * is compared: the rest is gone. `customerId` is whom the repeat is about, null where that is no known customer.
 */
export const mismatchOf = (seen: SeenEvent, repeat: IncomingEvent, customerId: string | null): Mismatch[] => {
  const differs: Mismatch[] = []
  if (seen.type !== repeat.type) differs.push('type')
  if (!seen.isWhole) return differs
  if (seen.customerId !== customerId) differs.push('customer')
  if (seen.occurredAt?.getTime() !== repeat.occurredAt?.getTime()) differs.push('occurredAt')
  return differs
}

/** What the list of rejected events says of a repeat that differs: the same for every repeat that differs in the same way. */
export const mismatchWarning = (mismatch: readonly Mismatch[], firstType: string): RefusalText => ({
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
  data: 'The first event has other data.',
}
