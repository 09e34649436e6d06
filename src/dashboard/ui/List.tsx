import { Button } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, type RefCallback, useCallback, useEffect, useRef, useState } from 'react'
import type { LiveKind, LiveMessage } from '../api/live.ts'
import type { Rows } from '../api/pages.ts'
import { useLive, useThrottled } from '../api/useLive.ts'
import { useTranslate } from '../texts/index.tsx'
import { Failure } from './Failure.tsx'
import { usePhone } from './hooks/usePhone.ts'
import { useWhenIdle } from './hooks/whenIdle.ts'
import styles from './ui.module.css'

export interface Column<Row> {
  /** Unique within the list. */
  key: string
  title: string
  cell: (row: Row) => ReactNode
  /** Width as in `grid-template-columns`. Defaults to 1fr. */
  width?: string
  /** Numbers are aligned to the right. */
  align?: 'right'
  /**
   * Position in a two-line row on a phone: `title` and `aside` above `below` and `end`. Other columns are hidden. If
   * the columns do not fit on a wider screen, those others are hidden too, starting from the right.
   */
  phone?: 'title' | 'aside' | 'below' | 'end'
  /** Content in a two-line row, which has no column header. */
  phoneCell?: (row: Row) => ReactNode
  /** Optional column, hidden if the list is narrower than a full screen. */
  wide?: true
}

/** Live updates. New rows appear at the top, or are counted in a bar once the reader has scrolled. */
export interface Live {
  kinds: readonly LiveKind[]
  /** Refetches the rows. */
  refresh: () => void
  /** Returns true if the list would show the record. Defaults to all records of its kinds. */
  isRelevant?: (message: LiveMessage) => boolean
}

/** List widths in pixels below which `wide` columns are hidden and rows have two lines. */
const wideMinWidth = 960
const oneLineMinWidth = 400
const columnGap = 16
const rowPadding = 48

const rowHeight = 36
const phoneRowHeight = 60
const skeletonRows = 12
const overscanRows = 12

/**
 * Layout of all lists: rows of equal height with cursor pagination. Only the rows in view are rendered. A row opens its
 * record. The j and k keys move between rows, and the open record follows.
 */
