import { Text } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { nice, ticks } from 'd3-array'
import { type KeyboardEvent, lazy, type MouseEvent, type ReactNode, Suspense, useId, useState } from 'react'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import { Failure } from '../Failure.tsx'
import { useIsBesidePanel } from '../hooks/usePanel.ts'
import states from '../states.module.css'
import { useZone } from '../zone.ts'
import { ChartToggle } from './ChartToggle.tsx'
import styles from './charts.module.css'
import { Legend } from './Legend.tsx'
import { Patterns, StackedBars, TimeLines } from './marks.tsx'
import { type Bucket, type ChartQuery, type FormatValue, maxValue, type Series } from './series.ts'
import { type BucketUnit, useBucketLabels } from './useBucketLabels.ts'

const ChartTable = lazy(() => import('./ChartTable.tsx').then(({ ChartTable }) => ({ default: ChartTable })))

const tickCount = 3
/** Height in pixels of the labels below the plot. */
const axisHeight = 20
/** Space above the highest point of a line, for its dot. */
const headroom = 1.08

/**
 * Chart of values over time, as stacked bars or as lines. The arrow keys move between the buckets, Enter selects one, and
 * "Show as table" shows the values as a table. Patterns and dashes distinguish the series without colors. In a narrow
 * column beside a panel only the title is shown, until the person unfolds the chart.
 */
