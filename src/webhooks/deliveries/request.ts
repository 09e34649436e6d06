/** HTTP headers of a delivery (contract 12.1). Pure functions. */
import type { OwnHeaders } from '../endpoints/index.ts'
import type { EventText } from '../outbound-events/index.ts'

/** Identifies one request of a delivery. */
export interface AttemptInfo {
  /** Number of the attempt, starting at 1. */
  number: number
  /** Number of automatic attempts. Manual attempts are additional. */
  planned: number
  /** True if a person requested the attempt. */
  manual: boolean
}

/**
 * Adds the owner's headers, which replace default headers with the same name. The only default header that can be
 * replaced is `User-Agent`.
 */
export const withOwnHeaders = (headers: Record<string, string>, own: OwnHeaders): Record<string, string> => {
  const names = Object.keys(own)
  return names.length === 0 ? headers : { ...own, ...withoutOwnHeaders(headers, names) }
}

/** Returns the default headers without those that the owner replaced. */
export const withoutOwnHeaders = (headers: Record<string, string>, own: readonly string[]): Record<string, string> => {
  const ownNames = new Set(own.map(name => name.toLowerCase()))
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ownNames.has(name.toLowerCase())))
}

/**
 * Returns the headers of one attempt. `X-Service-Attempt` is `2/8`, for example, and `9/9` after the planned attempts.
 */
export const deliveryHeaders = (
  event: Pick<EventText, 'id' | 'type'>,
  deliveryId: string,
  { number, planned, manual }: AttemptInfo,
  signature: string,
): Record<string, string> => ({
  'Content-Type': 'application/json',
  'User-Agent': 'customer-engagement-service',
  'X-Service-Event': event.type,
  'X-Service-Event-Id': event.id,
  'X-Service-Delivery': deliveryId,
  'X-Service-Attempt': `${number}/${Math.max(planned, number)}`,
  ...(manual && { 'X-Service-Retry': 'manual' }),
  'X-Service-Signature': signature,
})
