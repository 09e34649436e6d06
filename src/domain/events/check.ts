import { Failed } from '../../db/batch.ts'
import { DomainError, type RefusalText, textOf } from '../errors.ts'
import { verb } from '../verb.ts'
import { incomingOrFailed } from './incoming.ts'
import type { EventWriter } from './intake.ts'
import type { Judged } from './judge.ts'
import { didYouMeanOf, outcomesOf } from './outcomes.ts'
import type { CheckedEvent } from './schema.ts'
import type { IncomingEvent } from './sql.ts'

/** Result of checking an event. The HTTP layer adds the status. */
export interface Judgement extends Omit<CheckedEvent, 'status' | 'error'> {
  error: RefusalText | null
}

/** Returns what recording this value as an event would return now. Records nothing and counts nothing. */
export const checkEvent = verb(
  { by: 'key or member' },
  async ({ caller }, events: EventWriter, value: unknown, userAgent: string | null): Promise<Judgement> => {
    const event = incomingOrFailed(caller, value, userAgent)
    return event instanceof Failed ? refused(event.error) : shape(event, await events.judge(event))
  },
)

const shape = (event: IncomingEvent, judged: Judged): Judgement => {
  if (judged.kind === 'refuse') return refused(judged.error)
  const isReplay = judged.kind === 'replay'
  const { matchedWorkflows, verdicts, customerId } = isReplay ? judged.event : judged
  const told = { type: isReplay ? judged.event.type : event.type, verdicts }
  const isNew = judged.kind === 'record' && judged.enrol
  return {
    valid: true,
    error: null,
    customer: isNew ? 'would_enrol' : 'known',
    customerId: isNew ? null : customerId,
    replay: isReplay ? judged.event.id : null,
    matchedWorkflows,
    outcomes: outcomesOf(told),
    didYouMean: didYouMeanOf(told),
  }
}

/** Throws internal faults again: only a DomainError is a result of the check. */
const refused = (error: unknown): Judgement => {
  if (!(error instanceof DomainError)) throw error
  return {
    valid: false,
    error: textOf(error),
    customer: 'not_identified',
    customerId: null,
    replay: null,
    matchedWorkflows: 0,
    outcomes: [],
    didYouMean: null,
  }
}
