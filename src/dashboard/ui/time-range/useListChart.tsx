import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslate } from '../../texts/index.tsx'
import { useTimeRangeLabel } from './TimeRangeFilter.tsx'
import {
  type ChartRange,
  isInRange,
  isLongerThanChart,
  maxChartDays,
  type TimeRange,
  toBarRange,
  toChartRange,
} from './time-range.ts'

export interface ListChart {
  /** Hours or days that the chart requests. */
  query: ChartRange
  /** Name of the time that the chart counts. */
  label: string
  /** Returns true for a bar in the time range of the list. The other bars only show the hours around it. */
  isCounted: (row: { at: string }) => boolean
  /** Returns the range of a bar, as a filter of the list. */
  toRange: (row: { at: string }) => TimeRange
  /** States that the list is longer than the chart. Undefined if both show the same time. */
  note: ReactNode
}

/** Returns the range, label and counted bars of a chart, so that it describes the same time as the list below it. */
export const useListChart = (range: TimeRange): ListChart => {
  const t = useTranslate()
  const rangeLabel = useTimeRangeLabel()
  const query = toChartRange(range)
  const isPartial = isLongerThanChart(range)
  return {
    query,
    label: isPartial
      ? range.until === undefined
        ? t('time.chartDays', { count: maxChartDays })
        : rangeLabel({ since: query.from, until: range.until })
      : rangeLabel(range),
    isCounted: ({ at }) => isInRange(range, at, query.by),
    toRange: ({ at }) => toBarRange(at, query.by),
    note: isPartial ? (
      <Text size="xs" c="dimmed">
        {t('time.chartPartial', { count: maxChartDays })}
      </Text>
    ) : undefined,
  }
}
