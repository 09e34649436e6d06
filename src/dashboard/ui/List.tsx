import { Button } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, type RefCallback, useCallback, useEffect, useRef, useState } from 'react'
import type { LiveKind, News } from '../api/live.ts'
import type { Rows } from '../api/pages.ts'
import { useLive, useThrottled } from '../api/useLive.ts'
import { useTexts } from '../texts/index.tsx'
import { Failure } from './Failure.tsx'
import styles from './ui.module.css'
import { usePhone } from './usePhone.ts'
import { useWhenIdle } from './whenIdle.ts'

export interface Column<Row> {
  /** Unique within the list. */
  key: string
  title: string
  cell: (row: Row) => ReactNode
  /** As in `grid-template-columns`. Defaults to 1fr. */
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
  matters?: (news: News) => boolean
}

/** List widths in pixels below which `wide` columns are hidden and rows have two lines. */
const roomForWide = 960
const roomForLines = 400
const gapOfColumns = 16
const paddingOfRow = 48

const wideRow = 36
const phoneRow = 60
const skeletonRows = 12
const rowsBeyondView = 12

/**
 * Layout of all lists: rows of equal height with cursor pagination. Only the rows in view are rendered. A row opens its
 * record. The j and k keys move between rows, and the open record follows.
 */
export const List = <Row,>({
  title,
  columns,
  rows: { rows, failure, retry, more, loadingMore },
  idOf,
  selected,
  open,
  empty,
  live,
  narrow = false,
}: {
  title: string
  columns: Column<Row>[]
  rows: Rows<Row>
  idOf: (row: Row) => string
  selected?: string | undefined
  open?: (row: Row) => void
  empty: ReactNode
  live?: Live
  /** List in a narrow column. Its rows always have two lines, as on a phone. */
  narrow?: boolean
}) => {
  const say = useTexts()
  const scroller = useRef<HTMLDivElement>(null)
  const [frame, width] = useWidth()
  const someRoles = columns.some(column => column.phone === 'title')
  const phone = usePhone() || narrow || (width < roomForLines && someRoles)
  const fitting = someRoles ? fittingIn(columns, width) : columns
  const tight = !phone && someRoles
  const [current, setCurrent] = useState(0)
  const [byKeys, setByKeys] = useState(false)
  const height = phone ? phoneRow : wideRow
  // Rows outside the view are rendered after the visible rows are painted.
  const overscan = useWhenIdle(rows !== undefined) ? rowsBeyondView : 1
  const list = useVirtualizer({
    count: rows?.length ?? 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan,
  })
  const heightBefore = useRef(height)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the row height is what changes the measurements.
  useEffect(() => {
    list.measure()
    // Keeps the same row at the top of the view.
    if (scroller.current) scroller.current.scrollTop *= height / heightBefore.current
    heightBefore.current = height
  }, [height])

  const [unseen, setUnseen] = useState(0)
  const showNews = useThrottled(() => {
    setUnseen(0)
    live?.refresh()
  })
  useLive(live?.kinds ?? [], news => {
    if (live?.matters && news.id !== '' && !live.matters(news)) return
    if ((scroller.current?.scrollTop ?? 0) > height) setUnseen(count => count + 1)
    else showNews()
  })

  const move = (by: number) => {
    if (!rows || rows.length === 0) return
    const at = selected === undefined ? current : rows.findIndex(row => idOf(row) === selected)
    // The open record may have left the list. The next record is now at its position.
    const from = at === -1 ? Math.max(by > 0 ? current - 1 : current, -1) : at
    const next = Math.min(Math.max(from + by, 0), rows.length - 1)
    setCurrent(next)
    setByKeys(true)
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
        {rows ? empty : <Failure of={failure} retry={retry} />}
      </div>
    )

  const shown = phone ? columns.filter(column => column.phone) : fitting
  const squeezed = tight && roomOf(fitting) > width
  const widthOf = ({ width = '1fr', phone }: Column<Row>) =>
    squeezed && phone !== 'title' ? width.replace(/minmax\(\d+px/, 'minmax(0') : width
  const template = phone ? undefined : { gridTemplateColumns: shown.map(widthOf).join(' ') }
  const drawn = list.getVirtualItems()
  return (
    <div className={styles.listFrame} ref={frame}>
      {unseen > 0 && (
        <Button
          className={styles.news}
          onClick={() => {
            scroller.current?.scrollTo({ top: 0 })
            showNews()
          }}
        >
          {say('list.new', { count: unseen })}
        </Button>
      )}
      <div
        className={styles.list}
        ref={scroller}
        tabIndex={0}
        onScroll={event => {
          if (unseen > 0 && event.currentTarget.scrollTop <= height) showNews()
        }}
        data-two-lines={phone || undefined}
        data-tight={tight || undefined}
        data-keys={byKeys || undefined}
      >
        <div role="table" aria-label={title} aria-busy={!rows} aria-rowcount={rows ? rows.length + 1 : -1}>
          <div role="rowgroup" className={styles.listHead}>
            <div role="row" className={styles.row} style={template}>
              {shown.map(column => (
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
                  {shown.map(column => (
                    <div role="cell" key={column.key} className={styles.bone} />
                  ))}
                </div>
              ))}
            {rows &&
              drawn.map(item => {
                const row = rows[item.index]!
                const id = idOf(row)
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
                    {shown.map(column => (
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
            {failure ? <Failure of={failure} retry={retry} /> : null}
            {more && (
              <Button variant="default" loading={loadingMore} onClick={more}>
                {say('list.more')}
              </Button>
            )}
          </div>
        )}
      </div>
    </div>
  )
}

/** Returns the minimum width of a row in pixels. */
const roomOf = <Row,>(columns: Column<Row>[]): number =>
  columns.reduce(
    (room, { width }) => room + Number(/(\d+)px/.exec(width ?? '')?.[1] ?? 0) + gapOfColumns,
    paddingOfRow - gapOfColumns,
  )

const fittingIn = <Row,>(columns: Column<Row>[], width: number): Column<Row>[] => {
  let fitting = columns.filter(column => !column.wide || width >= roomForWide)
  while (roomOf(fitting) > width) {
    const least = fitting.findLastIndex(column => !column.phone)
    if (least === -1) break
    fitting = fitting.toSpliced(least, 1)
  }
  return fitting
}

/** Returns the width of an element, measured before it is painted. Infinity if it was not measured. */
const useWidth = (): [RefCallback<HTMLElement>, number] => {
  const [width, setWidth] = useState(Number.POSITIVE_INFINITY)
  const measured = useCallback((element: HTMLElement | null) => {
    if (!element) return
    const measure = () => setWidth(element.clientWidth)
    const watch = new ResizeObserver(measure)
    watch.observe(element)
    measure()
    return () => watch.disconnect()
  }, [])
  return [measured, width]
}
