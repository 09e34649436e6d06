/** Shapes of a time chart: stacked bars with patterns, and lines with dashes. */
import { line as linePath } from 'd3-shape'
import styles from './charts.module.css'
import type { Series } from './series.ts'

interface Shape<Row> {
  rows: readonly Row[]
  series: readonly Series<Row>[]
  /** Size of the plot in pixels. */
  width: number
  height: number
  /** Value at the top edge. */
  max: number
  patternId: string
}

/** Maximum width of a bar in pixels, and the share of a bucket that it takes. */
const maxBarWidth = 28
const barShare = 0.8

/** Fills of the series: plain, diagonal lines, dots, and crossed lines, in the color of the tone. */
export const Patterns = <Row,>({ id, series }: { id: string; series: readonly Series<Row>[] }) => (
  <defs>
    {series.map(({ key, tone }, index) => (
      <pattern
        key={key}
        id={`${id}-${index}`}
        data-tone={tone}
        className={styles.pattern}
        width="6"
        height="6"
        patternUnits="userSpaceOnUse"
        patternTransform={index % 4 === 1 ? 'rotate(45)' : undefined}
      >
        <rect width="6" height="6" className={styles.fill} />
        {index % 4 === 1 && <rect width="2" height="6" className={styles.mark} />}
        {index % 4 === 2 && <circle cx="3" cy="3" r="1.2" className={styles.mark} />}
        {index % 4 === 3 && <path d="M0 3H6M3 0V6" className={styles.cross} />}
      </pattern>
    ))}
  </defs>
)

export const StackedBars = <Row extends { at: string }>({
  rows,
  series,
  width,
  height,
  max,
  patternId,
}: Shape<Row>) => {
  const step = width / rows.length
  const barWidth = Math.max(Math.min(step * barShare, maxBarWidth), 1)
  return rows.map((row, index) => {
    let top = height
    return (
      <g key={row.at}>
        {series.map(({ key, value }, position) => {
          const size = ((value(row) ?? 0) / max) * height
          // A small value stays visible.
          const shownSize = size > 0 ? Math.max(size, 2) : 0
          top -= shownSize
          return (
            shownSize > 0 && (
              <rect
                key={key}
                x={index * step + (step - barWidth) / 2}
                y={Math.max(top, 0)}
                width={barWidth}
                height={shownSize}
                rx={1}
                fill={`url(#${patternId}-${position})`}
              />
            )
          )
        })}
      </g>
    )
  })
}

/**
 * Lines that end at buckets without a value. Where there are such buckets, dots mark all values. The dots of later series
 * are rings around those of earlier ones, so that equal values stay visible.
 */
export const TimeLines = <Row,>({ rows, series, width, height, max }: Shape<Row>) => {
  const x = (index: number) => ((index + 0.5) / rows.length) * width
  return series.map(({ key, tone, value }, position) => {
    const y = (amount: number) => height - 1 - (amount / max) * (height - 2)
    const points = rows.flatMap((row, index) => {
      const amount = value(row)
      return amount === null ? [] : [{ index, x: x(index), y: y(amount) }]
    })
    const isComplete = points.length === rows.length && rows.length > 1
    const line = linePath<Row>()
      .defined(row => value(row) !== null)
      .x((_, index) => x(index))
      .y(row => y(value(row)!))
    return (
      <g key={key} data-tone={tone} className={styles.line}>
        <path d={line([...rows]) ?? ''} data-dash={position} />
        {(isComplete ? [] : points).map(point => (
          <circle
            key={point.index}
            cx={point.x}
            cy={point.y}
            r={2.5 + position * 2}
            data-ring={position > 0 || undefined}
          />
        ))}
      </g>
    )
  })
}
