/** Reservations for endpoints with a rate limit: granted by the database row, spaced out in this process. */
import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { type PermitReservation, permitIntervalMs } from '../../webhooks/endpoints/index.ts'

/** Time by `performance.now()` when a delivery may be sent, and the gap to the next one. */
export interface Reservation {
  at: number
  gapMs: number
}

/** Maximum number of endpoints whose last reservation is remembered. The oldest entry is dropped first. */
const maxKnown = 10_000

/** Returns one evenly spaced reservation for each granted delivery. */
export const toReservations = ({ given, inMs }: PermitReservation, ratePerSecond: number): Reservation[] => {
  const gapMs = permitIntervalMs(ratePerSecond)
  const first = performance.now() + inMs
  return Array.from({ length: given }, (_, index) => ({ at: first + index * gapMs, gapMs }))
}

/**
 * Keeps the gap between deliveries of an endpoint. Missed reservations are not made up: late deliveries, for example of
 * a slow endpoint, keep the same gap.
 */
export class EndpointRateLimiter {
  readonly #nextAt = new LRUCache<string, number>({ max: maxKnown })

  /** Waits for the reserved time. Returns false if the process ends first. */
  async wait(endpointId: string, { at, gapMs }: Reservation, signal: AbortSignal): Promise<boolean> {
    const now = performance.now()
    const sendAt = Math.max(at, this.#nextAt.get(endpointId) ?? 0, now)
    this.#nextAt.set(endpointId, sendAt + gapMs)
    if (sendAt === now) return true
    try {
      await sleep(sendAt - now, undefined, { signal })
      return true
    } catch {
      return false
    }
  }
}
