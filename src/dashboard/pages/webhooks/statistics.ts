/** Statistics of endpoints: the request, and what charts and lists show of it. */
import { keepPreviousData } from '@tanstack/react-query'
import { hooks, type Schemas } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import type { Series } from '../../ui/charts/series.ts'
import { type TimeRange, toChartRange, withDefaultRange } from '../../ui/time-range/time-range.ts'
import { defaultRange } from './delivery/filters.ts'

export type StatsEntry = Schemas['WebhookStatsEntry']

const pollIntervalMs = 15_000

/** Statistics by the hour or day. A poll follows the hour that is in progress. */
export const statsQuery = (id: string, range: TimeRange) => {
  const { from, to, by } = toChartRange(withDefaultRange(range, defaultRange))
  return hooks.queryOptions(
    'get',
    '/v1/webhooks/{id}/stats',
    { params: { path: { id }, query: { by, since: from, until: to } } },
    { placeholderData: keepPreviousData, refetchInterval: pollIntervalMs },
  )
}

/** Results of attempts as series of a chart. A failed attempt that an automatic one follows is amber, otherwise red. */
export const useAttemptSeries = (): Series<StatsEntry>[] => {
  const t = useTranslate()
  return [
    { key: 'delivered', label: t('webhooks.stats.delivered'), tone: 'done', value: row => row.delivered },
    { key: 'failed', label: t('webhooks.stats.failed'), tone: 'failed', value: row => row.failed },
    { key: 'retried', label: t('webhooks.stats.retried'), tone: 'care', value: row => row.retried },
  ]
}

export interface Totals {
  attempts: number
  delivered: number
  /** Share of attempts that succeeded. Null without attempts. */
  rate: number | null
}

export const totalsOf = (entries: readonly StatsEntry[]): Totals => {
  const delivered = entries.reduce((sum, entry) => sum + entry.delivered, 0)
  const attempts = entries.reduce((sum, entry) => sum + entry.delivered + entry.failed + entry.retried, 0)
  return { attempts, delivered, rate: attempts === 0 ? null : delivered / attempts }
}

/** Adds up the entries of several endpoints by their time. Percentiles cannot be added up. */
export const sumEntries = (endpoints: readonly (readonly StatsEntry[])[]): StatsEntry[] => {
  const sums = new Map<string, StatsEntry>()
  for (const { at, delivered, failed, retried } of endpoints.flat()) {
    const sum = sums.get(at) ?? { at, delivered: 0, failed: 0, retried: 0, p50Ms: null, p95Ms: null }
    sums.set(at, {
      ...sum,
      delivered: sum.delivered + delivered,
      failed: sum.failed + failed,
      retried: sum.retried + retried,
    })
  }
  return [...sums.values()].toSorted((a, b) => a.at.localeCompare(b.at))
}

/** Share of successes below which a rate is shown as a problem. */
const goodRate = 0.99
const poorRate = 0.9

export const rateTone = (rate: number | null) =>
  rate === null ? 'off' : rate >= goodRate ? 'done' : rate >= poorRate ? 'care' : 'failed'

/** Formats a share as a percentage that shows 100 % only if every attempt succeeded. */
export const floorRate = (rate: number): number => Math.floor(rate * 1000) / 1000
