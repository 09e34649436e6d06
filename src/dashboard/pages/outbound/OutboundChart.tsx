import { Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { hooks, type Schemas } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { TimeChart } from '../../ui/charts/TimeChart.tsx'
import { type TimeRange, withDefaultRange } from '../../ui/time-range/time-range.ts'
import { useListChart } from '../../ui/time-range/useListChart.tsx'
import { type StatsEntry, statsQuery, useAttemptSeries } from '../webhooks/statistics.ts'
import { defaultRange, type OutboundFilters } from './filters.ts'
import styles from './outbound.module.css'

const pollIntervalMs = 15_000

/**
 * Attempts by their result, at the endpoint of the filter or at all endpoints. A click on a bar filters the events
 * below. The API does not count by type and status, so a note says that the chart ignores these filters.
 */
export const OutboundChart = ({
  filters: { type, webhookId, status, ...filters },
  onRange,
}: {
  filters: OutboundFilters
  onRange: (range: TimeRange) => void
}) => {
  const t = useTranslate()
  const range = withDefaultRange(filters, defaultRange)
  const { query, label, isCounted, toRange, note } = useListChart(range)
  const isOfEndpoint = webhookId !== undefined
  const summary = hooks.useQuery(
    'get',
    '/v1/activity/summary',
    { params: { query } },
    { placeholderData: keepPreviousData, refetchInterval: pollIntervalMs, enabled: !isOfEndpoint },
  )
  const stats = useQuery({ ...statsQuery(webhookId ?? '', range), enabled: isOfEndpoint })
  return (
    <div className={styles.chart}>
      <TimeChart
        title={t('outbound.attempts')}
        range={label}
        rows={isOfEndpoint ? stats.data?.data : summary.data?.data.map(toEntry)}
        query={isOfEndpoint ? stats : summary}
        series={useAttemptSeries()}
        by={query.by}
        height={96}
        isCounted={isCounted}
        onSelect={row => onRange(toRange(row))}
      />
      {note}
      {(type || status) && (
        <Text size="xs" c="dimmed">
          {t('outbound.chartAll')}
        </Text>
      )}
    </div>
  )
}

/** A manual attempt that fails again counts as failed twice, so the rest can be negative. */
const toEntry = ({ at, deliveries }: Schemas['ActivitySummary']): StatsEntry => {
  const { attempts, delivered, failed } = deliveries
  return { at, delivered, failed, retried: Math.max(attempts - delivered - failed, 0), p50Ms: null, p95Ms: null }
}
