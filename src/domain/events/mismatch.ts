/** Compares a repeat of an idempotency key with the event that the key names. */
import { parseJson } from '../../platform/json.ts'
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

/** Whether `data` of a repeat equals that of the first event, which is given as PostgreSQL writes it. */
export const hasSameData = (dataText: string, repeat: IncomingEvent['data']): boolean =>
  isSame(parseJson(dataText), parseJson(JSON.stringify(repeat)))

/** Whether two values of JSON are equal, whatever the order of their fields. */
const isSame = (one: unknown, other: unknown): boolean => {
  if (isNumber(one) && isNumber(other)) return one === other || Number(one) === Number(other)
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const [fields, others] = [Object.entries(one), new Map<string, unknown>(Object.entries(other))]
  return (
    fields.length === others.size &&
    fields.every(([name, value]) => others.has(name) && isSame(value, others.get(name)))
  )
}

const isNumber = (value: unknown): value is number | bigint => typeof value === 'number' || typeof value === 'bigint'

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
