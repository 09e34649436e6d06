/** What a delivery looks like on the wire (contract 12.1). Pure. */
import type { OwnHeaders } from '../endpoints/index.ts'
import type { EventText } from '../outbound-events/index.ts'

/** Which request of a delivery this is. */
export interface AttemptMark {
  /** Counted from 1. */
  number: number
  /** Attempts that are made by themselves; those a person asks for come on top. */
  planned: number
  /** A person asked for it. */
  manual: boolean
}

/** With the owner's own, which take the place of ours where both name one: that can be `User-Agent` alone. */
export const withOwnHeaders = (headers: Record<string, string>, own: OwnHeaders): Record<string, string> => {
  const names = Object.keys(own)
  return names.length === 0 ? headers : { ...own, ...withoutOwn(headers, names) }
}

/** Those of ours in whose place none of the owner's went out. */
export const withoutOwn = (headers: Record<string, string>, own: readonly string[]): Record<string, string> => {
  const named = new Set(own.map(name => name.toLowerCase()))
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !named.has(name.toLowerCase())))
}

/** The headers of one attempt. `X-Service-Attempt` is `2/8`, and beyond the planned attempts `9/9`. */
export const deliveryHeaders = (
  event: Pick<EventText, 'id' | 'type'>,
  deliveryId: string,
  { number, planned, manual }: AttemptMark,
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
