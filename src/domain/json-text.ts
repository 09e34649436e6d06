/**
 * JSON that is already text. Stored JSON is sent as PostgreSQL writes it. Parsing 700 KB of small fields and
 * serializing them again would block the event loop for 30 ms.
 */
import { randomUUID } from 'node:crypto'

/** A piece of JSON text that is inserted into a response unchanged. */
export class JsonText {
  constructor(private readonly text: string) {}

  /** Called by JSON.stringify, in the order of the output. */
  toJSON(): string {
    if (texts === null) throw new Error('what holds JSON that is text already is written by jsonOf')
    texts.push(this.text)
    return placeholder
  }
}

/** Serializes a value like JSON.stringify and inserts every JsonText. */
export const jsonOf = (value: unknown): string => {
  const met: string[] = []
  texts = met
  try {
    const written = JSON.stringify(value)
    return met.length === 0 ? written : filled(written, met)
  } finally {
    texts = null
  }
}

/** JsonText pieces of the value that is being serialized, in order. Null outside `jsonOf`. */
let texts: string[] | null = null

/** Marks the position of a JsonText. It is random and secret, so no input can contain it. */
const placeholder = randomUUID()

const filled = (written: string, met: string[]): string =>
  written
    .split(`"${placeholder}"`)
    .map((piece, place) => piece + (met[place] ?? ''))
    .join('')
