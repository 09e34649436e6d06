// biome-ignore-all lint/a11y/useSemanticElements: browsers remove the semantics of table elements with a grid layout.
import { Button, Checkbox } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type ReactNode, useRef } from 'react'
import type { Rows } from '../../api/pages.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../Failure.tsx'
import { usePhone } from '../hooks/usePhone.ts'
import { useWhenIdle } from '../hooks/whenIdle.ts'
import ui from '../ui.module.css'
import { type BulkAction, useBulkActions } from './BulkActions.tsx'
import { type Column, chooseFolded, fitColumns, requiredWidth, squeeze, useWidth } from './columns.ts'
import type { ReadPage, ReadValues } from './export.ts'
import { Head } from './Head.tsx'
import styles from './list.module.css'
import { Skeletons, skeletonRows } from './Skeletons.tsx'
import type { TextOrder, TimeOrder } from './sort.ts'
import { ListFooter, SelectionBar } from './Toolbar.tsx'
import { useTable } from './table.ts'
import { useExport } from './useExport.ts'
import { firstRowIndex, useKeyboard } from './useKeyboard.ts'
import { type Live, useLiveRows } from './useLiveRows.ts'
import { useStableScroll } from './useStableScroll.ts'

export type { Column } from './columns.ts'
export type { Live } from './useLiveRows.ts'

/** List width in pixels below which rows have two lines. */
const oneLineMinWidth = 400
const rowHeight = 36
/** Heights of a row whose title column has two lines, and four if columns are folded into it. */
const [twoLinesHeight, foldedRowHeight] = [48, 76]
const defaultPhoneRowHeight = 60
const overscanRows = 12
/** Width of the checkbox and the space after it in pixels. */
const checkboxSpace = 32

/**
 * Layout of all lists: rows of equal height with cursor pagination. Only the rows in view are rendered. A row opens its
 * record. The j and k keys move between rows, and the open record follows; x selects a row. The API sorts by time, and a
 * complete list can be sorted by columns with a plain value.
 */
