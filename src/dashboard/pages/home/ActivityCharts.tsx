import { useNavigate } from '@tanstack/react-router'
import { useTranslate } from '../../texts/index.tsx'
import { Card } from '../../ui/Card.tsx'
import type { Series } from '../../ui/charts/series.ts'
import { TimeChart } from '../../ui/charts/TimeChart.tsx'
import styles from './home.module.css'
import { barRange, byLatestStatus, type Entry, type Period, toBars } from './period.ts'
import type { Summary } from './useSummary.ts'

interface ChartProps {
  period: Period
  summary: Summary
}

const useChart = ({ period, summary }: ChartProps) => ({
  rows: summary.data && toBars(period, summary.data.data),
  by: period === '30d' ? ('day' as const) : ('hour' as const),
})

/** Chart of events. A click on a bar opens the events of that time. */
const EventChart = (props: ChartProps) => {
  const t = useTranslate()
  const navigate = useNavigate()
  const series: Series<Entry>[] = [
    {
      key: 'handled',
      label: t('home.series.handled'),
      tone: 'accent',
      value: ({ events, unhandled }) => events - unhandled,
    },
    { key: 'unhandled', label: t('home.series.unhandled'), tone: 'care', value: entry => entry.unhandled },
    { key: 'rejected', label: t('home.series.rejected'), tone: 'failed', value: entry => entry.refused },
  ]
  return (
    <Card>
      <TimeChart
        title={t('home.eventChart')}
        {...useChart(props)}
        series={series}
        height={210}
        onSelect={({ at }) => void navigate({ to: '/events', search: barRange(props.period, at) })}
      />
    </Card>
  )
}

/** Statuses of messages in the order of the bars. Statuses with one color have different patterns. */
const messageTones = [
  ['delivered', 'done'],
  ['read', 'done'],
  ['sent', 'moving'],
  ['queued', 'moving'],
  ['failed', 'failed'],
  ['skipped', 'off'],
  ['unknown', 'care'],
  ['received', 'accent'],
] as const

/** Charts of events, of messages by their latest status, and of webhook deliveries. */
export const ActivityCharts = (props: ChartProps) => {
  const t = useTranslate()
  const navigate = useNavigate()
  const chart = useChart(props)
  const messages = messageTones.map(
    ([key, tone]): Series<Entry> => ({
      key,
      label: t(`home.series.${key}`),
      tone,
      value: ({ messages }) => messages[key],
    }),
  )
  const deliveries: Series<Entry>[] = [
    { key: 'delivered', label: t('home.series.delivered'), tone: 'done', value: entry => entry.deliveries.delivered },
    {
      key: 'failedAttempts',
      label: t('home.series.failedAttempts'),
      tone: 'failed',
      value: ({ deliveries: { attempts, delivered } }) => Math.max(attempts - delivered, 0),
    },
  ]
  return (
    <div className={styles.charts}>
      <EventChart {...props} />
      <Card>
        <TimeChart
          title={t('home.messageChart')}
          {...chart}
          rows={chart.rows && byLatestStatus(chart.rows)}
          series={messages}
          onSelect={({ at }) => void navigate({ to: '/messages', search: barRange(props.period, at) })}
        />
      </Card>
      <Card>
        <TimeChart title={t('home.deliveryChart')} {...chart} series={deliveries} />
      </Card>
    </div>
  )
}
