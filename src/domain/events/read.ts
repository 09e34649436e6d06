import { notFound } from '../errors.ts'
import { isId } from '../ids.ts'
import { JsonText } from '../json-text.ts'
import { maxLookedAt, pageOfLook } from '../look.ts'
import { selectWrittenByRuns } from '../messages/index.ts'
import { type PageOf, pageOf, pageRequest } from '../pagination.ts'
import { verb } from '../verb.ts'
import { didYouMeanOf, outcomesOf } from './outcomes.ts'
import type { Event, EventQuery, EventWithOutcomes } from './schema.ts'
import { type EventRow, findEvent, findLastEventLookedAt, isLookedFor, type StoredEvent, selectEvents } from './sql.ts'

/** Returns events of the caller's workspace, newest first. */
export const listEvents = verb(
  { by: 'key or member' },
  async ({ sql, caller }, query: EventQuery): Promise<PageOf<Event>> => {
    const page = pageRequest(query)
    const { type, customerId } = query
    const filter = { workspaceId: caller.workspaceId, type, customerId, page }
    const rows = await selectEvents(sql, filter, maxLookedAt)
    if (!isLookedFor(filter)) return pageOf(rows, page.limit, shapeStored)
    return pageOfLook(rows, page.limit, () => findLastEventLookedAt(sql, filter, maxLookedAt), shapeStored)
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
      messages: runIds.length === 0 ? [] : await selectWrittenByRuns(sql, workspaceId, runIds, maxMessages),
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
