/** Statistics of an endpoint by hour or by day. */
import { notFound } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import { verb } from '../../core/verb.ts'
import { findHealth } from '../endpoints/index.ts'
import { selectEndpointStats } from './groups-sql.ts'
import { percentileMs } from './latency.ts'
import { statsRange } from './range.ts'
import type { WebhookStats, WebhookStatsEntry, WebhookStatsQuery } from './schema.ts'

type Counts = Record<string, number>

/** Returns the attempts of every hour or day of a range, and those of the whole range by status code. */
export const readWebhookStats = verb(
  { by: 'member' },
  async ({ sql, caller: { workspaceId } }, id: string, query: WebhookStatsQuery): Promise<WebhookStats> => {
    const { by = 'hour', since, until } = query
    const range = statsRange(by, { since, until }, { since: 'since', until: 'until' })
    if (!(isId(id) && (await findHealth(sql, workspaceId, id)))) throw notFound('webhook endpoint')
    const rows = await selectEndpointStats(sql, { workspaceId, webhookId: id, range })
    const countsByTime = new Map(rows.map(({ at, counts }) => [at.getTime(), counts]))
    return {
      data: range.starts.map(at => shape(at, countsByTime.get(at.getTime()) ?? {})),
      codes: codesOf(rows.map(({ counts }) => counts)),
    }
  },
)

const shape = (at: Date, counts: Counts): WebhookStatsEntry => {
  const buckets = numbered(counts, 'ms:')
  return {
    at: at.toISOString(),
    delivered: counts.delivered ?? 0,
    failed: counts.failed ?? 0,
    retried: counts.retried ?? 0,
    p50Ms: percentileMs(buckets, 0.5),
    p95Ms: percentileMs(buckets, 0.95),
  }
}

const codesOf = (rows: readonly Counts[]): WebhookStats['codes'] => {
  const countsByCode = new Map<number, number>()
  for (const counts of rows)
    for (const [code, count] of numbered(counts, 'code:')) countsByCode.set(code, (countsByCode.get(code) ?? 0) + count)
  return [...countsByCode]
    .sort(([one, oneCount], [other, otherCount]) => otherCount - oneCount || one - other)
    .map(([code, count]) => ({ statusCode: code === 0 ? null : code, count }))
}

/** Returns the counts whose name is the prefix and a number. */
const numbered = (counts: Counts, prefix: string): [number, number][] =>
  Object.entries(counts)
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, count]) => [Number(name.slice(prefix.length)), count])
