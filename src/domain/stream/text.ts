/** Formats Server-Sent Events and their cursors. */
import type { SeenRow } from './sql.ts'

const encoder = new TextEncoder()
export const bytesOf = (text: string): Uint8Array => encoder.encode(text)

/** Returns the cursor of a poll at that time. */
export const placeOf = (at: number): string => `s${at.toString(36)}`

/** Returns the time of a cursor's poll; null if it is not a cursor of this service. */
export const timeOfPlace = (place: string): number | null => {
  const digits = /^s([0-9a-z]{1,10})$/.exec(place)?.[1]
  return digits === undefined ? null : Number.parseInt(digits, 36)
}

/**
 * Formats the result of a poll. Only the last event has the new cursor, so that a client that received only a part
 * resumes after the previous poll.
 */
export const textOf = (rows: readonly (SeenRow & { gap?: true })[], from: number, to: number): string =>
  rows
    .map((row, index) => {
      const { kind, id, at, data, gap } = row
      const said = { id, at: at.toISOString(), ...data, ...(gap && { gap }) }
      return `event: ${kind}\nid: ${placeOf(index === rows.length - 1 ? to : from)}\ndata: ${JSON.stringify(said)}\n\n`
    })
    .join('')

/** Formats a heartbeat that moves the cursor to that poll. */
export const heartbeatText = (at: number): string => `: still here\nid: ${placeOf(at)}\n\n`

/**
 * Formats the beginning of a feed. `wasLost`: missed events cannot be sent, so a `reset` tells the client to fetch
 * everything again.
 */
export const openingText = (at: number, wasLost: boolean, retryMs: number): string => {
  const line = `retry: ${retryMs}\nid: ${placeOf(at)}\n`
  return wasLost ? `event: reset\n${line}data: {"at":"${new Date(at).toISOString()}"}\n\n` : `: welcome\n${line}\n`
}
