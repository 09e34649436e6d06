/** Cursors of the stream of outbound events (contract 10.3). Pure. */
import { createHash } from 'node:crypto'
import { invalidRequest } from '../../core/errors.ts'

/**
 * Position in the stream: the transaction that wrote an event, and the id of the event. Events are ordered by both.
 * The start of the stream is before every event.
 */
export interface StreamPosition {
  xid: bigint
  id: string
}

export const streamStart: StreamPosition = { xid: 0n, id: '00000000-0000-0000-0000-000000000000' }

/** State of the database that a cursor depends on. */
export interface StreamState {
  /** Changes when transaction ids of earlier cursors are no longer comparable, for example after a restore. */
  epoch: number
  /** Greatest position that retention has removed. The start of the stream if it has removed nothing. */
  trim: StreamPosition
}

/** Content of a cursor: a position, and the state when it was issued. */
export interface PullCursor extends StreamState {
  position: StreamPosition
}

/** Returns a negative number if `one` is before `other`, 0 if both are equal, and otherwise a positive number. */
export const comparePositions = (one: StreamPosition, other: StreamPosition): number => {
  if (one.xid !== other.xid) return one.xid < other.xid ? -1 : 1
  if (one.id === other.id) return 0
  return one.id < other.id ? -1 : 1
}

/**
 * Returns whether every event after the position is still stored, or was already removed when the cursor was issued.
 * A cursor of another epoch is never valid.
 */
export const isCursorValid = ({ epoch, trim, position }: PullCursor, now: StreamState): boolean =>
  epoch === now.epoch && (comparePositions(now.trim, position) <= 0 || comparePositions(now.trim, trim) === 0)

const version = 1
const workspaceBytes = 4
const positionBytes = 24
const size = 1 + 4 + 2 * positionBytes + workspaceBytes

/** Encodes a cursor as 76 characters of base64url. */
export const encodePullCursor = (workspaceId: string, { epoch, trim, position }: PullCursor): string => {
  const bytes = Buffer.alloc(size)
  bytes.writeUInt8(version, 0)
  bytes.writeInt32BE(epoch, 1)
  writePosition(bytes, trim, 5)
  writePosition(bytes, position, 5 + positionBytes)
  workspaceHash(workspaceId).copy(bytes, 5 + 2 * positionBytes)
  return bytes.toString('base64url')
}

/** Decodes a cursor of the workspace. Throws 400 for any other text. */
export const decodePullCursor = (workspaceId: string, text: string): PullCursor => {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.byteLength !== size || bytes.readUInt8(0) !== version) throw foreignCursor()
  const cursor = {
    epoch: bytes.readInt32BE(1),
    trim: readPosition(bytes, 5),
    position: readPosition(bytes, 5 + positionBytes),
  }
  // Encoded again to compare, because the decoder ignores invalid characters.
  if (encodePullCursor(workspaceId, cursor) !== text) throw foreignCursor()
  return cursor
}

const writePosition = (bytes: Buffer, { xid, id }: StreamPosition, offset: number): void => {
  bytes.writeBigUInt64BE(xid, offset)
  bytes.write(id.replaceAll('-', ''), offset + 8, 'hex')
}

const readPosition = (bytes: Buffer, offset: number): StreamPosition => {
  const hex = bytes.toString('hex', offset + 8, offset + positionBytes)
  const id = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
  return { xid: bytes.readBigUInt64BE(offset), id }
}

const workspaceHash = (workspaceId: string): Buffer =>
  createHash('sha256').update(workspaceId).digest().subarray(0, workspaceBytes)

const foreignCursor = () =>
  invalidRequest({
    after: 'Is not a cursor of this workspace. Send the cursor of the previous response, or beginning, or omit it.',
  })
