import { useId } from 'react'
import styles from './charts.module.css'
import { Patterns, StackedBars } from './marks.tsx'
import { type Bucket, maxValue, type Series } from './series.ts'

/** Stacked bars for a row of a list, without axes. `label` says the same to a screen reader. */
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
  const patternId = useId()
  const max = Math.max(maxValue(rows, series, true), 1)
  return (
    <svg width={width} height={height} role="img" aria-label={label} className={styles.mini}>
      <title>{label}</title>
      <Patterns id={patternId} series={series} />
      <StackedBars rows={rows} series={series} width={width} height={height} max={max} patternId={patternId} />
    </svg>
  )
}
