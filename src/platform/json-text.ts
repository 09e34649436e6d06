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
    if (texts === null) throw new Error('use stringifyJson to write values that contain JSON text')
    texts.push(this.text)
    return placeholder
  }
}

/** Serializes a value like JSON.stringify and inserts every JsonText. */
export const stringifyJson = (value: unknown): string => {
  const collected: string[] = []
  texts = collected
  try {
    const written = JSON.stringify(value)
    return collected.length === 0 ? written : insertTexts(written, collected)
  } finally {
    texts = null
  }
}

/** JsonText pieces of the value that is being serialized, in order. Null outside `stringifyJson`. */
let texts: string[] | null = null

/** Marks the position of a JsonText. It is random and secret, so no input can contain it. */
const placeholder = randomUUID()

const insertTexts = (written: string, collected: string[]): string =>
  written
    .split(`"${placeholder}"`)
    .map((piece, index) => piece + (collected[index] ?? ''))
    .join('')