export const TimeChart = <Row extends Bucket>({
  title: name,
  range,
  rows,
  query,
  series,
  by,
  kind = 'bars',
  height = 160,
  format,
  ticksOf = max => ticks(...nice(0, max, tickCount), tickCount),
  onSelect,
  isCounted,
  actions,
}: {
  /** Accessible name, also the visible heading. */
  title: string
  /** Time that the chart counts, after the title. A folded chart shows no time: the filter above it does. */
  range?: string
  /** Buckets, oldest first. Undefined while they are loaded, or if the request failed. */
  rows: readonly Row[] | undefined
  /** Request of the rows. If it failed, its error takes the place of the plot. */
  query?: ChartQuery
  series: readonly Series<Row>[]
  by: BucketUnit
  kind?: 'bars' | 'lines'
  /** Height of the plot in pixels. */
  height?: number
  format?: FormatValue
  /**
   * Returns the values of the grid lines from 0 to about `max`. Defaults to round numbers, up to the first that is not
   * below `max`.
   */
  ticksOf?: (max: number) => number[]
  /** Called when a bucket is clicked, for example to filter a list. */
  onSelect?: (row: Row) => void
  /** Returns false for a bucket that only shows the time around the chosen one. It is pale, and no total has it. */
  isCounted?: (row: Row) => boolean
  actions?: ReactNode
}) => {
  const t = useTranslate()
  const number = useNumbers()
  const title = range === undefined ? name : t('chart.titleOver', { title: name, range })
  const show = format ?? ((value: number) => number(value))
  const labels = useBucketLabels(by)
  const saysUtc = useZone() !== 'UTC' && by === 'day'
  const { ref, width } = useElementSize()
  const patternId = useId()
  const [current, setCurrent] = useState<number | null>(null)
  const [isTable, setIsTable] = useState(false)
  const isFoldable = useIsBesidePanel()
  const [isUnfolded, setIsUnfolded] = useState(false)
  const isFolded = isFoldable && !isUnfolded
  const all = rows ?? []
  const failed = rows === undefined && query?.error ? query : undefined
  const yTicks = ticksOf(Math.max(maxValue(all, series, kind === 'bars'), 1)).filter(
    (tick, index, ticks) =>
      (format !== undefined || Number.isInteger(tick)) && (index === 0 || show(tick) !== show(ticks[index - 1]!)),
  )
  const highest = maxValue(all, series, kind === 'bars') * (kind === 'lines' ? headroom : 1)
  const max = Math.max(highest, yTicks.at(-1) ?? 1, 1)
  const isEmpty =
    kind === 'bars'
      ? maxValue(all, series, true) === 0
      : all.every(row => series.every(({ value }) => value(row) === null))
  const currentRow = current === null ? undefined : all[current]
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -all.length, End: all.length }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setCurrent(before => Math.min(Math.max((before ?? (step > 0 ? -1 : all.length)) + step, 0), all.length - 1))
    } else if (event.key === 'Enter') {
      // Otherwise the list below the chart opens its current row.
      event.stopPropagation()
      if (currentRow) onSelect?.(currentRow)
    }
  }
  const indexAt = ({ clientX, currentTarget }: MouseEvent<HTMLElement>) =>
    Math.min(
      Math.max(Math.floor(((clientX - currentTarget.getBoundingClientRect().left) / width) * all.length), 0),
      all.length - 1,
    )
  const shape = { rows: all, series, width, height, max, patternId }
  return (
    <figure className={styles.chart} aria-label={title} data-folded={isFolded || undefined}>
      {/* Outside of the plot, which the table or an error hides. Patterns that are not rendered paint nothing. */}
      <svg width={0} height={0} className={styles.svg} aria-hidden="true">
        <Patterns id={patternId} series={series} />
      </svg>
      <figcaption className={styles.head}>
        <Text size="sm" fw={500}>
          {isFolded ? name : title}
        </Text>
        {!isFolded && (
          <Legend
            series={series}
            rows={rows}
            isCounted={isCounted}
            show={kind === 'bars' ? show : undefined}
            patternId={patternId}
            note={saysUtc ? t('chart.utcDays') : undefined}
          />
        )}
        <div className={styles.actions}>
          {actions && <div className={styles.extra}>{actions}</div>}
          {isFoldable ? (
            <ChartToggle
              title={title}
              text={isUnfolded ? 'chart.hide' : 'chart.show'}
              onClick={() => setIsUnfolded(!isUnfolded)}
            />
          ) : (
            <ChartToggle
              title={title}
              text={isTable ? 'chart.hideTable' : 'chart.showTable'}
              onClick={() => setIsTable(!isTable)}
            />
          )}
        </div>
      </figcaption>
      {failed && !isFolded && (
        <div className={states.failedChart} style={{ height: height + axisHeight }}>
          <Failure error={failed.error} retry={() => void failed.refetch()} />
        </div>
      )}
      {isTable && !failed && !isFolded && (
        <Suspense>
          <ChartTable
            title={title}
            heads={series}
            rows={rows?.map(row => ({ at: row.at, values: series.map(({ value }) => value(row)) }))}
            label={labels.full}
            show={show}
          />
        </Suspense>
      )}
      <div className={styles.plot} hidden={isTable || isFolded || failed !== undefined}>
        <div className={styles.yAxis} aria-hidden="true" style={{ height }}>
          {!isEmpty &&
            yTicks.map(tick => (
              <span key={tick} style={{ bottom: `${(tick / max) * 100}%` }}>
                {show(tick)}
              </span>
            ))}
        </div>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has form semantics. */}
        <div
          ref={ref}
          className={styles.area}
          style={{ height }}
          role="group"
          aria-label={t('chart.keys', { title })}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys read the buckets.
          tabIndex={0}
          data-selectable={onSelect !== undefined || undefined}
          onKeyDown={onKeyDown}
          onBlur={() => setCurrent(null)}
          onMouseLeave={() => setCurrent(null)}
          onMouseMove={event => setCurrent(indexAt(event))}
          // A tap has no move before it, and a quick click comes before the render of the move.
          onClick={event => {
            const row = all[indexAt(event)]
            if (row) onSelect?.(row)
          }}
        >
          {!isEmpty &&
            yTicks.map(tick => (
              <span key={tick} className={styles.gridLine} style={{ bottom: `${(tick / max) * 100}%` }} />
            ))}
          {width > 0 && (
            <svg width={width} height={height} aria-hidden="true" className={styles.svg}>
              {currentRow && (
                <rect
                  className={styles.cursor}
                  x={(current! * width) / all.length}
                  width={width / all.length}
                  height={height}
                />
              )}
              {kind === 'bars' ? <StackedBars {...shape} /> : <TimeLines {...shape} />}
              {isCounted &&
                all.map(
                  (row, index) =>
                    !isCounted(row) && (
                      <rect
                        key={row.at}
                        className={styles.uncounted}
                        x={(index * width) / all.length}
                        width={width / all.length}
                        height={height}
                      />
                    ),
                )}
            </svg>
          )}
          {rows && isEmpty && <span className={styles.empty}>{t('chart.empty')}</span>}
          <div
            className={styles.tooltip}
            role="status"
            style={{ [current !== null && current > all.length / 2 ? 'right' : 'left']: tooltipOffset(current, all) }}
          >
            {currentRow && (
              <>
                <strong>{labels.full(currentRow.at)}</strong>
                {series.map(one => {
                  const value = one.value(currentRow)
                  return (
                    <span key={one.key}>
                      {one.label}: {value === null ? t('chart.none') : show(value)}
                    </span>
                  )
                })}
              </>
            )}
          </div>
        </div>
        <div className={styles.xAxis} aria-hidden="true">
          {labels.axis(all, width).map(({ index, text, center }) => (
            <span key={index} style={{ left: center }}>
              {text}
            </span>
          ))}
        </div>
      </div>
    </figure>
  )
}

/** Distance from the edge that is farther from the cursor, so that the tooltip does not cover the bucket. */
const tooltipOffset = (current: number | null, { length }: readonly unknown[]): string => {
  if (current === null) return '0'
  const share = current > length / 2 ? (length - current) / length : (current + 1) / length
  return `calc(${share * 100}% + 8px)`
}
