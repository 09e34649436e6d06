import { area, line } from 'd3-shape'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import styles from './sparkline.module.css'

const height = 36

/**
 * Line chart of a few values, from zero to the maximum, with the width of its container. Its accessible name has the
 * values, because it has no table.
 */
export const Sparkline = ({ label, values }: { label: string; values: number[] }) => {
  const t = useTranslate()
  const number = useNumbers()
  const max = Math.max(...values, 1)
  const x = (_: number, index: number) => index
  // Leaves 1 px at both edges, where half of the line would be cut off.
  const y = (value: number) => height - 1 - (value / max) * (height - 2)
  const width = Math.max(values.length - 1, 1)
  return (
    <svg
      className={styles.sparkline}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={t('chart.values', { label, values: values.map(value => number(value)).join('; ') })}
    >
      <path d={area<number>(x, height, y)(values) ?? ''} />
      <path d={line<number>(x, y)(values) ?? ''} />
    </svg>
  )
}
