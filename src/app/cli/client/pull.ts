/** Reads the stream of outbound events (contract 10.3). */
import { ClientError, ConnectionError } from './errors.ts'
import { rawItems } from './raw-items.ts'
import { type Service, sendCall, toApiError } from './service.ts'

export type Pulled =
  /** Bodies of deliveries, oldest first, and the position after them. */
  | { kind: 'page'; bodies: string[]; cursor: string; hasMore: boolean }
  /** Events after the cursor are not available any more. `after` is the cursor before the oldest stored event. */
  | { kind: 'missed'; after: string }
  /** The service does not answer or is overloaded. `afterMs` is its request to wait, in milliseconds. */
  | { kind: 'unavailable'; afterMs: number | null }

export interface PullRequest {
  /** Null to start now. */
  after: string | null
  /** Types of events. Empty for all. */
  types: readonly string[]
  /** Seconds to wait for an event. */
  wait: number
  signal: AbortSignal
}

/** Milliseconds for the response, in addition to the wait. */
const graceMs = 15_000
const unavailable = new Set([429, 500, 502, 503, 504])

/** Pulls one page. Throws ClientError if another call cannot help. */
export const pullPage = async (service: Service, { after, types, wait, signal }: PullRequest): Promise<Pulled> => {
  const query = new URLSearchParams({ limit: '100', wait: String(wait) })
  if (after !== null) query.set('after', after)
  if (types.length > 0) query.set('types', types.join(','))
  const path = `/v1/outbound-events/pull?${query}`
  try {
    const response = await sendCall(service, 'GET', path, { timeoutMs: wait * 1000 + graceMs, signal })
    const { status, headers, text } = response
    if (status === 200) {
      const { cursor, hasMore } = JSON.parse(text) as { cursor: string; hasMore: boolean }
      return { kind: 'page', bodies: rawItems(text), cursor, hasMore }
    }
    if (unavailable.has(status)) return { kind: 'unavailable', afterMs: readRetryAfter(headers['retry-after']) }
    if (status === 401) throw new ClientError('The token is no longer valid.')
    const error = toApiError(service, response)
    if (status === 422 && typeof error.details.after === 'string') return { kind: 'missed', after: error.details.after }
    throw error
  } catch (error) {
    if (error instanceof ConnectionError && !signal.aborted) return { kind: 'unavailable', afterMs: null }
    throw error
  }
}

const readRetryAfter = (seconds: string | undefined): number | null =>
  seconds !== undefined && /^\d{1,4}$/.test(seconds) ? Number(seconds) * 1000 : null
