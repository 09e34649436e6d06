/** Runs one attempt of one delivery and derives what to record. */
import { clock } from '../../platform/clock.ts'
import { type EndpointRow, openHeaders, openSecrets } from '../endpoints/index.ts'
import { deliveryBody } from '../outbound-events/index.ts'
import type { Seals } from '../sealing.ts'
import { signWebhook } from '../signatures/index.ts'
import type { Attempt, AttemptResult, UnansweredError } from './attempt.ts'
import { nextWait } from './backoff.ts'
import { type AttemptMark, deliveryHeaders, withOwnHeaders } from './request.ts'
import type { AttemptSettlement, DueDelivery } from './sql.ts'

/** Retry policy of deliveries (contract 12.2). */
export interface DeliveryPolicy {
  /** Timeout of an attempt in milliseconds. */
  timeoutMs: number
  /** Milliseconds between attempts. The number of attempts is one more than the number of waits. */
  waits: readonly number[]
}

/** A due delivery with its endpoint. */
export interface Letter extends Omit<DueDelivery, 'lateMs'> {
  workspaceId: string
  webhookId: string
  endpoint: EndpointRow
  /** Time since when the delivery has been due, on the clock of `performance.now()`. */
  dueSince: number
}

/**
 * Makes one attempt with a new signature and returns what to record. Returns null if the attempt was interrupted; the
 * delivery stays due. If the secret or the owner's headers cannot be decrypted, nothing is sent: a receiver could take
 * the request for another sender's.
 */
export const attemptDelivery = async (
  attempt: Attempt,
  policy: DeliveryPolicy,
  letter: Letter,
  seals: Seals | null,
  signal: AbortSignal,
): Promise<AttemptSettlement | null> => {
  const { workspaceId, webhookId, endpoint, event } = letter
  const at = new Date(clock.now())
  const body = deliveryBody(workspaceId, event)
  const secrets = openSecrets(seals, endpoint, { workspaceId, webhookId })
  const own = openHeaders(seals, endpoint.headers, { workspaceId, webhookId })
  const signature = secrets === null ? '' : signWebhook(secrets, Math.floor(at.getTime() / 1000), body)
  const mark = { number: letter.attempts + 1, planned: policy.waits.length + 1, manual: letter.manual }
  const unread = secrets === null ? 'secret cannot be read' : 'own headers cannot be read'
  const result =
    secrets === null || own === null
      ? unsent(unread)
      : await attempt({
          url: endpoint.url,
          headers: withOwnHeaders(deliveryHeaders(event, letter.id, mark, signature), own),
          body,
          timeoutMs: policy.timeoutMs,
          signal,
        })
  return result.kind === 'interrupted' ? null : settlementOf(letter, mark, at, signature, result, policy)
}

const unsent = (error: UnansweredError): AttemptResult => ({
  kind: 'unanswered',
  statusCode: null,
  error,
  durationMs: 0,
  responseBody: null,
})

const settlementOf = (
  { workspaceId, id }: Letter,
  mark: AttemptMark,
  at: Date,
  signature: string,
  result: Exclude<AttemptResult, { kind: 'interrupted' }>,
  { waits }: DeliveryPolicy,
): AttemptSettlement => {
  const next = result.kind === 'delivered' ? null : nextWait(mark.number, waits)
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
