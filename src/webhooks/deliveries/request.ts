/** HTTP headers of a delivery (contract 12.1). Pure functions. */
import { isSent, type OwnHeaders } from '../endpoints/index.ts'
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

/** Signatures of one attempt. */
export interface Signatures {
  /** Time of the attempt in whole unix seconds. */
  t: number
  /** Value of `X-Service-Signature` (contract 13.1). */
  service: string
  /** Value of `webhook-signature` (contract 13.5). */
  standard: string
}

/** Returns the signatures as `delivery_attempts` stores them: one header value per line. */
export const toStoredSignatures = ({ service, standard }: Signatures): string => `${service}\n${standard}`

/** Reads stored signatures. */
export const readStoredSignatures = (stored: string): Signatures => {
  const [service = '', standard = ''] = stored.split('\n')
  return { t: Number(service.slice('t='.length, service.indexOf(','))), service, standard }
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
  const ownNames = new Set(own.filter(isSent).map(name => name.toLowerCase()))
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ownNames.has(name.toLowerCase())))
}

/**
 * Returns the headers of one attempt. `X-Service-Attempt` is `2/8`, for example, and `9/9` after the planned attempts.
 */
export const deliveryHeaders = (
  event: Pick<EventText, 'id' | 'type'>,
  deliveryId: string,
  { number, planned, manual }: AttemptInfo,
  { t, service, standard }: Signatures,
  traceparent: string | null = null,
): Record<string, string> => ({
  'Content-Type': 'application/json',
  'User-Agent': 'customer-engagement-service',
  'X-Service-Event': event.type,
  'X-Service-Event-Id': event.id,
  'X-Service-Delivery': deliveryId,
  'X-Service-Attempt': `${number}/${Math.max(planned, number)}`,
  ...(manual && { 'X-Service-Retry': 'manual' }),
  'X-Service-Signature': service,
  'webhook-id': event.id,
  'webhook-timestamp': `${t}`,
  'webhook-signature': standard,
  ...(traceparent !== null && { traceparent }),
})
