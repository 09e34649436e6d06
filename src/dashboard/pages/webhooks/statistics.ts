/** Statistics of endpoints: the requests, and what charts and lists show of them. */
import { keepPreviousData } from '@tanstack/react-query'
import { hooks, type Schemas } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import type { Series } from '../../ui/charts/series.ts'
import { type TimeRange, toChartRange, withDefaultRange } from '../../ui/time-range/time-range.ts'
import { defaultRange } from './delivery/filters.ts'

export type StatsEntry = Schemas['WebhookStatsEntry']
/** Attempts of an hour or day by their result. */
export type AttemptCounts = Pick<StatsEntry, 'at' | 'delivered' | 'failed' | 'retried'>
type Summary = Schemas['ActivitySummaryList']

const pollIntervalMs = 15_000

/** Statistics of an endpoint by the hour or day. A poll follows the hour that is in progress. */
export const statsQuery = (id: string, range: TimeRange) => {
  const { from, to, by } = toChartRange(withDefaultRange(range, defaultRange))
  return hooks.queryOptions(
    'get',
    '/v1/webhooks/{id}/stats',
    { params: { path: { id }, query: { by, since: from, until: to } } },
    { placeholderData: keepPreviousData, refetchInterval: pollIntervalMs },
  )
}

/** Attempts of all endpoints by the hour or day, from one request. */
export const useSummary = (range: TimeRange) =>
  hooks.useQuery(
    'get',
    '/v1/activity/summary',
    { params: { query: { ...toChartRange(withDefaultRange(range, defaultRange)), group: 'webhook' } } },
    { placeholderData: keepPreviousData, refetchInterval: pollIntervalMs },
  )

/** Returns the attempts of all endpoints, also of those that were removed. */
export const toAllEntries = ({ data }: Summary): AttemptCounts[] =>
  data.map(({ at, deliveries: { attempts, delivered, failed } }) => ({
    at,
    delivered,
    failed,
    retried: Math.max(attempts - delivered - failed, 0),
  }))

/** Returns the attempts of an endpoint. Undefined if it is one of those that the response counts together. */
export const toEntries = ({ data, groups = [] }: Summary, id: string): AttemptCounts[] | undefined => {
  const counts = groups.find(group => group.id === id)?.counts
  if (!counts && groups.some(group => group.id === null)) return undefined
  const count = (result: 'delivered' | 'failed' | 'retried', index: number) => counts?.[result]?.[index] ?? 0
  return data.map(({ at }, index) => ({
    at,
    delivered: count('delivered', index),
    failed: count('failed', index),
    retried: count('retried', index),
  }))
}

/** Results of attempts as series of a chart. A failed attempt that an automatic one follows is amber, otherwise red. */
export const useAttemptSeries = (): Series<AttemptCounts>[] => {
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

export const totalsOf = (entries: readonly AttemptCounts[]): Totals => {
  const delivered = entries.reduce((sum, entry) => sum + entry.delivered, 0)
  const attempts = entries.reduce((sum, entry) => sum + entry.delivered + entry.failed + entry.retried, 0)
  return { attempts, delivered, rate: attempts === 0 ? null : delivered / attempts }
}

/** Share of successes below which a rate is shown as a problem. */
const goodRate = 0.99
const poorRate = 0.9

export const rateTone = (rate: number | null) =>
  rate === null ? 'off' : rate >= goodRate ? 'done' : rate >= poorRate ? 'care' : 'failed'

/** Formats a share as a percentage that shows 100 % only if every attempt succeeded. */
export const floorRate = (rate: number): number => Math.floor(rate * 1000) / 1000
