import { Text } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { hooks } from '../../../api/client.ts'
import { useTranslate } from '../../../texts/index.tsx'
import { TimeChart } from '../../../ui/charts/TimeChart.tsx'
import { type TimeRange, toBarRange } from '../../../ui/time-range/time-range.ts'
import { useListChart } from '../../../ui/time-range/useListChart.tsx'
import styles from '../workflows.module.css'
import { toStatsQuery } from './Funnel.tsx'

/** Periods that the chart shows as 7 days: a few days tell more than one bar. */
const shortPeriods = ['1h', '24h']

/** Runs per day, by their present state. A click on a bar filters the list. */
export const RunsPerDay = ({
  id,
  period,
  version,
  isNarrowed,
  onSelect,
}: {
  id: string
  period: TimeRange
  version: number | undefined
  /** True if the list has filters that the statistics ignore. */
  isNarrowed: boolean
  onSelect: (range: TimeRange) => void
}) => {
  const t = useTranslate()
  const shownPeriod: TimeRange = shortPeriods.includes(period.range ?? '') ? { range: '7d' } : period
  const { label, note } = useListChart(shownPeriod)
  const query = hooks.useQuery(
    'get',
    '/v1/workflows/{id}/stats',
    { params: { path: { id }, query: { by: 'day', ...toStatsQuery(shownPeriod, version) } } },
    { placeholderData: keepPreviousData },
  )
  const { data } = query
  return (
    <div className={styles.runsChart}>
      {data?.period?.complete === false && (
        <Text size="sm">{t('workflows.run.incomplete', { count: data.period.runs })}</Text>
      )}
      <TimeChart
        title={t('workflows.run.perDayOf', { period: label })}
        rows={data?.days}
        query={query}
        by="day"
        height={96}
        series={[
          { key: 'done', label: t('workflows.run.done'), tone: 'done', value: row => row.done },
          {
            key: 'active',
            label: t('workflows.run.active'),
            tone: 'moving',
            value: row => row.started - row.done - row.failed - row.stopped,
          },
          { key: 'stopped', label: t('workflows.run.stopped'), tone: 'off', value: row => row.stopped },
          { key: 'failed', label: t('workflows.run.failed'), tone: 'failed', value: row => row.failed },
        ]}
        onSelect={row => onSelect(toBarRange(row.at, 'day'))}
      />
      {note}
      {isNarrowed && (
        <Text size="xs" c="dimmed">
          {t('workflows.run.chartAll')}
        </Text>
      )}
    </div>
  )
}
