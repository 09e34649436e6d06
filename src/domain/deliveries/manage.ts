import { inTransaction } from '../context.ts'
import { readWebhook } from '../endpoints/index.ts'
import { DomainError, notFound } from '../errors.ts'
import { isId } from '../ids.ts'
import { deliveryBody } from '../outbound-events/index.ts'
import { wakeEndpoint } from '../tasks.ts'
import { verb } from '../verb.ts'
import { type AttemptMark, deliveryHeaders } from './request.ts'
import type { Delivery, DeliveryDetail } from './schema.ts'
import {
  type AttemptLogEntry,
  type DeliveryRow,
  findDelivery,
  insertPing,
  makeDueAgain,
  selectDeliveries,
} from './sql.ts'

/** As many as are shown (contract 12.4). */
const maxListed = 50

/** The newest deliveries of an endpoint. */
export const listDeliveries = verb({ by: 'owner' }, async (ctx, webhookId: string): Promise<{ data: Delivery[] }> => {
  await readWebhook(ctx, webhookId)
  const rows = await selectDeliveries(ctx.sql, ctx.caller.workspaceId, webhookId, maxListed)
  return { data: rows.map(shape) }
})

/** One delivery with what was sent and every attempt. */
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
        headers: last ? deliveryHeaders(event, id, markOf(last), last.signature) : {},
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

const markOf = ({ number, planned, manual }: AttemptLogEntry): AttemptMark => ({
  number,
  planned: planned ?? number,
  manual,
})

/** Sends a `ping` to this endpoint alone. Held, like every delivery, while the endpoint is switched off. */
export const testWebhook = verb(
  { by: 'owner', feature: 'webhooks' },
  async (ctx, webhookId: string): Promise<Delivery> => {
    await readWebhook(ctx, webhookId)
    return inTransaction(ctx, async ({ sql, caller }) => {
      const row = await insertPing(sql, caller.workspaceId, webhookId)
      await wakeEndpoint(sql, caller.workspaceId, webhookId)
      return shape(row)
    })
  },
)

/** One new attempt of a failed delivery, held while the endpoint is switched off; 422 for any other delivery. */
export const retryDelivery = verb(
  { by: 'owner', feature: 'webhooks' },
  async (ctx, webhookId: string, id: string): Promise<Delivery> => {
    await readDelivery(ctx, webhookId, id)
    const row = await inTransaction(ctx, async ({ sql, caller }) => {
      const retried = await makeDueAgain(sql, { workspaceId: caller.workspaceId, webhookId, id })
      if (retried) await wakeEndpoint(sql, caller.workspaceId, webhookId)
      return retried
    })
    if (row) return shape(row)
    const { status } = await readDelivery(ctx, webhookId, id)
    throw new DomainError('unprocessable', `Only a failed delivery can be retried; this one is ${status}.`)
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
