/** The endpoint actor's mailbox: what one attempt of one delivery means. */
import type { EndpointRow, OwnHeaders } from '../endpoints/index.ts'
import { deliveryBody } from '../outbound-events/index.ts'
import { signWebhook } from '../signatures/index.ts'
import type { Attempt, AttemptResult } from './attempt.ts'
import { nextWait } from './backoff.ts'
import { type AttemptMark, deliveryHeaders, withOwnHeaders } from './request.ts'
import type { AttemptSettlement, DueDelivery } from './sql.ts'

/** What attempts go by (contract 12.2). */
export interface DeliveryPolicy {
  /** Milliseconds an endpoint has to answer. */
  timeoutMs: number
  /** Milliseconds between attempts; one more attempt than waits is made in all. */
  waits: readonly number[]
}

/** A delivery that is due and the endpoint it is for. */
export interface Letter extends Omit<DueDelivery, 'lateMs'> {
  workspaceId: string
  endpoint: EndpointRow
  /** Since when it has been due, by `performance.now()`. */
  dueSince: number
}

/**
 * Makes one attempt, signed afresh, and says what follows from it; null when it was interrupted and stays due. Without the
 * owner's headers, where they cannot be read, nothing is sent: a receiver may take it for somebody else's.
 */
export const attemptDelivery = async (
  attempt: Attempt,
  policy: DeliveryPolicy,
  letter: Letter,
  own: OwnHeaders | null,
  signal: AbortSignal,
): Promise<AttemptSettlement | null> => {
  const { workspaceId, endpoint, event } = letter
  const at = new Date()
  const body = deliveryBody(workspaceId, event)
  const signature = signWebhook(secretsOf(endpoint), Math.floor(at.getTime() / 1000), body)
  const mark = { number: letter.attempts + 1, planned: policy.waits.length + 1, manual: letter.manual }
  const result =
    own === null
      ? unreadable
      : await attempt({
          url: endpoint.url,
          headers: withOwnHeaders(deliveryHeaders(event, letter.id, mark, signature), own),
          body,
          timeoutMs: policy.timeoutMs,
          signal,
        })
  return result.kind === 'interrupted' ? null : settlementOf(letter, mark, at, signature, result, policy)
}

const unreadable: AttemptResult = {
  kind: 'unanswered',
  statusCode: null,
  error: 'own headers cannot be read',
  durationMs: 0,
  responseBody: null,
}

const secretsOf = ({ secret, previousSecret }: EndpointRow): string[] =>
  previousSecret === null ? [secret] : [secret, previousSecret]

const settlementOf = (
  { workspaceId, id }: Letter,
  mark: AttemptMark,
  at: Date,
  signature: string,
  result: Exclude<AttemptResult, { kind: 'interrupted' }>,
  { waits }: DeliveryPolicy,
): AttemptSettlement => {
  const next = result.kind === 'delivered' || mark.manual ? null : nextWait(mark.number, waits)
  return {
    workspaceId,
    deliveryId: id,
    ...mark,
    at,
    statusCode: result.statusCode,
    error: result.error,
    durationMs: result.durationMs,
    responseBody: result.responseBody,
    signature,
    status: result.kind === 'delivered' ? 'delivered' : next === null ? 'failed' : 'retrying',
    nextWaitMs: next,
  }
}
