/** The turns of endpoints with a rate: given away by their row, and kept apart in this process. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Turns, turnGapMs } from '../domain/endpoints/index.ts'

/** When a letter may go, by `performance.now()`, and how long after it the next. */
export interface Turn {
  at: number
  gapMs: number
}

/** Endpoints whose last turn is kept in mind; beyond them the one that was met first is forgotten. */
const maxKnown = 10_000

/** One turn after the other for as many as were given. */
export const turnsOf = ({ given, inMs }: Turns, ratePerSecond: number): Turn[] => {
  const gapMs = turnGapMs(ratePerSecond)
  const first = performance.now() + inMs
  return Array.from({ length: given }, (_, place) => ({ at: first + place * gapMs, gapMs }))
}

/**
 * Turns that were not taken in time are not made up for: those that come late, as when the endpoint was slow, keep the
 * distance all the same.
 */
export class TurnTaking {
  readonly #nextAt = new Map<string, number>()

  /** Waits for a turn; false where the process ends before. */
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
