import { Text } from '@mantine/core'
import { useTranslate } from '../../texts/index.tsx'
import type { Series } from '../../ui/charts/series.ts'
import { TimeChart } from '../../ui/charts/TimeChart.tsx'
import type { ListChart } from '../../ui/time-range/useListChart.tsx'
import { shortErrorText } from './error-text.ts'
import type { RejectedEventFilters } from './filters.ts'
import styles from './rejected-events.module.css'
import { type TrendRow, toErrors, toTrendRows, type useTrend } from './trend.ts'

const tones = ['failed', 'care', 'accent'] as const
/** Number of errors with a series of their own. */
const shownErrors = 3

/**
 * Occurrences over time of the most frequent errors, or of the chosen one. A click on a bar filters the list. The API
 * counts by error only, so a note says which filters the chart ignores.
 */
export const RejectedChart = ({
  filters,
  chart,
  trend: { query, entries, groups },
  problemIds,
  filter,
}: {
  filters: RejectedEventFilters
  chart: ListChart
  trend: ReturnType<typeof useTrend>
  /** Problems of the loaded rows. */
  problemIds: ReadonlySet<string>
  filter: (filters: RejectedEventFilters) => void
}) => {
  const t = useTranslate()
  const all = toErrors(groups ?? [])
  const { message } = filters
  const ofMessage = (groups ?? []).filter(({ id, name }) => name === message || (id !== null && problemIds.has(id)))
  const chosen = message === undefined ? all : ofMessage.length > 0 ? [{ message, groups: ofMessage }] : []
  const named = chosen.filter(({ message }) => message !== null).slice(0, shownErrors)
  const others = chosen.filter(error => !named.includes(error)).flatMap(error => error.groups)
  const errors = others.length > 0 ? [...named, { message: null, groups: others }] : named
  const labels = errors.map(({ message }) =>
    message === null ? t('notAccepted.otherProblems') : shortErrorText(message),
  )
  const series = (labels.length > 0 ? labels : [t('notAccepted.title')]).map(
    (label, index): Series<TrendRow> => ({
      key: String(index),
      label,
      tone: tones[index] ?? 'off',
      value: ({ counts }) => counts[index] ?? 0,
    }),
  )
  // The API names the most frequent problems only.
  const counted = new Set(groups?.map(({ id }) => id))
  const isRare = message !== undefined && groups !== undefined && [...problemIds].some(id => !counted.has(id))
  return (
    <section className={styles.trend} style={!entries && !query.error ? { visibility: 'hidden' } : undefined}>
      <TimeChart
        title={t('notAccepted.chart')}
        range={chart.label}
        rows={entries && toTrendRows(entries, errors)}
        query={query}
        series={series}
        by={chart.query.by}
        height={88}
        isCounted={chart.isCounted}
        onSelect={row => {
          const { range: _, ...rest } = filters
          filter({ ...rest, ...chart.toRange(row) })
        }}
      />
      {chart.note}
      {(isRare || filters.sender || filters.apiKeyId) && (
        <Text size="xs" c="dimmed">
          {t(isRare ? 'notAccepted.chartRare' : 'notAccepted.chartAll')}
        </Text>
      )}
    </section>
  )
}
