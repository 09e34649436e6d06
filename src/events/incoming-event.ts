/** Converts a request body to an event for the writer. */

import { limitOf } from '../accounts/entitlements/index.ts'
import type { Caller } from '../core/context.ts'
import { invalidRequest } from '../core/errors.ts'
import { validator } from '../core/validate.ts'
import { clock } from '../platform/clock.ts'
import { Failed } from '../platform/micro-batch.ts'
import { RecordEvent } from './schema.ts'
import { senderOf } from './sender.ts'
import type { IncomingEvent } from './sql.ts'

/** Values of the request's headers that belong to its events. */
export interface EventOrigin {
  userAgent: string | null
  /** Valid `traceparent` of the request. Null without a trace. */
  traceparent: string | null
}

/** Returns the event for the writer. The sender and the source come from the request, never from the body. */
export const toIncomingEvent = (
  caller: Caller,
  body: RecordEvent,
  { userAgent, traceparent }: EventOrigin,
): IncomingEvent => ({
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
  occurredAt: body.occurredAt === undefined ? null : parseOccurredAt(body.occurredAt),
  optInEvidence: body.optIn?.evidence ?? null,
  monthlyLimit: limitOf(caller.plan.allowances, 'monthlyEvents'),
  traceparent,
})

/** Maximum time in milliseconds between the occurrence and the recording, in the past and in the future. */
const [maxAgeMs, maxAheadMs] = [30 * 24 * 3600_000, 5 * 60_000]

/** Parses the time of the occurrence. Throws a 400 if it is too old or in the future. */
const parseOccurredAt = (text: string): Date => {
  const at = new Date(text)
  const ageMs = clock.now() - at.getTime()
  if (ageMs > maxAgeMs)
    throw invalidRequest({ occurredAt: 'Must be at most 30 days ago. Leave it out to record an older occurrence.' })
  if (ageMs < -maxAheadMs) throw invalidRequest({ occurredAt: 'Must be at most 5 minutes ahead of the current time.' })
  return at
}

/** Converts any value. Returns a Failed with the error if it is not a valid event. */
export const parseIncomingEvent = (caller: Caller, value: unknown, origin: EventOrigin): IncomingEvent | Failed => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return new Failed(invalidRequest({ body: 'Must be a JSON object: { … }.' }))
  try {
    return toIncomingEvent(caller, validate(value), origin)
  } catch (error) {
    return new Failed(error)
  }
}

const validate = validator(RecordEvent)
