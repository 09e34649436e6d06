import { keepPreviousData } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { hooks } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Card } from '../../ui/Card.tsx'
import type { Series } from '../../ui/charts/series.ts'
import { TimeChart } from '../../ui/charts/TimeChart.tsx'
import { useNow } from '../../ui/Time.tsx'
import { toBarRange, toChartRange } from '../../ui/time-range/time-range.ts'
import { outcomeTones } from '../events/filters.ts'
import { chartedOutcomes, countOutcomes } from '../events/outcome-counts.ts'
import styles from './home.module.css'
import { byLatestStatus, type Entry, type Period, toBars, unitOf } from './period.ts'
import type { Summary } from './useSummary.ts'

/**
 * Chart of events by outcome, in the words and colors of the Events page. A click on a bar opens the events of that time.
 */
const EventChart = ({ period }: { period: Period }) => {
  const t = useTranslate()
  const navigate = useNavigate()
  const now = useNow()
  const query = hooks.useQuery(
    'get',
    '/v1/activity/summary',
    { params: { query: { ...toChartRange({ range: period }, now), group: 'type' } } },
    { refetchInterval: 60_000, placeholderData: keepPreviousData },
  )
  const { data, groups = [] } = query.data ?? {}
  const rows = data?.map(({ at, refused }, index) => ({ at, refused, ...countOutcomes(groups, index) }))
  const series = [...chartedOutcomes, 'refused' as const].map(
    (key): Series<NonNullable<typeof rows>[number]> => ({
      key,
      label: t(`home.series.${key}`),
      tone: key === 'refused' ? 'failed' : outcomeTones[key],
      value: row => row[key],
    }),
  )
  return (
    <Card>
      <TimeChart
        title={t('home.eventChart')}
        rows={rows && toBars(period, rows)}
        query={query}
        by={unitOf(period)}
        series={series}
        height={210}
        onSelect={({ at }) => void navigate({ to: '/events', search: toBarRange(at, unitOf(period)) })}
      />
    </Card>
  )
}

/**
 * Statuses of messages in the order of the bars, which decides their patterns. Statuses with one color have different
 * ones, and `failed` has that of the failed attempts.
 */
const messageTones = [
  ['delivered', 'done'],
  ['read', 'done'],
  ['sent', 'moving'],
  ['queued', 'moving'],
  ['skipped', 'off'],
  ['failed', 'failed'],
  ['unknown', 'care'],
  ['received', 'accent'],
] as const

/** Charts of events, of messages by their latest status, and of the attempts of deliveries as the Webhooks page shows them. */
export const ActivityCharts = ({ period, summary }: { period: Period; summary: Summary }) => {
  const t = useTranslate()
  const navigate = useNavigate()
  const chart = { rows: summary.data && toBars(period, summary.data.data), by: unitOf(period) } as const
  const messages = messageTones.map(
    ([key, tone]): Series<Entry> => ({
      key,
      label: t(`home.series.${key}`),
      tone,
      value: ({ messages }) => messages[key],
    }),
  )
  const deliveries: Series<Entry>[] = [
    { key: 'succeeded', label: t('home.series.succeeded'), tone: 'done', value: entry => entry.deliveries.delivered },
    { key: 'failed', label: t('home.series.failed'), tone: 'failed', value: entry => entry.deliveries.failed },
    {
      key: 'retried',
      label: t('home.series.retried'),
      tone: 'care',
      value: ({ deliveries: { attempts, delivered, failed } }) => Math.max(attempts - delivered - failed, 0),
    },
  ]
  return (
    <div className={styles.charts}>
      <EventChart period={period} />
      <Card>
        <TimeChart
          title={t('home.messageChart')}
          {...chart}
          rows={chart.rows && byLatestStatus(chart.rows)}
          series={messages}
          onSelect={({ at }) => void navigate({ to: '/messages', search: toBarRange(at, unitOf(period)) })}
        />
      </Card>
      <Card>
        <TimeChart
          title={t('home.deliveryChart')}
          {...chart}
          series={deliveries}
          onSelect={({ at }) => void navigate({ to: '/outbound', search: toBarRange(at, unitOf(period)) })}
        />
      </Card>
    </div>
  )
}
