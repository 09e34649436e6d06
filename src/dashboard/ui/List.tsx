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
  /** Unique in its list. */
  key: string
  title: string
  cell: (row: Row) => ReactNode
  /** As in `grid-template-columns`; 1fr where nothing is said. */
  width?: string
  /** Figures stand right, under one another. */
  align?: 'right'
  /**
   * On a phone a row is two lines, `title` and `aside` above `below` and `end`; others are left out. Where all of them need
   * more room than there is, those others are left out too, from the right, until the rest fits.
   */
  phone?: 'title' | 'aside' | 'below' | 'end'
  /** As it is said in a row of two lines, where no head stands above. */
  phoneCell?: (row: Row) => ReactNode
  /** What the list is understood without: left out where the list has not the width of a whole screen. */
  wide?: true
}

/** New rows come in by themselves at the top, and under a bar that counts them once somebody has scrolled. */
export interface Live {
  kinds: readonly LiveKind[]
  /** Asks for the rows anew. */
  refresh: () => void
  /** Whether the list would show it; all of its kinds where nothing is said. */
  matters?: (news: News) => boolean
}

/** Below these a list shows no columns that are `wide`, and rows of two lines. */
const roomForWide = 960
const roomForLines = 400
const gapOfColumns = 16
const paddingOfRow = 48

const wideRow = 36
const phoneRow = 60
const skeletonRows = 12
const rowsBeyondView = 12

/**
 * The one layout of lists: rows of one height, of which only those in view are drawn; more by cursor. A row opens what it
 * is about; j and k move from one to the next, and what is opened moves along.
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
  /** A list in a column: its rows are two lines on every screen, as they are on a phone. */
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
  // What nobody sees yet waits until what they came for is painted.
  const overscan = useWhenIdle(rows !== undefined) ? rowsBeyondView : 1
  const list = useVirtualizer({
    count: rows?.length ?? 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan,
  })
  const heightBefore = useRef(height)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height is what is measured anew.
  useEffect(() => {
    list.measure()
    // The same row stays the first that is seen.
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
    // What is open may have left the list: the one after it stands in its place now.
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
    // They have an Enter of their own.
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
                // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same.
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

/** How wide a row is at least. */
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

/** How wide an element is, known before it is painted; without an end where nothing was measured. */
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