export const List = <Row,>({
  title,
  columns,
  rows: { rows, failure, retry, loadMore: more, loadingMore },
  getId,
  selected,
  open,
  empty,
  live,
  narrow = false,
}: {
  title: string
  columns: Column<Row>[]
  rows: Rows<Row>
  getId: (row: Row) => string
  selected?: string | undefined
  open?: (row: Row) => void
  empty: ReactNode
  live?: Live
  /** List in a narrow column. Its rows always have two lines, as on a phone. */
  narrow?: boolean
}) => {
  const t = useTranslate()
  const scroller = useRef<HTMLDivElement>(null)
  const [frame, width] = useWidth()
  const hasPhoneRoles = columns.some(column => column.phone === 'title')
  const phone = usePhone() || narrow || (width < oneLineMinWidth && hasPhoneRoles)
  const fittingColumns = hasPhoneRoles ? fitColumns(columns, width) : columns
  const isTight = !phone && hasPhoneRoles
  const [current, setCurrent] = useState(0)
  const [isKeyboardUsed, setIsKeyboardUsed] = useState(false)
  const height = phone ? phoneRowHeight : rowHeight
  // Rows outside the view are rendered after the visible rows are painted.
  const overscan = useWhenIdle(rows !== undefined) ? overscanRows : 1
  const list = useVirtualizer({
    count: rows?.length ?? 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan,
  })
  const previousHeight = useRef(height)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the row height is what changes the measurements.
  useEffect(() => {
    list.measure()
    // Keeps the same row at the top of the view.
    if (scroller.current) scroller.current.scrollTop *= height / previousHeight.current
    previousHeight.current = height
  }, [height])

  const [newCount, setNewCount] = useState(0)
  const refresh = useThrottled(() => {
    setNewCount(0)
    live?.refresh()
  })
  useLive(live?.kinds ?? [], message => {
    if (live?.isRelevant && message.id !== '' && !live.isRelevant(message)) return
    if ((scroller.current?.scrollTop ?? 0) > height) setNewCount(count => count + 1)
    else refresh()
  })

  const move = (by: number) => {
    if (!rows || rows.length === 0) return
    const index = selected === undefined ? current : rows.findIndex(row => getId(row) === selected)
    // The open record may have left the list. The next record is now at its position.
    const from = index === -1 ? Math.max(by > 0 ? current - 1 : current, -1) : index
    const next = Math.min(Math.max(from + by, 0), rows.length - 1)
    setCurrent(next)
    setIsKeyboardUsed(true)
    list.scrollToIndex(next)
    const row = rows[next]
    if (selected !== undefined && row !== undefined) open?.(row)
  }
  useHotkeys([
    ['j', () => move(1)],
    ['k', () => move(-1)],
  ])
  useHotkeys(
    [['Enter', () => rows?.[current] !== undefined && selected === undefined && open?.(rows[current])]],
    // These elements handle Enter themselves.
    ['INPUT', 'TEXTAREA', 'SELECT', 'BUTTON', 'A'],
  )

  if ((failure && !rows) || rows?.length === 0)
    return (
      <div className={styles.body} data-narrow={narrow || undefined}>
        {rows ? empty : <Failure error={failure} retry={retry} />}
      </div>
    )

  const shownColumns = phone ? columns.filter(column => column.phone) : fittingColumns
  const isSqueezed = isTight && requiredWidth(fittingColumns) > width
  const columnWidth = ({ width = '1fr', phone }: Column<Row>) =>
    isSqueezed && phone !== 'title' ? width.replace(/minmax\(\d+px/, 'minmax(0') : width
  const template = phone ? undefined : { gridTemplateColumns: shownColumns.map(columnWidth).join(' ') }
  const items = list.getVirtualItems()
  return (
    <div className={styles.listFrame} ref={frame}>
      {newCount > 0 && (
        <Button
          className={styles.newRows}
          onClick={() => {
            scroller.current?.scrollTo({ top: 0 })
            refresh()
          }}
        >
          {t('list.new', { count: newCount })}
        </Button>
      )}
      <div
        className={styles.list}
        ref={scroller}
        tabIndex={0}
        onScroll={event => {
          if (newCount > 0 && event.currentTarget.scrollTop <= height) refresh()
        }}
        data-two-lines={phone || undefined}
        data-tight={isTight || undefined}
        data-keys={isKeyboardUsed || undefined}
      >
        <div role="table" aria-label={title} aria-busy={!rows} aria-rowcount={rows ? rows.length + 1 : -1}>
          <div role="rowgroup" className={styles.listHead}>
            <div role="row" className={styles.row} style={template}>
              {shownColumns.map(column => (
                <div role="columnheader" key={column.key} data-align={column.align}>
                  {column.title}
                </div>
              ))}
            </div>
          </div>
          <div
            role="rowgroup"
            style={{ height: rows ? list.getTotalSize() : skeletonRows * height, position: 'relative' }}
          >
            {!rows &&
              Array.from({ length: skeletonRows }, (_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the placeholders are identical.
                <div role="row" key={index} className={styles.row} style={template}>
                  {shownColumns.map(column => (
                    <div role="cell" key={column.key} className={styles.skeleton} />
                  ))}
                </div>
              ))}
            {rows &&
              items.map(item => {
                const row = rows[item.index]!
                const id = getId(row)
                return (
                  <div
                    role="row"
                    key={id}
                    aria-rowindex={item.index + 2}
                    className={styles.row}
                    data-selected={id === selected || undefined}
                    data-current={(selected === undefined && item.index === current) || undefined}
                    data-opens={open !== undefined || undefined}
                    style={{
                      ...template,
                      position: 'absolute',
                      top: 0,
                      left: 0,
                      right: 0,
                      height,
                      transform: `translateY(${item.start}px)`,
                    }}
                    onClick={event => {
                      setCurrent(item.index)
                      if ((event.target as Element).closest('a, button, input, label')) return
                      if (document.getSelection()?.toString()) return
                      open?.(row)
                    }}
                  >
                    {shownColumns.map(column => (
                      <div role="cell" key={column.key} data-align={column.align} data-line={column.phone}>
                        {phone && column.phoneCell ? column.phoneCell(row) : column.cell(row)}
                      </div>
                    ))}
                  </div>
                )
              })}
          </div>
        </div>
        {rows && (
          <div className={styles.listEnd}>
            {failure ? <Failure error={failure} retry={retry} /> : null}
            {more && (
              <Button variant="default" loading={loadingMore} onClick={more}>
                {t('list.more')}
              </Button>
            )}
          </div>
        )}
      </div>
    </div>
  )
}

/** Returns the minimum width of a row in pixels. */
const requiredWidth = <Row,>(columns: Column<Row>[]): number =>
  columns.reduce(
    (total, { width }) => total + Number(/(\d+)px/.exec(width ?? '')?.[1] ?? 0) + columnGap,
    rowPadding - columnGap,
  )

const fitColumns = <Row,>(columns: Column<Row>[], width: number): Column<Row>[] => {
  let fittingColumns = columns.filter(column => !column.wide || width >= wideMinWidth)
  while (requiredWidth(fittingColumns) > width) {
    const index = fittingColumns.findLastIndex(column => !column.phone)
    if (index === -1) break
    fittingColumns = fittingColumns.toSpliced(index, 1)
  }
  return fittingColumns
}

/** Returns the width of an element, measured before it is painted. Infinity if it was not measured. */
const useWidth = (): [RefCallback<HTMLElement>, number] => {
  const [width, setWidth] = useState(Number.POSITIVE_INFINITY)
  const measureRef = useCallback((element: HTMLElement | null) => {
    if (!element) return
    const measure = () => setWidth(element.clientWidth)
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [])
  return [measureRef, width]
}
