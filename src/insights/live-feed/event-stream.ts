/** Formats Server-Sent Events and their cursors. */
import type { FeedRow } from './sql.ts'

const encoder = new TextEncoder()
export const bytesOf = (text: string): Uint8Array => encoder.encode(text)

/** Returns the cursor of a poll at that time. */
const cursorOf = (at: number): string => `s${at.toString(36)}`

/** Returns the time of a cursor's poll; null if it is not a cursor of this service. */
export const parseCursor = (cursor: string): number | null => {
  const digits = /^s([0-9a-z]{1,10})$/.exec(cursor)?.[1]
  return digits === undefined ? null : Number.parseInt(digits, 36)
}

/**
 * Formats the result of a poll. Only the last event has the new cursor, so that a client that received only a part
 * resumes after the previous poll.
 */
export const textOf = (rows: readonly (FeedRow & { gap?: true })[], from: number, to: number): string =>
  rows
    .map((row, index) => {
      const { kind, id, at, data, gap } = row
      const payload = { id, at: at.toISOString(), ...data, ...(gap && { gap }) }
      return `event: ${kind}\nid: ${cursorOf(index === rows.length - 1 ? to : from)}\ndata: ${JSON.stringify(payload)}\n\n`
    })
    .join('')

/** Formats a heartbeat that moves the cursor to that poll. */
export const heartbeatText = (at: number): string => `: still here\nid: ${cursorOf(at)}\n\n`

/**
 * Formats the beginning of a feed. `isLost`: missed events cannot be sent, so a `reset` tells the client to fetch
 * everything again.
 */
export const openingText = (at: number, isLost: boolean, retryMs: number): string => {
  const header = `retry: ${retryMs}\nid: ${cursorOf(at)}\n`
  return isLost ? `event: reset\n${header}data: {"at":"${new Date(at).toISOString()}"}\n\n` : `: welcome\n${header}\n`
}
