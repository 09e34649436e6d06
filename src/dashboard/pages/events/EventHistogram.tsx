import { Text } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { hooks, type Schemas } from '../../api/client.ts'
import { useLiveRefresh } from '../../api/useLive.ts'
import { useTranslate } from '../../texts/index.tsx'
import type { Series } from '../../ui/charts/series.ts'
import { TimeChart } from '../../ui/charts/TimeChart.tsx'
import { withDefaultRange } from '../../ui/time-range/time-range.ts'
import { useListChart } from '../../ui/time-range/useListChart.tsx'
import styles from './events.module.css'
import { defaultRange, type EventFilters, outcomeTones, selectedOutcome } from './filters.ts'
import { type ChartedOutcome, chartedOutcomes, counters, countOutcomes } from './outcome-counts.ts'

type Row = { at: string } & Record<ChartedOutcome, number>

/**
 * Histogram of the events over the time range of the list, by outcome. A click on a bar filters the list. The API counts
 * by type and outcome only, so a note says which filters the chart ignores.
 */
export const EventHistogram = ({
  filters,
  filter,
}: {
  filters: EventFilters
  filter: (filters: EventFilters) => void
}) => {
  const t = useTranslate()
  const chart = useListChart(withDefaultRange(filters, defaultRange))
  useLiveRefresh(['event'], ['/v1/activity/summary'])
  const query = hooks.useQuery(
    'get',
    '/v1/activity/summary',
    { params: { query: { ...chart.query, group: 'type' } } },
    { placeholderData: keepPreviousData },
  )
  const { data } = query
  const groups = data?.groups
  const group = groups?.find(({ id }) => id === filters.type)
  const isUncounted =
    filters.type !== undefined && groups !== undefined && !group && groups.some(({ id }) => id === null)
  const rows = data && toRows(data.data, filters.type === undefined ? (groups ?? []) : group ? [group] : [])
  const selected = selectedOutcome(filters)
  const series = chartedOutcomes
    .filter(key => isShown(key, selected))
    .map(
      (key): Series<Row> => ({
        key,
        label: t(`events.series.${key}`),
        tone: outcomeTones[key],
        value: row => row[key],
      }),
    )
  return (
    <section className={styles.histogram}>
      <TimeChart
        title={t('events.chart')}
        range={chart.label}
        rows={rows}
        query={query}
        series={series}
        by={chart.query.by}
        height={88}
        isCounted={chart.isCounted}
        onSelect={row => {
          const { range: _, ...others } = filters
          filter({ ...others, ...chart.toRange(row) })
        }}
      />
      {chart.note}
      {(isUncounted || filters.sender || filters.customerId) && (
        <Text size="xs" c="dimmed">
          {t(isUncounted ? 'events.chartRare' : 'events.chartAll')}
        </Text>
      )}
    </section>
  )
}

const isShown = (key: ChartedOutcome, selected: ReturnType<typeof selectedOutcome>): boolean =>
  selected === undefined ||
  (selected === 'nothing' ? key !== 'started' : key === selected || counters[key].includes(selected))

const toRows = (entries: readonly Schemas['ActivitySummary'][], groups: readonly Schemas['ActivityGroup'][]): Row[] =>
  entries.map(({ at }, index) => ({ at, ...countOutcomes(groups, index) }))
