import { DomainError, type PublicError, toPublicError } from '../core/errors.ts'
import { verb } from '../core/verb.ts'
import { Failed } from '../platform/micro-batch.ts'
import type { CheckDecision } from './dry-run.ts'
import type { EventWriter } from './event-writer.ts'
import { parseIncomingEvent } from './incoming-event.ts'
import { didYouMeanOf, outcomesOf } from './outcomes.ts'
import type { CheckedEvent } from './schema.ts'
import type { IncomingEvent } from './sql.ts'

/** Result of checking an event. The HTTP layer adds the status. */
export interface CheckResult extends Omit<CheckedEvent, 'status' | 'error'> {
  error: PublicError | null
}

/** Returns what recording this value as an event would return now. Records nothing and counts nothing. */
export const checkEvent = verb(
  { by: 'key or member' },
  async ({ caller }, events: EventWriter, value: unknown, userAgent: string | null): Promise<CheckResult> => {
    const event = parseIncomingEvent(caller, value, { userAgent, traceparent: null })
    return event instanceof Failed ? rejectedResult(event.error) : shape(event, await events.check(event))
  },
)

const shape = (event: IncomingEvent, decision: CheckDecision): CheckResult => {
  if (decision.kind === 'refuse') return rejectedResult(decision.error)
  const isReplay = decision.kind === 'replay'
  const { matchedWorkflows, verdicts, customerId } = isReplay ? decision.event : decision
  const subject = { type: isReplay ? decision.event.type : event.type, verdicts }
  const isNew = decision.kind === 'record' && decision.enrol
  return {
    valid: true,
    error: null,
    customer: isNew ? 'would_enrol' : 'known',
    customerId: isNew ? null : customerId,
    replay: isReplay ? decision.event.id : null,
    matchedWorkflows,
    outcomes: outcomesOf(subject),
    didYouMean: didYouMeanOf(subject),
  }
}

/** Throws internal faults again: only a DomainError is a result of the check. */
const rejectedResult = (error: unknown): CheckResult => {
  if (!(error instanceof DomainError)) throw error
  return {
    valid: false,
    error: toPublicError(error),
    customer: 'not_identified',
    customerId: null,
    replay: null,
    matchedWorkflows: 0,
    outcomes: [],
    didYouMean: null,
  }
}
