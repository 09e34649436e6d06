/** Series of a chart. */
import type { Tone } from '../Status.tsx'

export interface Series<Row> {
  key: string
  label: string
  /** Color by meaning. `accent` has none. */
  tone: Tone | 'accent'
  /** Value of a bucket. Null without one, for example a percentile without attempts. */
  value: (row: Row) => number | null
}

/** A bucket of a chart: an hour or a day, or a longer time that starts then. */
export interface Bucket {
  at: string
}

/** Request of the values of a chart. */
export interface ChartQuery {
  error: unknown
  refetch: () => unknown
}

/** Formats a value in the tooltip, the axis and the table. */
export type FormatValue = (value: number) => string

/** Returns the largest value that the chart must show: of the stacked bars, or of any line. */
export const maxValue = <Row>(rows: readonly Row[], series: readonly Series<Row>[], isStacked: boolean): number =>
  Math.max(
    0,
    ...rows.map(row => {
      const values = series.map(({ value }) => value(row) ?? 0)
      return isStacked ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values)
    }),
  )

/** Returns the sum of a series over all buckets. */
export const totalOf = <Row>(rows: readonly Row[], { value }: Series<Row>): number =>
  rows.reduce((sum, row) => sum + (value(row) ?? 0), 0)

/** Steps of a time axis in seconds. */
const timeSteps = [
  1,
  5,
  15,
  30,
  ...[1, 5, 15, 30].map(minutes => minutes * 60),
  ...[1, 2, 6, 12].map(hours => hours * 3600),
]
const daySeconds = 86_400
const maxTimeTicks = 4

/** Returns grid lines for durations in seconds, at whole seconds, minutes, hours or days, up to the first not below `max`. */
export const timeTicks = (max: number): number[] => {
  const step =
    timeSteps.find(one => max / one <= maxTimeTicks) ?? Math.ceil(max / daySeconds / maxTimeTicks) * daySeconds
  return Array.from({ length: Math.ceil(max / step) + 1 }, (_, index) => index * step)
}
