/**
 * UUIDv7: sortable by the time it was made, and made here where a batch must know its ids before it is written.
 * Elsewhere PostgreSQL's own uuidv7() makes them.
 */
import { v7, validate } from 'uuid'

/** A new id; those of one process only ever increase. */
export const newId = (): string => v7()

/** True when the text can be an id; anything else is, like an unknown id, not found. */
export const isId = (text: string): boolean => validate(text)
