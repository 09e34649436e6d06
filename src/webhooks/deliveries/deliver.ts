/** Runs one attempt of one delivery and derives what to record. */
import { clock } from '../../platform/clock.ts'
import type { Keyring } from '../../platform/encryption.ts'
import { decryptHeaders, decryptSecrets, type EndpointRow, type SigningSecret } from '../endpoints/index.ts'
import { deliveryBody } from '../outbound-events/index.ts'
import { signStandard, signWebhook } from '../signatures/index.ts'
import type { Attempt, AttemptResult, UnansweredError } from './attempt.ts'
import { nextDelay } from './backoff.ts'
import { type AttemptInfo, deliveryHeaders, type Signatures, toStoredSignatures, withOwnHeaders } from './request.ts'
import type { AttemptSettlement, DueDelivery } from './sql.ts'

/** Retry policy of deliveries (contract 12.2). */
export interface DeliveryPolicy {
  /** Timeout of an attempt in milliseconds. */
  timeoutMs: number
  /** Milliseconds between attempts. The number of attempts is one more than the number of waits. */
  retryDelaysMs: readonly number[]
}

/** A due delivery with its endpoint. */
export interface DeliveryJob extends Omit<DueDelivery, 'lateMs'> {
  workspaceId: string
  webhookId: string
  endpoint: EndpointRow
  /** Time since when the delivery has been due, on the clock of `performance.now()`. */
  dueSince: number
}

/**
 * Makes one attempt with new signatures and returns what to record. Returns null if the attempt was interrupted; the
 * delivery stays due. If the secret or the owner's headers cannot be decrypted, nothing is sent: a receiver could take
 * the request for another sender's.
 */
export const attemptDelivery = async (
  attempt: Attempt,
  policy: DeliveryPolicy,
  job: DeliveryJob,
  keyring: Keyring | null,
  signal: AbortSignal,
): Promise<AttemptSettlement | null> => {
  const { workspaceId, webhookId, endpoint, event } = job
  const at = new Date(clock.now())
  const body = deliveryBody(workspaceId, event)
  const secrets = decryptSecrets(keyring, endpoint, { workspaceId, webhookId })
  const ownHeaders = decryptHeaders(keyring, endpoint.headers, { workspaceId, webhookId })
  const signatures = secrets && sign(secrets, event.id, Math.floor(at.getTime() / 1000), body)
  const info = { number: job.attempts + 1, planned: policy.retryDelaysMs.length + 1, manual: job.manual }
  const decryptError = secrets === null ? 'secret cannot be read' : 'own headers cannot be read'
  const result =
    signatures === null || ownHeaders === null
      ? toUnsentResult(decryptError)
      : await attempt({
          url: endpoint.url,
          headers: withOwnHeaders(deliveryHeaders(event, job.id, info, signatures, event.traceparent), ownHeaders),
          body,
          timeoutMs: policy.timeoutMs,
          signal,
        })
  return result.kind === 'interrupted' ? null : toSettlement(job, info, at, signatures, result, policy)
}

/** Signs with both schemes, with the same time. */
const sign = (secrets: readonly SigningSecret[], id: string, t: number, body: string): Signatures => ({
  t,
  service: signWebhook(
    secrets.map(({ text }) => text),
    t,
    body,
  ),
  standard: signStandard(
    secrets.map(({ bytes }) => bytes),
    id,
    t,
    body,
  ),
})

const toUnsentResult = (error: UnansweredError): AttemptResult => ({
  kind: 'unanswered',
  statusCode: null,
  error,
  durationMs: 0,
  responseBody: null,
})

const toSettlement = (
  { workspaceId, id }: DeliveryJob,
  info: AttemptInfo,
  at: Date,
  signatures: Signatures | null,
  result: Exclude<AttemptResult, { kind: 'interrupted' }>,
  { retryDelaysMs }: DeliveryPolicy,
): AttemptSettlement => {
  const delayMs = result.kind === 'delivered' ? null : nextDelay(info.number, retryDelaysMs)
  return {
    workspaceId,
    deliveryId: id,
    ...info,
    at,
    statusCode: result.statusCode,
    error: result.error,
    durationMs: result.durationMs,
    responseBody: result.responseBody,
    signature: signatures === null ? '' : toStoredSignatures(signatures),
    status: result.kind === 'delivered' ? 'delivered' : delayMs === null ? 'failed' : 'retrying',
    retryDelayMs: delayMs,
  }
}
