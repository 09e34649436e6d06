import { withAudit } from '../../accounts/audit/index.ts'
import { recordChanges } from '../../core/changes/index.ts'
import type { Ctx } from '../../core/context.ts'
import { DomainError, invalidRequest, notFound } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import { toPage, toPageRequest } from '../../core/pagination.ts'
import { maxScanned, toScanPage } from '../../core/scan.ts'
import { verb } from '../../core/verb.ts'
import { wakeEndpoint } from '../../queue/tasks.ts'
import { readWebhook } from '../endpoints/index.ts'
import { deliveryBody, readEndpointOf, readOutboundEvent } from '../outbound-events/index.ts'
import { type AttemptInfo, deliveryHeaders, readStoredSignatures, withoutOwnHeaders } from './request.ts'
import type { Delivery, DeliveryDetail, DeliveryList, DeliveryQuery, SendAgain } from './schema.ts'
import {
  type AttemptLogEntry,
  type DeliveryRow,
  findDelivery,
  findLastScannedDelivery,
  insertPing,
  insertResend,
  needsScan,
  requestRetry,
  selectDeliveries,
} from './sql.ts'

/** Returns a page of an endpoint's deliveries, newest first, filtered by the query. */
export const listDeliveries = verb(
  { by: 'owner' },
  async (ctx, webhookId: string, query: DeliveryQuery): Promise<DeliveryList> => {
    await readWebhook(ctx, webhookId)
    const { sql, caller } = ctx
    const { status = null, eventType = null, error = null } = query
    const statusCode = query.statusCode === undefined ? null : toStatusCodes(query.statusCode)
    const page = toPageRequest(query)
    const filter = { workspaceId: caller.workspaceId, webhookId, status, eventType, statusCode, error, page }
    const rows = await selectDeliveries(sql, filter, maxScanned)
    if (!needsScan(filter)) return toPage(rows, page, shape)
    return toScanPage(rows, page, () => findLastScannedDelivery(sql, filter, maxScanned), shape)
  },
)

/** Returns the range of `500` or of a class such as `5xx`, or `none`. */
const toStatusCodes = (value: string): readonly [number, number] | 'none' =>
  value === 'none' ? value : [Number(value.replaceAll('x', '0')), Number(value.replaceAll('x', '9'))]

/** Returns one delivery with its request and every attempt. */
export const readDelivery = verb(
  { by: 'owner' },
  async ({ sql, caller }, webhookId: string, id: string): Promise<DeliveryDetail> => {
    const { workspaceId } = caller
    const row = isId(webhookId) && isId(id) ? await findDelivery(sql, { workspaceId, webhookId, id }) : null
    if (!row) throw notFound('delivery')
    const event = { id: row.eventId, type: row.eventType, createdAt: row.eventCreatedAt, dataText: row.dataText }
    const last = row.attemptLog.at(-1)
    return {
      ...shape(row),
      request: {
        headers: last?.signature
          ? withoutOwnHeaders(
              deliveryHeaders(event, id, toAttemptInfo(last), readStoredSignatures(last.signature)),
              row.ownHeaders,
            )
          : {},
        body: deliveryBody(workspaceId, event),
      },
      attemptLog: row.attemptLog.map(({ at, statusCode, error, durationMs, responseBody }) => ({
        at: new Date(at).toISOString(),
        statusCode,
        error,
        durationMs,
        responseBody,
      })),
    }
  },
)

const toAttemptInfo = ({ number, planned, manual }: AttemptLogEntry): AttemptInfo => ({ number, planned, manual })

/** Sends an event to an endpoint, even if it was delivered before or the endpoint is not subscribed to its type. */
export const sendOutboundEvent = verb(
  { by: 'owner', feature: 'webhooks' },
  async (ctx, eventId: string, { webhookId }: SendAgain): Promise<Delivery> => {
    const { workspaceId } = ctx.caller
    const send = async ({ sql }: Ctx) => {
      const created = isId(eventId) ? await insertResend(sql, { workspaceId, webhookId, eventId }) : null
      if (created) await wakeEndpoint(sql, workspaceId, webhookId)
      return created
    }
    const row = await withAudit(
      ctx,
      send,
      created =>
        created && {
          action: 'sendOutboundEvent',
          target: { type: 'delivery', id: created.id },
          detail: { webhookId, outboundEventId: eventId },
        },
    )
    if (row) return shape(row)
    const event = await readOutboundEvent(ctx, eventId)
    if (readEndpointOf(event) === webhookId.toLowerCase()) {
      throw new DomainError(
        'unprocessable',
        'The event is about this endpoint. An endpoint never receives events about itself.',
      )
    }
    throw invalidRequest({ webhookId: 'No such webhook endpoint in this workspace.' })
  },
)

/** Sends a `ping` to one endpoint. Like every delivery, it waits while the endpoint is disabled or held. */
export const testWebhook = verb(
  { by: 'owner', feature: 'webhooks' },
  async (ctx, webhookId: string): Promise<Delivery> => {
    await readWebhook(ctx, webhookId)
    const ping = async ({ sql, caller }: Ctx) => {
      const row = await insertPing(sql, caller.workspaceId, webhookId)
      await wakeEndpoint(sql, caller.workspaceId, webhookId)
      return shape(row)
    }
    return withAudit(ctx, ping, ({ id }) => ({
      action: 'testWebhook',
      target: { type: 'webhook', id: webhookId },
      detail: { deliveryId: id },
    }))
  },
)

/**
 * Makes the next attempt of a failed or waiting delivery due now. It runs when the endpoint is enabled and not held.
 * For a waiting delivery it counts as the next attempt, and the rest of the schedule follows. Throws a 422 for any
 * other delivery.
 */
export const retryDelivery = verb(
  { by: 'owner', feature: 'webhooks' },
  async (ctx, webhookId: string, id: string): Promise<Delivery> => {
    await readDelivery(ctx, webhookId, id)
    const retry = async ({ sql, caller }: Ctx) => {
      const retried = await requestRetry(sql, { workspaceId: caller.workspaceId, webhookId, id })
      if (retried) await wakeEndpoint(sql, caller.workspaceId, webhookId)
      return retried
    }
    const row = await withAudit(
      ctx,
      retry,
      retried => retried && { action: 'retryDelivery', target: { type: 'delivery', id }, detail: { webhookId } },
    )
    if (row) {
      recordChanges(ctx.sql, 'delivery', [{ workspaceId: ctx.caller.workspaceId, id }])
      return shape(row)
    }
    const { status } = await readDelivery(ctx, webhookId, id)
    throw new DomainError(
      'unprocessable',
      status === 'retrying'
        ? 'A retry of this delivery is already due.'
        : `The delivery is ${status}. Only a failed or waiting delivery can be retried.`,
    )
  },
)

const shape = (row: DeliveryRow): Delivery => ({
  id: row.id,
  eventId: row.eventId,
  eventType: row.eventType,
  status: row.status,
  attempts: row.attempts,
  statusCode: row.statusCode,
  error: row.error,
  durationMs: row.durationMs,
  createdAt: row.createdAt.toISOString(),
  lastAttemptAt: row.lastAttemptAt?.toISOString() ?? null,
  nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
})
