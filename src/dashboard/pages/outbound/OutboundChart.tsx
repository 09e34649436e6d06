import { keepPreviousData } from '@tanstack/react-query'
import { hooks, type Schemas } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import type { Series } from '../../ui/charts/series.ts'
import { TimeChart } from '../../ui/charts/TimeChart.tsx'
import { type TimeRange, withDefaultRange } from '../../ui/time-range/time-range.ts'
import { useListChart } from '../../ui/time-range/useListChart.tsx'
import { defaultRange } from './filters.ts'
import styles from './outbound.module.css'

type Entry = Schemas['ActivitySummary']

const pollIntervalMs = 15_000

/** Attempts at all endpoints by their result. A click on a bar filters the events below. */
export const OutboundChart = ({ range, onRange }: { range: TimeRange; onRange: (range: TimeRange) => void }) => {
  const t = useTranslate()
  const { query, label, isCounted, toRange, note } = useListChart(withDefaultRange(range, defaultRange))
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
        by={query.by}
        height={96}
        isCounted={isCounted}
        onSelect={row => onRange(toRange(row))}
      />
      {note}
    </div>
  )
}

/** A manual attempt that fails again counts as failed twice, so the rest can be negative. */
const retriedOf = ({ deliveries: { attempts, delivered, failed } }: Entry): number =>
  Math.max(attempts - delivered - failed, 0)
