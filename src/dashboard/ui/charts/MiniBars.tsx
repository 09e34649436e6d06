import { useId } from 'react'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import styles from './charts.module.css'
import { Patterns, StackedBars } from './marks.tsx'
import { type Bucket, maxValue, type Series } from './series.ts'

/** Stacked bars for a row of a list, without axes. Its accessible name has the totals, because it has no table. */
export const MiniBars = <Row extends Bucket>({
  rows,
  series,
  label,
  width = 96,
  height = 20,
}: {
  rows: readonly Row[]
  series: readonly Series<Row>[]
  label: string
  /** Size in pixels. */
  width?: number
  height?: number
}) => {
  const t = useTranslate()
  const number = useNumbers()
  const patternId = useId()
  const totals = rows.map(row => number(series.reduce((sum, { value }) => sum + (value(row) ?? 0), 0)))
  const max = Math.max(maxValue(rows, series, true), 1)
  return (
    <svg
      width={width}
      height={height}
      role="img"
      aria-label={t('chart.values', { label, values: totals.join('; ') })}
      className={styles.mini}
    >
      <title>{label}</title>
      <Patterns id={patternId} series={series} />
      <StackedBars rows={rows} series={series} width={width} height={height} max={max} patternId={patternId} />
    </svg>
  )
}
