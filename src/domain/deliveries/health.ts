/** Health of an endpoint, from its stored state and its newest deliveries. */
import { findHealth, type HealthRow } from '../endpoints/index.ts'
import { notFound } from '../errors.ts'
import { isId } from '../ids.ts'
import { maxLookedAt } from '../look.ts'
import { verb } from '../verb.ts'
import type { WebhookHealth } from './schema.ts'
import { findLastSuccess, findWaiting, type RecentRow, selectRecent } from './sql.ts'

const maxShown = 50
/** Maximum number of waiting deliveries that are counted. */
const maxCounted = 10_000

export const readWebhookHealth = verb(
  { by: 'member' },
  async ({ sql, caller: { workspaceId } }, id: string): Promise<WebhookHealth> => {
    const row = isId(id) ? await findHealth(sql, workspaceId, id) : null
    if (!row) throw notFound('webhook endpoint')
    const of = { workspaceId, webhookId: id }
    const recent = await selectRecent(sql, { ...of, limit: maxShown })
    const hasOlder = recent.length === maxShown && recent.every(({ status }) => status !== 'delivered')
    const lastSuccess = hasOlder ? await findLastSuccess(sql, { ...of, limit: maxLookedAt }) : null
    const { count, firstDueAt, since } = await findWaiting(sql, workspaceId, id, maxCounted)
    const standing = standingOf(row, recent)
    const isAttempted = standing.state === 'healthy' || standing.state === 'failing'
    return {
      ...standing,
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

const standingOf = (row: HealthRow, recent: readonly RecentRow[]): Pick<WebhookHealth, 'state' | 'since'> => {
  if (!row.enabled) return { state: 'off', since: row.offSince.toISOString() }
  if (row.heldAt) return { state: 'held', since: row.heldAt.toISOString() }
  const { failing, since } = upToDate(row, recent)
  return { state: failing ? 'failing' : 'healthy', since: since.toISOString() }
}

/** Returns the current state and its start. The stored state can be one second old, so newer attempts override it. */
const upToDate = (
  { failingSince, healthySince }: HealthRow,
  recent: readonly RecentRow[],
): { failing: boolean; since: Date } => {
  const noted = { failing: failingSince !== null, since: failingSince ?? healthySince }
  const newer = recent.filter(({ at }) => at > noted.since)
  const failing = newer[0] ? isFailed(newer[0]) : noted.failing
  const end = newer.findIndex(one => isFailed(one) !== failing)
  const hasTurned = failing !== noted.failing || end >= 0
  return hasTurned ? { failing, since: newer.at(end < 0 ? -1 : end - 1)!.at } : noted
}

const isFailed = ({ status }: RecentRow): boolean => status !== 'delivered'

/** Combines both sources: the stored time can lag behind the deliveries, but covers a longer period. */
const lastSuccessOf = (
  { lastSuccessAt }: HealthRow,
  recent: readonly RecentRow[],
  older: Date | null,
): string | null => {
  const seen = recent.find(({ status }) => status === 'delivered')?.at
  return newest(lastSuccessAt, seen, older)?.toISOString() ?? null
}

const lastFailureOf = ({ lastFailure }: HealthRow, recent: readonly RecentRow[]): WebhookHealth['lastFailure'] => {
  const noted = lastFailure && { ...lastFailure, at: new Date(lastFailure.at) }
  const seen = recent.find(({ status }) => status === 'retrying' || status === 'failed')
  const last = seen && (!noted || seen.at > noted.at) ? seen : noted
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
