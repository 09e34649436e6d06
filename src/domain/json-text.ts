/**
 * JSON that is text already. What was stored is answered as PostgreSQL writes it: to parse 700 KB of small fields, and to
 * make text of them again, would keep everybody else waiting for 30 ms.
 */
import { randomUUID } from 'node:crypto'

/** A piece of JSON, to be put into an answer as it is. */
export class JsonText {
  constructor(private readonly text: string) {}

  /** Called by JSON.stringify, in the order in which it writes. */
  toJSON(): string {
    if (texts === null) throw new Error('what holds JSON that is text already is written by jsonOf')
    texts.push(this.text)
    return placeholder
  }
}

/** As JSON.stringify writes it, with every JsonText in its place. */
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

/** What the value that is being written holds. */
let texts: string[] | null = null

/** Known to nobody outside, so that it stands nowhere else. */
const placeholder = randomUUID()

const filled = (written: string, met: string[]): string =>
  written
    .split(`"${placeholder}"`)
    .map((piece, place) => piece + (met[place] ?? ''))
    .join('')
