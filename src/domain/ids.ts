/**
 * UUIDv7: sortable by the time it was made, and made here where a batch must know its ids before it is written.
 * Elsewhere PostgreSQL's own uuidv7() makes them.
 */
import { v7, validate } from 'uuid'

/** A new id; those of one process only ever increase. */
export const newId = (): string => v7()

/** True when the text can be an id; anything else is, like an unknown id, not found. */
export const isId = (text: string): boolean => validate(text)

/** The smallest id that can be made at this time or later: what has a greater one is not older. */
export const firstIdOf = (time: Date): string => {
  const ms = Math.max(time.getTime(), 0).toString(16).padStart(12, '0')
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7000-8000-000000000000`
}
