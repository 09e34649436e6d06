import { type ActionRecord, withAudit } from '../../accounts/audit/index.ts'
import type { Ctx } from '../../core/context.ts'
import { DomainError, invalidRequest, notFound } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import { verb } from '../../core/verb.ts'
import { clock } from '../../platform/clock.ts'
import { wakeBulkReplay } from '../../queue/tasks.ts'
import { cancelPageRetries, countUndelivered, type UndeliveredSpan } from '../deliveries/index.ts'
import { readWebhook } from '../endpoints/index.ts'
import { firstPageSize } from './run.ts'
import type { Recovery, RecoveryPreview, StartRecovery } from './schema.ts'
import { endRecovery, findRecovery, insertRecovery, lockRecovery, type RecoveryRow } from './sql.ts'

/** Maximum number of deliveries in one bulk replay. */
const maxDeliveries = 100_000

/**
 * Starts a bulk replay of all deliveries of a time span that failed or wait for a retry. A preview only counts them.
 */
export const startRecovery = verb(
  { by: 'owner', feature: 'webhooks' },
  async (ctx, webhookId: string, { since, until, preview }: StartRecovery): Promise<Recovery | RecoveryPreview> => {
    await readWebhook(ctx, webhookId)
    const { workspaceId } = ctx.caller
    const times = { since: new Date(since), until: new Date(until ?? clock.now()) }
    if (times.since > times.until)
      throw invalidRequest({ since: 'Must not be later than until, which defaults to now.' })
    const span: UndeliveredSpan = { workspaceId, webhookId, ...idRange(times) }
    const total = await countUndelivered(ctx.sql, span, maxDeliveries + 1)
    if (preview && total <= maxDeliveries) return { deliveries: total }
    if (total > maxDeliveries) throw tooMany()
    const start = async ({ sql }: Ctx) => {
      const { after: cursor, last } = span
      const row = await insertRecovery(sql, {
        workspaceId,
        webhookId,
        ...times,
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
      detail: { webhookId, deliveries: total },
    })
    return shape(await withAudit(ctx, start, auditEntry))
  },
)

/** Returns the id range of a time span: ids begin with their creation time in milliseconds. */
const idRange = ({ since, until }: { since: Date; until: Date }): { after: string; last: string } => ({
  after: `${idPrefix(since)}-0000-0000-000000000000`,
  last: `${idPrefix(until)}-ffff-ffff-ffffffffffff`,
})

const idPrefix = (time: Date): string => {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}`
}

const tooMany = () =>
  new DomainError(
    'unprocessable',
    `More than ${maxDeliveries} deliveries in this time range are failed or waiting. Choose a shorter range with since and until.`,
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
  const cancel = async ({ sql }: Ctx): Promise<boolean> => {
    const locked = await lockRecovery(sql, { workspaceId, webhookId, id })
    if (!locked) return false
    const cancelledCount = await cancelPageRetries(sql, workspaceId, locked.page)
    await endRecovery(sql, { workspaceId, id, status: 'cancelled', done: locked.page.length - cancelledCount })
    return true
  }
  await withAudit(ctx, cancel, cancelled =>
    cancelled ? { action: 'cancelRecovery', target: { type: 'recovery', id }, detail: { webhookId } } : null,
  )
})

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
