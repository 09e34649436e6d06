/** Server-Sent Events as text, and the places in a stream that their ids name. */
import type { SeenRow } from './sql.ts'

const encoder = new TextEncoder()
export const bytesOf = (text: string): Uint8Array => encoder.encode(text)

/** The place in the stream of a workspace up to the look of that time. */
export const placeOf = (at: number): string => `s${at.toString(36)}`

/** The time of the look that a place was given for; null for what is none of ours. */
export const timeOfPlace = (place: string): number | null => {
  const digits = /^s([0-9a-z]{1,10})$/.exec(place)?.[1]
  return digits === undefined ? null : Number.parseInt(digits, 36)
}

/**
 * What a look has found. Whoever has heard a part of it goes on from where the look before ended: only the last of its
 * events has the new place for its id.
 */
export const textOf = (rows: readonly (SeenRow & { gap?: true })[], from: number, to: number): string =>
  rows
    .map((row, index) => {
      const { kind, id, at, data, gap } = row
      const said = { id, at: at.toISOString(), ...data, ...(gap && { gap }) }
      return `event: ${kind}\nid: ${placeOf(index === rows.length - 1 ? to : from)}\ndata: ${JSON.stringify(said)}\n\n`
    })
    .join('')

/** Nothing happened, up to that look. */
export const heartbeatText = (at: number): string => `: still here\nid: ${placeOf(at)}\n\n`

/** How a stream begins; `wasLost`: what happened meanwhile cannot be told any more, so everything is to be fetched anew. */
export const openingText = (at: number, wasLost: boolean, retryMs: number): string => {
  const line = `retry: ${retryMs}\nid: ${placeOf(at)}\n`
  return wasLost ? `event: reset\n${line}data: {"at":"${new Date(at).toISOString()}"}\n\n` : `: welcome\n${line}\n`
}
