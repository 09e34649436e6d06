/** Decides whether and when a request is repeated (contract 5.3). Pure. */

export interface Attempt {
  /** HTTP method in upper case. */
  method: string
  /** Whether the request has an idempotency key. A POST without a key is never repeated. */
  hasKey: boolean
  /** Number of earlier attempts. */
  attempt: number
  /** Status of the response, or `network` if no complete response arrived. */
  outcome: number | 'network'
  /** Value of `Retry-After`, or null. */
  retryAfter: string | null
  /** Random number from 0 to 1, which spreads the repeats of several clients. */
  random: number
  /** Current time in milliseconds since 1970. */
  now: number
}

/** Methods whose repetition has the same effect. */
const repeatable = ['GET', 'HEAD', 'PUT', 'DELETE']
const retriedStatuses = [429, 500, 502, 503, 504]
const firstDelayMs = 500
const maxDelayMs = 30_000
/** A longer `Retry-After` is not awaited: the caller gets the response. */
const maxRetryAfterMs = 60_000

/**
 * Returns the milliseconds before the next attempt, or null if there is none. The delay is random, at most 0.5 seconds
 * and then twice as long each time, up to 30 seconds. `Retry-After` applies if it is longer.
 */
export const retryDelay = (attempt: Attempt, maxRetries = 5): number | null => {
  if (attempt.attempt >= maxRetries) return null
  if (!repeatable.includes(attempt.method) && !(attempt.method === 'POST' && attempt.hasKey)) return null
  if (attempt.outcome !== 'network' && !retriedStatuses.includes(attempt.outcome)) return null
  const afterMs = readRetryAfter(attempt.retryAfter, attempt.now)
  if (afterMs > maxRetryAfterMs) return null
  const backoffMs = Math.floor(attempt.random * Math.min(maxDelayMs, firstDelayMs * 2 ** attempt.attempt))
  return Math.max(backoffMs, afterMs)
}

const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** Returns milliseconds from a number of seconds or an HTTP date. Returns 0 if the header is missing or unreadable. */
const readRetryAfter = (value: string | null, now: number): number => {
  if (value === null) return 0
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000
  const until = httpDate.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(until) ? 0 : Math.max(0, until - now)
}
