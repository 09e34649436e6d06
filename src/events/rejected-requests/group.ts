/** Groups rejected requests into problems. */
import { createHash } from 'node:crypto'
import type { Details, PublicError } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import type { MismatchRecord } from '../index.ts'
import type { Sample } from './sample.ts'

/** One rejected request, as it was answered. */
export interface RejectedRequest {
  workspaceId: string
  /** Name of the store plugin, or `custom`. */
  sender: string
  /** API key of the sender. Null for a person and for a callback. */
  apiKeyId: string | null
  method: string
  /** Path of the operation. */
  path: string
  status: number
  error: PublicError
  requestId: string
  at: Date
  /** Set for a warning: the event of the idempotency key, and the fields in which the repeated request differs. */
  mismatch?: Omit<MismatchRecord, 'workspaceId'>
  /** Structure of the event. Null if the body is not a JSON object. */
  sample?: Sample | null
}

/** A group of identical rejected requests with its count. */
export interface RejectedRequestGroup {
  workspaceId: string
  /** Id for a new row. Problems that occurred later have greater ids. */
  id: string
  /** SHA-256 in hexadecimal of the common fields, unique within the workspace. */
  digest: string
  firstAt: Date
  lastAt: Date
  count: number
  sender: string
  apiKeyId: string | null
  method: string
  path: string
  status: number
  code: string
  message: string
  details: Details | null
  /** Id of the newest request. */
  requestId: string
  /** Event of the newest warning; null if there is none. */
  eventId: string | null
  /** Structure of the newest event; null if there is none. */
  sample: Sample | null
}

/** Groups identical rejected requests. The result is sorted, so that all processes lock rows in the same order. */
export const groupRejectedRequests = (requests: readonly RejectedRequest[]): RejectedRequestGroup[] => {
  const groups = new Map<string, RejectedRequestGroup>()
  for (const request of requests) {
    const {
      workspaceId,
      sender,
      apiKeyId,
      method,
      path,
      status,
      error,
      requestId,
      at,
      mismatch,
      sample = null,
    } = request
    const eventId = mismatch?.eventId ?? null
    const commonFields = JSON.stringify([
      sender,
      apiKeyId,
      method,
      path,
      status,
      error.code,
      error.message,
      error.details,
    ])
    const key = `${workspaceId} ${commonFields}`
    const group = groups.get(key)
    if (group) {
      group.count += 1
      group.lastAt = at
      group.requestId = requestId
      group.eventId = eventId
      group.sample = sample
    } else {
      groups.set(key, {
        workspaceId,
        id: newId(),
        digest: createHash('sha256').update(commonFields).digest('hex'),
        firstAt: at,
        lastAt: at,
        count: 1,
        sender,
        apiKeyId,
        method,
        path,
        status,
        code: error.code,
        message: shorten(error.message, maxMessage),
        details: error.details ? shortenDetails(error.details) : null,
        requestId,
        eventId,
        sample,
      })
    }
  }
  return [...groups.values()].sort((a, b) => compare(a.workspaceId, b.workspaceId) || compare(a.digest, b.digest))
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const maxMessage = 4000
const maxPath = 1000

/** Shortens field names, because a malicious request can contain names as long as its body. */
const shortenDetails = (details: Details): Details =>
  Object.fromEntries(
    Object.entries(details).map(([path, reason]) => [shorten(path, maxPath), shorten(reason, maxPath)]),
  )

const shorten = (text: string, max: number): string =>
  (text.length > max ? `${text.slice(0, max)}…` : text).toWellFormed().replaceAll('\0', '\u{fffd}')