export const List = <Row,>({
  title,
  columns: allColumns,
  foldedLayouts,
  phoneRowHeight = defaultPhoneRowHeight,
  rows: { rows: loadedRows, failure, retry, loadMore: more, loadingMore },
  getId,
  selected,
  open,
  empty,
  live,
  narrow = false,
  selection,
  exportName,
  readPage,
  readValues,
  order,
  textOrder,
}: {
  title: string
  columns: Column<Row>[]
  /** Columns of a list that is too narrow for all of them, widest layout first. The title column has several lines. */
  foldedLayouts?: Column<Row>[][]
  /** Height in pixels of a row on a phone. Defaults to that of two lines. */
  phoneRowHeight?: number
  rows: Rows<Row>
  getId: (row: Row) => string
  selected?: string | undefined
  open?: (row: Row) => void
  empty: ReactNode
  live?: Live
  /** List in a narrow column. Its rows always have two lines, as on a phone. */
  narrow?: boolean
  /**
   * Adds checkboxes. Returns the actions for the selected rows. A narrow list shows the checkboxes on its leading column,
   * and the actions below the rows, so that no row moves. On a phone a button below the rows shows the checkboxes.
   */
  selection?: ((rows: Row[]) => BulkAction[]) | undefined
  /** Offers an export as a CSV file with this name. */
  exportName?: string
  /** Exports all pages of the list, not only the shown rows. */
  readPage?: ReadPage<Row>
  /** Reads values of further rows for an export. */
  readValues?: ReadValues<Row>
  /** Order of the API, changed by the header of its column. */
  order?: TimeOrder | undefined
  /** Another order of the API, changed by the header of its column. */
  textOrder?: TextOrder
}) => {
  const t = useTranslate()
  const scroller = useRef<HTMLDivElement>(null)
  const [frame, width] = useWidth()
  const columns = allColumns.filter(({ exportOnly }) => !exportOnly)
  const hasPhoneRoles = columns.some(column => column.phone === 'title')
  const isPhone = usePhone()
  const phone = isPhone || narrow || (width < oneLineMinWidth && hasPhoneRoles)
  const columnsWidth = width - (selection ? checkboxSpace : 0)
  const foldedColumns = chooseFolded(columns, foldedLayouts, columnsWidth)
  const fittingColumns = hasPhoneRoles ? fitColumns(foldedColumns ?? columns, columnsWidth) : columns
  const isTight = !phone && hasPhoneRoles
  const height = phone ? phoneRowHeight : foldedColumns ? foldedRowHeight : foldedLayouts ? twoLinesHeight : rowHeight
  const table = useTable({
    columns,
    rows: loadedRows,
    getId,
    isComplete: loadedRows !== undefined && more === null,
    order,
    textOrder,
  })
  const bulk = useBulkActions(table.clearSelection)
  const rows = table.sortedRows
  const selectable = selection !== undefined && (!phone || narrow || table.isSelecting)
  // Rows outside the view are rendered after the visible rows are painted.
  const overscan = useWhenIdle(rows !== undefined) ? overscanRows : 1
  const list = useVirtualizer({
    count: rows?.length ?? 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    // The head is above the rows in the same scroll area. One pixel more, because heights are rounded.
    scrollPaddingEnd: (phone ? 0 : rowHeight) + 1,
    overscan,
  })
  useStableScroll(list, scroller, height, selected, id => rows?.findIndex(row => getId(row) === id) ?? -1)
  const { newCount, refresh } = useLiveRows(live, scroller, height, order?.sort === 'oldest')
  const exporting = useExport({
    name: exportName,
    columns: allColumns,
    rows,
    readPage: more === null ? undefined : readPage,
    readValues,
  })
  const toggle = (row: Row) => table.setSelected(getId(row), !table.isSelected(getId(row)))
  const { current, setCurrent, isKeyboardUsed } = useKeyboard({
    rows,
    getId,
    selected,
    open,
    scroller,
    scrollTo: index => list.scrollToIndex(index),
    toggle: selectable ? toggle : undefined,
  })

  const sortBy = (key: string) => {
    scroller.current?.scrollTo({ top: 0 })
    table.sortBy(key)
  }

  if ((failure && !rows) || rows?.length === 0)
    return (
      <>
        <div className={ui.body} data-narrow={narrow || undefined}>
          {rows ? empty : <Failure error={failure} retry={retry} what={title} />}
        </div>
        {bulk.dialog}
      </>
    )

  const isSqueezed = isTight && requiredWidth(fittingColumns) > columnsWidth
  const shownColumns = phone
    ? columns.filter(column => column.phone)
    : isSqueezed
      ? fittingColumns.map(squeeze)
      : fittingColumns
  const widths = [...(selectable ? ['16px'] : []), ...shownColumns.map(({ width = '1fr' }) => width)]
  const template: CSSProperties | undefined = phone ? undefined : { gridTemplateColumns: widths.join(' ') }
  const selectedRows = selectable ? table.selectedRows : []
  const selectionBar = selectable && (selectedRows.length > 0 || table.isSelecting) && (
    <SelectionBar
      count={selectedRows.length}
      // Rows with two lines have no header with this checkbox.
      selectAll={phone ? () => table.setAllSelected(true) : undefined}
      isAllSelected={table.isAllSelected}
      clear={table.clearSelection}
    >
      {selectedRows.length > 0 && bulk.buttons(selection(selectedRows))}
    </SelectionBar>
  )
  return (
    <>
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
        {!phone && selectionBar}
        <section
          className={styles.list}
          ref={scroller}
          aria-label={title}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by the keyboard.
          tabIndex={0}
          onScroll={event => {
            if (newCount > 0 && event.currentTarget.scrollTop <= height) refresh()
          }}
          data-two-lines={phone || undefined}
          data-tight={isTight || undefined}
          data-keys={isKeyboardUsed || undefined}
          data-selecting={selectionBar ? true : undefined}
        >
          <div role="table" aria-label={title} aria-busy={!rows} aria-rowcount={rows ? rows.length + 1 : -1}>
            <Head columns={shownColumns} table={table} sortBy={sortBy} selectable={selectable} template={template} />
            <div
              role="rowgroup"
              style={{ height: rows ? list.getTotalSize() : skeletonRows * height, position: 'relative' }}
            >
              {!rows && (
                <Skeletons columns={shownColumns} style={{ ...template, height }} selectable={selectable && !phone} />
              )}
              {rows &&
                list.getVirtualItems().map(item => {
                  const row = rows[item.index]!
                  const id = getId(row)
                  return (
                    // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys of the current row.
                    <div
                      role="row"
                      tabIndex={-1}
                      key={id}
                      aria-rowindex={item.index + firstRowIndex}
                      aria-selected={selectable ? table.isSelected(id) : undefined}
                      className={styles.row}
                      data-selected={id === selected || undefined}
                      data-checked={(selectable && table.isSelected(id)) || undefined}
                      data-current={(selected === undefined && item.index === current) || undefined}
                      data-opens={open !== undefined || undefined}
                      style={{ ...template, height, transform: `translateY(${item.start}px)` }}
                      data-placed
                      onClick={event => {
                        const target = event.target as Element
                        // React also passes events of dialogs and menus that a cell has opened.
                        if (!event.currentTarget.contains(target)) return
                        setCurrent(item.index)
                        if (target.closest('a, button, input, label')) return
                        // The whole cell of the checkbox selects, because a small box is easily missed.
                        if (target.closest(`.${styles.select}`)) return toggle(row)
                        if (document.getSelection()?.toString()) return
                        open?.(row)
                      }}
                    >
                      {selectable && (
                        <div role="cell" className={styles.select}>
                          <Checkbox
                            size="xs"
                            aria-label={t('list.select', { row: item.index + 1 })}
                            checked={table.isSelected(id)}
                            onChange={event => table.setSelected(id, event.currentTarget.checked)}
                          />
                        </div>
                      )}
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
              {failure ? <Failure error={failure} retry={retry} what={title} /> : null}
              {more && (
                <Button variant="default" loading={loadingMore} onClick={more}>
                  {t('list.more')}
                </Button>
              )}
            </div>
          )}
        </section>
        {phone && selectionBar}
        {rows && !(phone && selectionBar) && (
          <ListFooter
            count={rows.length}
            loadMore={more}
            exporting={exporting}
            select={isPhone && selection ? table.startSelection : null}
            order={
              order && (phone || shownColumns.every(({ key }) => key !== order.column))
                ? { sort: order.sort, toggle: () => sortBy(order.column) }
                : null
            }
            sortsWhenComplete={!phone && shownColumns.some(({ key, value }) => value && key !== order?.column)}
            isByTime={order !== undefined}
          />
        )}
      </div>
      {bulk.dialog}
    </>
  )
}
