import styles from './ui.module.css'

const height = 36

/** A line of a few figures, as wide as there is room: from nothing to the largest of them. A chart library is 80 KB more. */
export const Sparkline = ({ values }: { values: number[] }) => {
  const most = Math.max(...values, 1)
  const last = Math.max(values.length - 1, 1)
  // Whole at both edges, where half of the line would be cut off.
  const points = values.map((value, place) => `${place},${height - 1 - (value / most) * (height - 2)}`).join(' ')
  return (
    <svg className={styles.sparkline} viewBox={`0 0 ${last} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      <polygon points={`0,${height} ${points} ${last},${height}`} />
      <polyline points={points} />
    </svg>
  )
}
