/** Reservations for endpoints with a rate limit: granted by the database row, spaced out in this process. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Turns, turnGapMs } from '../domain/endpoints/index.ts'

/** Time by `performance.now()` when a delivery may be sent, and the gap to the next one. */
export interface Turn {
  at: number
  gapMs: number
}

/** Maximum number of endpoints whose last reservation is remembered. The oldest entry is dropped first. */
const maxKnown = 10_000

/** Returns one evenly spaced reservation for each granted delivery. */
export const turnsOf = ({ given, inMs }: Turns, ratePerSecond: number): Turn[] => {
  const gapMs = turnGapMs(ratePerSecond)
  const first = performance.now() + inMs
  return Array.from({ length: given }, (_, place) => ({ at: first + place * gapMs, gapMs }))
}

/**
 * Keeps the gap between deliveries of an endpoint. Missed reservations are not made up: late deliveries, for example of
 * a slow endpoint, keep the same gap.
 */
export class TurnTaking {
  readonly #nextAt = new Map<string, number>()

  /** Waits for the reserved time. Returns false if the process ends first. */
  async wait(endpointId: string, { at, gapMs }: Turn, signal: AbortSignal): Promise<boolean> {
    const now = performance.now()
    const turn = Math.max(at, this.#nextAt.get(endpointId) ?? 0, now)
    this.#nextAt.delete(endpointId)
    if (this.#nextAt.size >= maxKnown) this.#nextAt.delete(this.#nextAt.keys().next().value!)
    this.#nextAt.set(endpointId, turn + gapMs)
    if (turn === now) return true
    try {
      await sleep(turn - now, undefined, { signal })
      return true
    } catch {
      return false
    }
  }
}
