import { notFound } from '../core/errors.ts'
import { isId } from '../core/ids.ts'
import { type PageOf, toPage, toPageRequest } from '../core/pagination.ts'
import { maxScanned, toScanPage } from '../core/scan.ts'
import { verb } from '../core/verb.ts'
import { selectMessagesOfRuns } from '../messaging/messages/index.ts'
import { JsonText } from '../platform/json-text.ts'
import { didYouMeanOf, outcomesOf } from './outcomes.ts'
import type { Event, EventQuery, EventWithOutcomes } from './schema.ts'
import { type EventRow, findEvent, findLastScannedEvent, needsScan, type StoredEvent, selectEvents } from './sql.ts'

/** Returns events of the caller's workspace, newest first. */
export const listEvents = verb(
  { by: 'key or member' },
  async ({ sql, caller }, query: EventQuery): Promise<PageOf<Event>> => {
    const page = toPageRequest(query)
    const { type, customerId } = query
    const filter = { workspaceId: caller.workspaceId, type, customerId, page }
    const rows = await selectEvents(sql, filter, maxScanned)
    if (!needsScan(filter)) return toPage(rows, page, shapeStored)
    return toScanPage(rows, page, () => findLastScannedEvent(sql, filter, maxScanned), shapeStored)
  },
)

/** Maximum number of messages shown per event. */
const maxMessages = 50

/** Returns one event of the caller's workspace, with its effects. */
export const readEvent = verb(
  { by: 'key or member' },
  async ({ sql, caller }, id: string): Promise<EventWithOutcomes> => {
    const row = isId(id) ? await findEvent(sql, caller.workspaceId, id) : null
    if (!row) throw notFound('event')
    const runIds = row.verdicts.flatMap(({ runId }) => runId ?? [])
    const { workspaceId } = caller
    const { mismatch, mismatchedAt } = row
    return {
      ...shapeStored(row),
      idempotencyMismatch: mismatch && mismatchedAt && { fields: mismatch, lastAt: mismatchedAt.toISOString() },
      matchedWorkflows: row.matchedWorkflows,
      outcomes: outcomesOf(row),
      didYouMean: didYouMeanOf(row),
      messages: runIds.length === 0 ? [] : await selectMessagesOfRuns(sql, workspaceId, runIds, maxMessages),
    }
  },
)

/** Converts a stored event to its public form. */
export const shapeStored = (row: StoredEvent): Event => shapeEvent(row, new JsonText(row.dataText))

/** Converts an event and its data to the public form. */
export const shapeEvent = (row: EventRow, data: Event['data']): Event => ({
  id: row.id,
  type: row.type,
  source: row.source,
  sender: row.sender,
  customerId: row.customerId,
  data,
  idempotencyKey: row.idempotencyKey,
  occurredAt: row.occurredAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
})
