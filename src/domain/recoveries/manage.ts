import { clock } from '../../platform/clock.ts'
import type { Deed } from '../audit/index.ts'
import { audited } from '../audited.ts'
import type { Ctx } from '../context.ts'
import { countUndelivered, takePageBack, type UndeliveredSpan } from '../deliveries/index.ts'
import { readWebhook } from '../endpoints/index.ts'
import { DomainError, invalidRequest, notFound } from '../errors.ts'
import { isId } from '../ids.ts'
import { wakeRecovery } from '../tasks.ts'
import { verb } from '../verb.ts'
import { firstPage } from './run.ts'
import type { Recovery, RecoveryPreview, StartRecovery } from './schema.ts'
import { endRecovery, findRecovery, holdNamed, insertRecovery, type RecoveryRow } from './sql.ts'

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
      throw invalidRequest({ since: 'Must be no later than until, or than now where that is left out.' })
    const span: UndeliveredSpan = { workspaceId, webhookId, ...idsOf(times) }
    const total = await countUndelivered(ctx.sql, span, maxDeliveries + 1)
    if (preview && total <= maxDeliveries) return { deliveries: total }
    if (total > maxDeliveries) throw tooMany()
    const start = async ({ sql }: Ctx) => {
      const { after: reached, last } = span
      const row = await insertRecovery(sql, {
        workspaceId,
        webhookId,
        ...times,
        total,
        reached,
        last,
        pageSize: firstPage,
      })
      if (!row) throw underWay()
      await wakeRecovery(sql, workspaceId, webhookId)
      return row
    }
    const deedOf = ({ id }: RecoveryRow): Deed => ({
      action: 'startRecovery',
      target: { type: 'recovery', id },
      detail: { webhookId, deliveries: total },
    })
    return shape(await audited(ctx, start, deedOf))
  },
)

/** Returns the id range of a time span: ids begin with their creation time in milliseconds. */
const idsOf = ({ since, until }: { since: Date; until: Date }): { after: string; last: string } => ({
  after: `${beginningOfIds(since)}-0000-0000-000000000000`,
  last: `${beginningOfIds(until)}-ffff-ffff-ffffffffffff`,
})

const beginningOfIds = (time: Date): string => {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}`
}

const tooMany = () =>
  new DomainError(
    'unprocessable',
    `More than ${maxDeliveries} deliveries of that time have failed or wait. Choose a shorter time with since and until.`,
  )

const underWay = () =>
  new DomainError('conflict', 'The endpoint has a recovery that is running; wait for its end, or cancel it first.')

export const readRecovery = verb(
  { by: 'owner' },
  async (ctx, webhookId: string, id: string): Promise<Recovery> => shape(await existing(ctx, webhookId, id)),
)

/**
 * Stops making deliveries due and takes back those not attempted yet. Failed deliveries stay failed, and waiting ones
 * keep their remaining attempts. A finished bulk replay stays unchanged.
 */
export const cancelRecovery = verb({ by: 'owner' }, async (ctx, webhookId: string, id: string): Promise<void> => {
  await existing(ctx, webhookId, id)
  const { workspaceId } = ctx.caller
  const cancel = async ({ sql }: Ctx): Promise<boolean> => {
    const held = await holdNamed(sql, { workspaceId, webhookId, id })
    if (!held) return false
    const taken = await takePageBack(sql, workspaceId, held.page)
    await endRecovery(sql, { workspaceId, id, status: 'cancelled', done: held.page.length - taken })
    return true
  }
  await audited(ctx, cancel, cancelled =>
    cancelled ? { action: 'cancelRecovery', target: { type: 'recovery', id }, detail: { webhookId } } : null,
  )
})

const existing = async (
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
