/** Reads the stream of outbound events (contract 10.3). */
import type { ReadRunner } from '../../core/context.ts'
import { DomainError, invalidRequest } from '../../core/errors.ts'
import { maxPageBytes } from '../../core/pagination.ts'
import { maxScanned } from '../../core/scan.ts'
import { verb } from '../../core/verb.ts'
import { deliveryBody } from './body.ts'
import {
  decodePullCursor,
  encodePullCursor,
  isCursorValid,
  type PullCursor,
  type StreamState,
  streamStart,
} from './pull-cursor.ts'
import { findStreamEnd, type PulledRows, selectPulled } from './pull-sql.ts'
import { outboundEventTypes, type PullQuery } from './schema.ts'
import type { PullWaiters } from './waiters.ts'

/** Events of one answer. */
export interface PulledPage {
  /** Delivery bodies as JSON texts, oldest first. */
  bodies: string[]
  cursor: string
  hasMore: boolean
}

/** A page with the content of its cursor. */
interface Page extends Omit<PulledPage, 'cursor'> {
  next: PullCursor
}

interface PullOptions {
  workspaceId: string
  types: readonly string[] | null
  limit: number
}

/**
 * Returns the events after the cursor, oldest first. Without a cursor, the stream starts now. If there is no event, waits
 * for one, at most `wait` seconds. Throws 400 for a cursor of another workspace, and 422 for one that is too old.
 */
export const pullOutboundEvents = verb(
  { by: 'member', feature: 'webhooks' },
  async (
    { caller: { workspaceId, id: userId } },
    reading: ReadRunner,
    waiters: PullWaiters,
    query: PullQuery,
    { signal, headOnly }: { signal: AbortSignal; headOnly: boolean },
  ): Promise<PulledPage> => {
    const options: PullOptions = {
      workspaceId,
      types: query.types === undefined ? null : parseTypes(query.types),
      limit: query.limit ?? maxEvents,
    }
    const read = (cursor: PullCursor | 'beginning') => readAfter(reading, cursor, options)
    let page = await (query.after === undefined
      ? readNow(reading, workspaceId)
      : read(query.after === 'beginning' ? query.after : decodePullCursor(workspaceId, query.after)))
    const maxMs = headOnly ? 0 : (query.wait ?? 0) * 1000
    if (maxMs > 0 && isEmpty(page))
      await waiters.run({ workspaceId, userId, maxMs, signal }, async waitForEvent => {
        while (isEmpty(page) && (await waitForEvent(page.next.position))) page = await read(page.next)
      })
    const { next, ...answer } = page
    return { ...answer, cursor: encodePullCursor(workspaceId, next) }
  },
)

const parseTypes = (text: string): string[] => {
  const names: readonly string[] = outboundEventTypes
  const types = text.split(',', names.length + 1)
  if (types.length <= names.length && types.every(type => names.includes(type))) return types
  throw invalidRequest({ types: `Must be one or more of ${names.join(', ')}, separated by commas.` })
}

/** Maximum number of events in an answer, and the default. */
const maxEvents = 100

const isEmpty = ({ bodies, hasMore }: Page): boolean => bodies.length === 0 && !hasMore

const readNow = async (reading: ReadRunner, workspaceId: string): Promise<Page> => {
  const { end, ...state } = await reading(workspaceId, sql => findStreamEnd(sql, workspaceId))
  return { bodies: [], next: { ...state, position: end }, hasMore: false }
}

const readAfter = async (
  reading: ReadRunner,
  cursor: PullCursor | 'beginning',
  { workspaceId, types, limit }: PullOptions,
): Promise<Page> => {
  const after = cursor === 'beginning' ? streamStart : cursor.position
  // One more event than the limit shows whether more follow.
  const rows = await reading(workspaceId, sql =>
    selectPulled(sql, {
      workspaceId,
      after,
      types,
      limit: limit + 1,
      maxScanned: types === null ? limit + 1 : maxScanned,
      maxBytes: maxPageBytes,
    }),
  )
  if (cursor !== 'beginning' && !isCursorValid(cursor, rows.state)) throw tooOld(workspaceId, rows.state)
  const events = rows.events.slice(0, limit)
  const isCut = events.length < rows.matched
  const position = (isCut ? events.at(-1)?.position : rows.lastScanned) ?? after
  return {
    bodies: events.map(event => deliveryBody(workspaceId, event)),
    next: { ...rows.state, position },
    hasMore: isCut || isScanFull(rows, types),
  }
}

/** Returns whether reading ended at the maximum number of rows, so that more events can follow. */
const isScanFull = ({ scanned }: PulledRows, types: readonly string[] | null): boolean =>
  types !== null && scanned === maxScanned

const tooOld = (workspaceId: string, state: StreamState): DomainError =>
  new DomainError(
    'unprocessable',
    'Events after this cursor were removed by retention, or the database was restored. Continue with the cursor in `details.after`, which is before the oldest stored event.',
    { after: encodePullCursor(workspaceId, { ...state, position: streamStart }) },
  )
