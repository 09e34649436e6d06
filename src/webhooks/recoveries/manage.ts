import { type ActionRecord, withAudit } from '../../accounts/audit/index.ts'
import type { Ctx, ReadRunner } from '../../core/context.ts'
import { DomainError, invalidRequest, notFound } from '../../core/errors.ts'
import { isId, minIdAt } from '../../core/ids.ts'
import { verb } from '../../core/verb.ts'
import { clock } from '../../platform/clock.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { wakeBulkReplay } from '../../queue/tasks.ts'
import { cancelPageRetries, readWebhookHealth } from '../deliveries/index.ts'
import { readWebhook, type Webhook } from '../endpoints/index.ts'
import { countRecovery, maxDeliveries } from './count.ts'
import { firstPageSize } from './run.ts'
import type { Recovery, RecoveryPreview, StartRecovery } from './schema.ts'
import { endRecovery, findRecovery, insertRecovery, lockRecovery, type RecoveryRow } from './sql.ts'

/**
 * Starts a bulk replay of a time span: deliveries that failed or wait for a retry, events that the endpoint has missed,
 * or both (contract 12.6). A preview only counts them. Each page of the count uses its own connection, because counting
 * can take seconds.
 */
export const startRecovery = verb(
  { by: 'owner', feature: 'webhooks' },
  async (
    ctx,
    reading: ReadRunner,
    changing: ReadRunner,
    webhookId: string,
    { since, until, preview, of = 'failed', ...input }: StartRecovery,
  ): Promise<Recovery | RecoveryPreview> => {
    const { workspaceId } = ctx.caller
    const events = input.events ?? null
    const writer = withAddress(ctx)
    const read = <T>(work: (ctx: Ctx) => Promise<T>) => reading(workspaceId, sql => work({ ...ctx, sql }))
    const webhook = await read(reader => readWebhook(reader, webhookId))
    const times = { since: new Date(since), until: new Date(until ?? clock.now()) }
    if (times.since > times.until)
      throw invalidRequest({ since: 'Must not be later than until, which defaults to now.' })
    const cursor = minIdAt(times.since)
    const last = minIdAt(new Date(times.until.getTime() + 1))
    const range = {
      workspaceId,
      webhookId,
      after: cursor,
      last,
      types: events ?? webhook.events,
      filter: webhook.filter,
    }
    const byType = await countRecovery(reading, range, of, events)
    const total = byType.reduce((sum, { deliveries }) => sum + deliveries, 0)
    if (total > maxDeliveries) throw tooMany()
    if (preview) {
      const { p50Ms } = await read(reader => readWebhookHealth(reader, webhookId))
      return { deliveries: total, byType, estimatedSeconds: Math.ceil(total / deliveriesPerSecond(webhook, p50Ms)) }
    }
    const start = async ({ sql }: Ctx) => {
      const row = await insertRecovery(sql, {
        workspaceId,
        webhookId,
        ...times,
        of,
        events,
        phase: of === 'missing' ? 'missing' : 'failed',
        total,
        cursor,
        last,
        pageSize: firstPageSize,
      })
      if (!row) throw alreadyRunning()
      await wakeBulkReplay(sql, workspaceId, webhookId)
      return row
    }
    const auditEntry = ({ id }: RecoveryRow): ActionRecord => ({
      action: 'startRecovery',
      target: { type: 'recovery', id },
      detail: { webhookId, deliveries: total, ...(of !== 'failed' && { of }) },
    })
    return shape(await changing(workspaceId, sql => withAudit({ ...writer, sql }, start, auditEntry)))
  },
)

/** Determines the address of the client now, because it is unknown once the client has disconnected. */
const withAddress = (ctx: Ctx): Ctx => {
  if (!ctx.request) return ctx
  const { requestId, address } = ctx.request
  return { ...ctx, request: { requestId, address } }
}

/** Assumed concurrency and latency of an endpoint without a limit and without recent attempts. */
const assumed = { concurrency: 64, latencyMs: 100 }
/** Minimum latency, and maximum deliveries per second, of the estimate. */
const minLatencyMs = 10
const maxPerSecond = 500

/** Estimates how many deliveries an endpoint accepts per second. */
const deliveriesPerSecond = ({ ratePerSecond, maxConcurrency }: Webhook, p50Ms: number | null): number => {
  const latencyMs = Math.max(minLatencyMs, p50Ms ?? assumed.latencyMs)
  const capacity = ((maxConcurrency ?? assumed.concurrency) * 1000) / latencyMs
  return Math.min(ratePerSecond ?? maxPerSecond, maxPerSecond, capacity)
}

const tooMany = () =>
  new DomainError(
    'unprocessable',
    `More than ${maxDeliveries} deliveries are in this time range. Choose a shorter range with since and until.`,
  )

const alreadyRunning = () =>
  new DomainError('conflict', 'A recovery of this endpoint is already running. Wait until it ends, or cancel it.')

export const readRecovery = verb(
  { by: 'owner' },
  async (ctx, webhookId: string, id: string): Promise<Recovery> => shape(await requireRecovery(ctx, webhookId, id)),
)

/**
 * Stops making deliveries due and takes back those not attempted yet. Failed deliveries stay failed, and waiting ones
 * keep their remaining attempts. A finished bulk replay stays unchanged.
 */
export const cancelRecovery = verb({ by: 'owner' }, async (ctx, webhookId: string, id: string): Promise<void> => {
  await requireRecovery(ctx, webhookId, id)
  const { workspaceId } = ctx.caller
  const cancel = ({ sql }: Ctx) => endAsCancelled(sql, { workspaceId, webhookId, id })
  await withAudit(ctx, cancel, cancelled =>
    cancelled ? { action: 'cancelRecovery', target: { type: 'recovery', id }, detail: { webhookId } } : null,
  )
})

/** Cancels a bulk replay as part of a transaction. Returns false if it is not running. */
export const endAsCancelled = async (
  tx: Sql,
  recovery: { workspaceId: string; webhookId: string; id: string },
): Promise<boolean> => {
  const { workspaceId, id } = recovery
  const locked = await lockRecovery(tx, recovery)
  if (!locked) return false
  const cancelledCount = await cancelPageRetries(tx, workspaceId, locked.page)
  await endRecovery(tx, { workspaceId, id, status: 'cancelled', done: locked.page.length - cancelledCount })
  return true
}

const requireRecovery = async (
  ctx: Parameters<typeof readWebhook>[0],
  webhookId: string,
  id: string,
): Promise<RecoveryRow> => {
  await readWebhook(ctx, webhookId)
  const { workspaceId } = ctx.caller
  const row = isId(id) ? await findRecovery(ctx.sql, { workspaceId, webhookId, id }) : null
  if (!row) throw notFound('recovery')
  return row
}

const shape = ({ since, until, createdAt, finishedAt, ...row }: RecoveryRow): Recovery => ({
  ...row,
  since: since.toISOString(),
  until: until.toISOString(),
  createdAt: createdAt.toISOString(),
  finishedAt: finishedAt?.toISOString() ?? null,
})
