import { area, line } from 'd3-shape'
import styles from './charts.module.css'

const height = 36

/** Line chart of a few values, from zero to the maximum, with the width of its container. */
export const Sparkline = ({ values }: { values: number[] }) => {
  const max = Math.max(...values, 1)
  const x = (_: number, index: number) => index
  // Leaves 1 px at both edges, where half of the line would be cut off.
  const y = (value: number) => height - 1 - (value / max) * (height - 2)
  const width = Math.max(values.length - 1, 1)
  return (
    <svg className={styles.sparkline} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      <path d={area<number>(x, height, y)(values) ?? ''} />
      <path d={line<number>(x, y)(values) ?? ''} />
    </svg>
  )
}
