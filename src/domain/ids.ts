/**
 * UUIDv7: sortable by the time it was made, and made here where a batch must know its ids before it is written.
 * Elsewhere PostgreSQL's own uuidv7() makes them.
 */
import { v7, validate } from 'uuid'
import { clock } from '../platform/clock.ts'

/** A clock that goes back by more than this was corrected: ids follow it, rather than stay in the future. */
const correctedMs = 1000
const maxSequence = 0x7fff_ffff

let last = { ms: 0, sequence: 0 }

/** A new id, by the clock of the database; those of one process only ever increase, unless that clock is corrected. */
export const newId = (now = clock.now()): string => {
  const ms = Math.floor(now)
  if (ms > last.ms || ms < last.ms - correctedMs) last = { ms, sequence: Math.floor(Math.random() * (maxSequence / 2)) }
  else if (last.sequence < maxSequence) last.sequence++
  else last = { ms: last.ms + 1, sequence: 0 }
  return v7({ msecs: last.ms, seq: last.sequence })
}

/** True when the text can be an id; anything else is, like an unknown id, not found. */
export const isId = (text: string): boolean => validate(text)

/** The smallest id that can be made at this time or later: what has a greater one is not older. */
export const firstIdOf = (time: Date): string => {
  const ms = Math.max(time.getTime(), 0).toString(16).padStart(12, '0')
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7000-8000-000000000000`
}
