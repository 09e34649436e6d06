import { area, line } from 'd3-shape'
import styles from './ui.module.css'

const height = 36

/** A line of a few figures, as wide as there is room: from nothing to the largest of them. */
export const Sparkline = ({ values }: { values: number[] }) => {
  const most = Math.max(...values, 1)
  const x = (_: number, place: number) => place
  // Whole at both edges, where half of the line would be cut off.
  const y = (value: number) => height - 1 - (value / most) * (height - 2)
  const wide = Math.max(values.length - 1, 1)
  return (
    <svg className={styles.sparkline} viewBox={`0 0 ${wide} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      <path d={area<number>(x, height, y)(values) ?? ''} />
      <path d={line<number>(x, y)(values) ?? ''} />
    </svg>
  )
}
