/** Columns of a list, and which of them fit into its width. */
import { type ReactNode, type RefCallback, useCallback, useState } from 'react'

export interface Column<Row> {
  /** Unique within the list. */
  key: string
  title: string
  cell: (row: Row) => ReactNode
  /** Width as in `grid-template-columns`. Defaults to 1fr. */
  width?: string
  /** The title is only for screen readers. */
  hidesTitle?: true
  /** Numbers are aligned to the right. */
  align?: 'right'
  /**
   * Position in a two-line row on a phone: `title` and `aside` above `below` and `end`, and `lead` before both lines.
   * Other columns are hidden. If the columns do not fit on a wider screen, those others are hidden too, starting from
   * the right.
   */
  phone?: 'lead' | 'title' | 'aside' | 'below' | 'end'
  /** Content in a two-line row, which has no column header. */
  phoneCell?: (row: Row) => ReactNode
  /** Title and content if the optional columns are hidden. */
  withoutWide?: Pick<Column<Row>, 'title' | 'cell'>
  /** Column that is never hidden on a wider screen, such as the actions. */
  keep?: true
  /** Column that only an export has. */
  exportOnly?: boolean
  /** Optional column, hidden if the list is narrower than a full screen. */
  wide?: true
  /** Plain value of the cell: it makes a complete list sortable by the column, and is written to an export. */
  value?: (row: Row) => string | number | boolean | null | undefined
  /** Value in an export. Defaults to the plain value. */
  exportValue?: (row: Row) => string | number | null | undefined
  /** Returns the ID of a customer. An export gets a column with the customer's name before this column. */
  customerId?: (row: Row) => string | null
}

const wideMinWidth = 960
const columnGap = 16
const rowPadding = 48

/** Width in pixels to which a flexible column shrinks before it is omitted. */
const squeezedWidth = 64

/** Returns the minimum width of a row in pixels. */
export const requiredWidth = <Row>(columns: Column<Row>[]): number =>
  columns.reduce(
    (total, { width }) => total + Number(/(\d+)px/.exec(width ?? '')?.[1] ?? 0) + columnGap,
    rowPadding - columnGap,
  )

/** Returns the column with a lower minimum width, if it is flexible. The title keeps its width. */
export const squeeze = <Row>(column: Column<Row>): Column<Row> =>
  column.phone === 'title' || !column.width
    ? column
    : { ...column, width: column.width.replace(/minmax\(\d+px/, `minmax(${squeezedWidth}px`) }

/** Omits columns from the right until a row fits, and then those below the title if squeezed columns do not fit. */
export const fitColumns = <Row>(columns: Column<Row>[], width: number): Column<Row>[] => {
  let fittingColumns =
    width >= wideMinWidth
      ? columns
      : columns.filter(({ wide }) => !wide).map(column => ({ ...column, ...column.withoutWide }))
  while (requiredWidth(fittingColumns) > width) {
    const index = fittingColumns.findLastIndex(column => !column.phone && !column.keep)
    if (index === -1) break
    fittingColumns = fittingColumns.toSpliced(index, 1)
  }
  return requiredWidth(fittingColumns.map(squeeze)) > width
    ? fittingColumns.filter(({ phone }) => phone !== 'below')
    : fittingColumns
}

/**
 * Returns the first folded layout that fits, or the last one if none fits. Returns undefined if all columns fit. Optional
 * columns are not counted.
 */
export const chooseFolded = <Row>(
  columns: Column<Row>[],
  layouts: Column<Row>[][] | undefined,
  width: number,
): Column<Row>[] | undefined =>
  requiredWidth(columns.filter(({ wide }) => !wide)) <= width
    ? undefined
    : (layouts?.find(layout => requiredWidth(layout) <= width) ?? layouts?.at(-1))

/** Returns the width of an element, measured before it is painted. Infinity if it was not measured. */
export const useWidth = (): [RefCallback<HTMLElement>, number] => {
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
