import type { Caller, Ctx } from '../context.ts'
import { type Allowances, limitOf } from '../entitlements/index.ts'
import { notFound } from '../errors.ts'
import { isId } from '../ids.ts'
import { type PageOf, pageOf, pageRequest } from '../pagination.ts'
import { didYouMeanOf, outcomesOf } from './outcomes.ts'
import type { Event, EventQuery, EventWithOutcomes, RecordEvent, RecordedEvent } from './schema.ts'
import { senderOf } from './sender.ts'
import { type EventRow, findEvent, type IncomingEvent, selectEvents } from './sql.ts'
import type { Recorded } from './writer.ts'

/** Who sends an event, and what the plan of the workspace allows. */
export interface Sending {
  caller: Caller
  allowances: Allowances
  userAgent: string | null
}

/** The event as the writer takes it: who sent it comes from the caller, never from the body. */
export const incoming = ({ caller, allowances, userAgent }: Sending, body: RecordEvent): IncomingEvent => ({
  workspaceId: caller.workspaceId,
  source: caller.type === 'api_key' ? 'api' : 'dashboard',
  sender: senderOf(userAgent),
  type: body.type,
  phone: body.phone ?? null,
  customerId: body.customerId ?? null,
  externalId: body.externalId ?? null,
  name: body.name ?? null,
  data: body.data ?? {},
  idempotencyKey: body.idempotencyKey ?? null,
  optInEvidence: body.optIn?.evidence ?? null,
  monthlyLimit: limitOf(allowances, 'monthlyEvents'),
})

/** The answer to POST /v1/events. */
export const answer = ({ recorded, event }: Recorded): RecordedEvent => ({
  recorded,
  matchedWorkflows: event.matchedWorkflows,
  outcomes: outcomesOf(event),
  didYouMean: didYouMeanOf(event),
  event: shapeEvent(event),
})

/** Events of the caller's workspace, newest first. */
export const listEvents = async ({ sql, caller }: Ctx, query: EventQuery): Promise<PageOf<Event>> => {
  const page = pageRequest(query)
  const { type, customerId } = query
  const rows = await selectEvents(sql, { workspaceId: caller.workspaceId, type, customerId, page })
  return pageOf(rows, page.limit, shapeEvent)
}

/** One event of the caller's workspace, with what it did. */
export const readEvent = async ({ sql, caller }: Ctx, id: string): Promise<EventWithOutcomes> => {
  const row = isId(id) ? await findEvent(sql, caller.workspaceId, id) : null
  if (!row) throw notFound('event')
  return {
    ...shapeEvent(row),
    matchedWorkflows: row.matchedWorkflows,
    outcomes: outcomesOf(row),
    didYouMean: didYouMeanOf(row),
  }
}

/** The event as its readers see it. */
export const shapeEvent = (row: Omit<EventRow, 'verdicts'>): Event => ({
  id: row.id,
  type: row.type,
  source: row.source,
  sender: row.sender,
  customerId: row.customerId,
  data: row.data,
  idempotencyKey: row.idempotencyKey,
  createdAt: row.createdAt.toISOString(),
})
