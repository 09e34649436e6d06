import { useTranslate } from '../../texts/index.tsx'
import type { Series } from '../../ui/charts/series.ts'
import { TimeChart } from '../../ui/charts/TimeChart.tsx'
import { useTimeRangeLabel } from '../../ui/time-range/TimeRangeFilter.tsx'
import { type TimeRange, toBarRange, toChartRange } from '../../ui/time-range/time-range.ts'
import styles from './rejected-events.module.css'
import { type TrendRow, toTrendRows, type useTrend } from './trend.ts'

const tones = ['failed', 'care', 'accent'] as const
/** Number of problems with a series of their own. */
const shownProblems = 3
const maxLabelLength = 32

/** Occurrences over time of the most frequent problems. A click on a bar filters the list. */
export const RejectedChart = ({
  filters,
  trend: { entries, groups },
  isHidden,
  filter,
}: {
  filters: TimeRange
  trend: ReturnType<typeof useTrend>
  /** Keeps its space, so that an empty list does not move. */
  isHidden: boolean
  filter: (range: TimeRange) => void
}) => {
  const t = useTranslate()
  const rangeLabel = useTimeRangeLabel()
  const { by } = toChartRange(filters)
  const isAllTime = Object.keys(filters).length === 0
  // A problem that is no longer stored has no name.
  const shown = (groups ?? []).filter(({ name }) => name !== null).slice(0, shownProblems)
  const others = (groups ?? []).filter(group => !shown.includes(group))
  const labels = shown.map(({ name }) => shorten(name!))
  if (others.length > 0) labels.push(t('notAccepted.otherProblems'))
  const series = (labels.length > 0 ? labels : [t('notAccepted.title')]).map(
    (label, index): Series<TrendRow> => ({
      key: String(index),
      label,
      tone: index < shown.length ? tones[index]! : 'off',
      value: ({ counts }) => counts[index] ?? 0,
    }),
  )
  return (
    <section className={styles.trend} style={isHidden || !entries ? { visibility: 'hidden' } : undefined}>
      <TimeChart
        title={t('notAccepted.chart', { range: rangeLabel(isAllTime ? { range: '30d' } : filters) })}
        rows={entries && toTrendRows(entries, shown, others)}
        series={series}
        by={by}
        height={88}
        onSelect={({ at }) => filter(toBarRange(at, by))}
      />
    </section>
  )
}

const shorten = (text: string): string => (text.length > maxLabelLength ? `${text.slice(0, maxLabelLength)}…` : text)
