/** Health of an endpoint, from its stored state and its newest deliveries. */

import { notFound } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import { maxScanned } from '../../core/scan.ts'
import { verb } from '../../core/verb.ts'
import { findHealth, type HealthRow } from '../endpoints/index.ts'
import type { WebhookHealth } from './schema.ts'
import { findLastSuccess, findWaiting, type RecentRow, selectRecent } from './sql.ts'

const maxRecent = 50
/** Maximum number of waiting deliveries that are counted. */
const maxCounted = 10_000

export const readWebhookHealth = verb(
  { by: 'member' },
  async ({ sql, caller: { workspaceId } }, id: string): Promise<WebhookHealth> => {
    const row = isId(id) ? await findHealth(sql, workspaceId, id) : null
    if (!row) throw notFound('webhook endpoint')
    const endpoint = { workspaceId, webhookId: id }
    const recent = await selectRecent(sql, { ...endpoint, limit: maxRecent })
    const hasOlder = recent.length === maxRecent && recent.every(({ status }) => status !== 'delivered')
    const lastSuccess = hasOlder ? await findLastSuccess(sql, { ...endpoint, limit: maxScanned }) : null
    const { count, firstDueAt, since } = await findWaiting(sql, workspaceId, id, maxCounted)
    const current = deriveState(row, recent)
    const isAttempted = current.state === 'healthy' || current.state === 'failing'
    return {
      ...current,
      lastSuccessAt: lastSuccessOf(row, recent, lastSuccess),
      lastFailure: lastFailureOf(row, recent),
      waiting: count,
      waitingSince: since?.toISOString() ?? null,
      nextAttemptAt: (isAttempted && firstDueAt?.toISOString()) || null,
      last50: recent.map(({ at, ...one }) => ({ ...one, at: at.toISOString() })),
      ...percentilesOf(recent),
    }
  },
)

const deriveState = (row: HealthRow, recent: readonly RecentRow[]): Pick<WebhookHealth, 'state' | 'since'> => {
  if (!row.enabled) return { state: 'off', since: row.disabledAt.toISOString() }
  if (row.heldAt) return { state: 'held', since: row.heldAt.toISOString() }
  const { failing, since } = deriveFailing(row, recent)
  return { state: failing ? 'failing' : 'healthy', since: since.toISOString() }
}

/** Returns the current state and its start. The stored state can be one second old, so newer attempts override it. */
const deriveFailing = (
  { failingSince, healthySince }: HealthRow,
  recent: readonly RecentRow[],
): { failing: boolean; since: Date } => {
  const stored = { failing: failingSince !== null, since: failingSince ?? healthySince }
  const newer = recent.filter(({ at }) => at > stored.since)
  const failing = newer[0] ? isFailed(newer[0]) : stored.failing
  const end = newer.findIndex(one => isFailed(one) !== failing)
  const hasChanged = failing !== stored.failing || end >= 0
  return hasChanged ? { failing, since: newer.at(end < 0 ? -1 : end - 1)!.at } : stored
}

const isFailed = ({ status }: RecentRow): boolean => status !== 'delivered'

/** Combines both sources: the stored time can lag behind the deliveries, but covers a longer period. */
const lastSuccessOf = (
  { lastSuccessAt }: HealthRow,
  recent: readonly RecentRow[],
  older: Date | null,
): string | null => {
  const latest = recent.find(({ status }) => status === 'delivered')?.at
  return newest(lastSuccessAt, latest, older)?.toISOString() ?? null
}

const lastFailureOf = ({ lastFailure }: HealthRow, recent: readonly RecentRow[]): WebhookHealth['lastFailure'] => {
  const stored = lastFailure && { ...lastFailure, at: new Date(lastFailure.at) }
  const latest = recent.find(({ status }) => status === 'retrying' || status === 'failed')
  const last = latest && (!stored || latest.at > stored.at) ? latest : stored
  return last && { at: last.at.toISOString(), statusCode: last.statusCode, error: last.error }
}

const newest = (...times: (Date | null | undefined)[]): Date | undefined =>
  times.filter(time => time instanceof Date).toSorted((a, b) => b.getTime() - a.getTime())[0]

/** Returns the 50th and 95th percentile of the durations (nearest rank). */
const percentilesOf = (recent: readonly RecentRow[]): Pick<WebhookHealth, 'p50Ms' | 'p95Ms'> => {
  const sorted = recent.map(({ durationMs }) => durationMs).toSorted((a, b) => a - b)
  const at = (percent: number) => sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? null
  return { p50Ms: at(50), p95Ms: at(95) }
}
