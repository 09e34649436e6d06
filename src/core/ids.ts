/**
 * UUIDv7 ids, which sort by the time of creation. Used where a batch must know its ids before the write; elsewhere
 * uuidv7() of PostgreSQL makes them.
 */
import { v7, validate } from 'uuid'
import { clock } from '../platform/clock.ts'

/**
 * Backward step of the clock, in milliseconds, that counts as a correction. After a larger step, ids follow the clock
 * instead of staying in the future.
 */
const clockCorrectionMs = 1000
const maxSequence = 0x7fff_ffff

let last = { ms: 0, sequence: 0 }

/**
 * Returns a new id by the clock of the database. The ids of one process always increase, unless that clock is
 * corrected.
 */
export const newId = (now = clock.now()): string => {
  const ms = Math.floor(now)
  if (ms > last.ms || ms < last.ms - clockCorrectionMs)
    last = { ms, sequence: Math.floor(Math.random() * (maxSequence / 2)) }
  else if (last.sequence < maxSequence) last.sequence++
  else last = { ms: last.ms + 1, sequence: 0 }
  return v7({ msecs: last.ms, seq: last.sequence })
}

/** Returns whether the text is a valid UUID. Callers answer any other text with 404, like an unknown id. */
export const isId = (text: string): boolean => validate(text)

/** Returns the smallest id that can be created at `time` or later. No row with a greater or equal id is older. */
export const minIdAt = (time: Date): string => {
  const ms = Math.max(time.getTime(), 0).toString(16).padStart(12, '0')
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7000-8000-000000000000`
}
