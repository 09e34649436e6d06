/** An event as it comes, on its way to the writer. */

import { Failed } from '../../db/batch.ts'
import { clock } from '../../platform/clock.ts'
import type { Caller } from '../context.ts'
import { limitOf } from '../entitlements/index.ts'
import { invalidRequest } from '../errors.ts'
import { validator } from '../validate.ts'
import { RecordEvent } from './schema.ts'
import { senderOf } from './sender.ts'
import type { IncomingEvent } from './sql.ts'

/** The event as the writer takes it: who sent it comes from the caller, never from the body. */
export const incoming = (caller: Caller, body: RecordEvent, userAgent: string | null): IncomingEvent => ({
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
  occurredAt: body.occurredAt === undefined ? null : timeOf(body.occurredAt),
  optInEvidence: body.optIn?.evidence ?? null,
  monthlyLimit: limitOf(caller.plan.allowances, 'monthlyEvents'),
})

/** Milliseconds for which an event may have occurred before or after its recording. */
const [maxAgeMs, maxAheadMs] = [30 * 24 * 3600_000, 5 * 60_000]

/** When an event occurred. Fails with 400 when that is too long ago, or ahead of the clock. */
const timeOf = (text: string): Date => {
  const at = new Date(text)
  const ageMs = clock.now() - at.getTime()
  if (ageMs > maxAgeMs)
    throw invalidRequest({ occurredAt: 'Must be at most 30 days ago. Leave it out to record an older occurrence.' })
  if (ageMs < -maxAheadMs) throw invalidRequest({ occurredAt: 'Must be at most 5 minutes ahead of the current time.' })
  return at
}

/** The same of any value, which may be no event at all: then what the sender is told. */
export const incomingOrFailed = (caller: Caller, value: unknown, userAgent: string | null): IncomingEvent | Failed => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return new Failed(invalidRequest({ body: 'Must be a JSON object: { … }.' }))
  try {
    return incoming(caller, validate(value), userAgent)
  } catch (error) {
    return new Failed(error)
  }
}

const validate = validator(RecordEvent)
