/** What makes two refusals the same problem. */
import { createHash } from 'node:crypto'
import type { Details, RefusalText } from '../errors.ts'
import type { MismatchNote } from '../events/index.ts'
import { newId } from '../ids.ts'

/** One refusal, as the caller was told of it. */
export interface Refusal {
  workspaceId: string
  /** The store plugin, or `custom`. */
  sender: string
  method: string
  /** Of the operation. */
  path: string
  status: number
  error: RefusalText
  requestId: string
  at: Date
  /** Of a warning: the event that an idempotency key names, and in what the repeat differs from it. */
  mismatch?: Omit<MismatchNote, 'workspaceId'>
}

/** Refusals that are the same problem, counted. */
export interface Problem {
  workspaceId: string
  /** Of its row, should it need a new one: problems that were met later have greater ones. */
  id: string
  /** SHA-256 in hexadecimal of what they have in common, within their workspace. */
  digest: string
  firstAt: Date
  lastAt: Date
  count: number
  sender: string
  method: string
  path: string
  status: number
  code: string
  message: string
  details: Details | null
  /** Of the newest. */
  requestId: string
  /** Of the newest warning; null where there is none. */
  eventId: string | null
}

/** One problem for all refusals that are the same, in an order that is the same in every process. */
export const problemsOf = (refusals: readonly Refusal[]): Problem[] => {
  const problems = new Map<string, Problem>()
  for (const refusal of refusals) {
    const { workspaceId, sender, method, path, status, error, requestId, at, mismatch } = refusal
    const eventId = mismatch?.eventId ?? null
    const inCommon = JSON.stringify([sender, method, path, status, error.code, error.message, error.details])
    const place = `${workspaceId} ${inCommon}`
    const known = problems.get(place)
    if (known) {
      known.count += 1
      known.lastAt = at
      known.requestId = requestId
      known.eventId = eventId
    } else {
      problems.set(place, {
        workspaceId,
        id: newId(),
        digest: createHash('sha256').update(inCommon).digest('hex'),
        firstAt: at,
        lastAt: at,
        count: 1,
        sender,
        method,
        path,
        status,
        code: error.code,
        message: shorten(error.message, maxMessage),
        details: error.details ? shortenDetails(error.details) : null,
        requestId,
        eventId,
      })
    }
  }
  return [...problems.values()].sort((a, b) => compare(a.workspaceId, b.workspaceId) || compare(a.digest, b.digest))
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const maxMessage = 4000
const maxPath = 1000

/** A refusal repeats names of fields, and a hostile caller's are as long as a body may be. */
const shortenDetails = (details: Details): Details =>
  Object.fromEntries(
    Object.entries(details).map(([path, reason]) => [shorten(path, maxPath), shorten(reason, maxPath)]),
  )

const shorten = (text: string, max: number): string =>
  (text.length > max ? `${text.slice(0, max)}…` : text).toWellFormed().replaceAll('\0', '\u{fffd}')
