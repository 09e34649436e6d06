import { keepPreviousData } from '@tanstack/react-query'
import { hooks, type Schemas } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import type { Series } from '../../ui/charts/series.ts'
import { TimeChart } from '../../ui/charts/TimeChart.tsx'
import { useTimeRangeLabel } from '../../ui/time-range/TimeRangeFilter.tsx'
import { type TimeRange, toBarRange, toChartRange } from '../../ui/time-range/time-range.ts'
import { chartRangeOf } from '../webhooks/statistics.ts'
import styles from './outbound.module.css'

type Entry = Schemas['ActivitySummary']

const pollIntervalMs = 15_000

/** Attempts at all endpoints by their result. A click on a bar filters the events below. */
export const OutboundChart = ({ range, onRange }: { range: TimeRange; onRange: (range: TimeRange) => void }) => {
  const t = useTranslate()
  const shownRange = chartRangeOf(range)
  const { from, to, by } = toChartRange(shownRange)
  const label = useTimeRangeLabel()(shownRange)
  // The API includes the hour of `to`, and a range ends at the start of the next hour.
  const query = { from, to: new Date(Date.parse(to) - 1).toISOString(), by }
  const summary = hooks.useQuery(
    'get',
    '/v1/activity/summary',
    { params: { query } },
    { placeholderData: keepPreviousData, refetchInterval: pollIntervalMs },
  )
  const series: Series<Entry>[] = [
    { key: 'delivered', label: t('webhooks.stats.delivered'), tone: 'done', value: row => row.deliveries.delivered },
    { key: 'failed', label: t('webhooks.stats.failed'), tone: 'failed', value: row => row.deliveries.failed },
    { key: 'retried', label: t('webhooks.stats.retried'), tone: 'care', value: retriedOf },
  ]
  return (
    <div className={styles.chart}>
      <TimeChart
        title={t('outbound.attempts', { range: label })}
        rows={summary.data?.data}
        series={series}
        by={by}
        height={96}
        onSelect={({ at }) => onRange(toBarRange(at, by))}
      />
    </div>
  )
}

/** A manual attempt that fails again counts as failed twice, so the rest can be negative. */
const retriedOf = ({ deliveries: { attempts, delivered, failed } }: Entry): number =>
  Math.max(attempts - delivered - failed, 0)
