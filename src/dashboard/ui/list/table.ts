/** Order and selection of the rows of a list. */
import {
  getCoreRowModel,
  getSortedRowModel,
  type RowSelectionState,
  type SortingState,
  useReactTable,
} from '@tanstack/react-table'
import { useState } from 'react'
import type { Column } from './columns.ts'
import type { TextOrder, TimeOrder } from './sort.ts'

const noRows: never[] = []

/**
 * Returns the sorted rows and the selected ones. The API applies `order` and `textOrder`. Sorting by any other column needs
 * all rows, so a list with further pages keeps the order of the API. The selection keeps only rows that are still in the list.
 */
export const useTable = <Row>({
  columns,
  rows,
  getId,
  isComplete,
  order,
  textOrder,
}: {
  columns: Column<Row>[]
  rows: Row[] | undefined
  getId: (row: Row) => string
  isComplete: boolean
  order: TimeOrder | undefined
  textOrder: TextOrder | undefined
}) => {
  const [sorting, setSorting] = useState<SortingState>([])
  const [rowSelection, setRowSelection] = useState<RowSelectionState>({})
  const [isSelecting, setIsSelecting] = useState(false)
  const table = useReactTable<Row>({
    data: rows ?? noRows,
    columns: columns.map(({ key, value }) => ({
      id: key,
      // Only undefined values are sorted last. A null is neither before nor after a text.
      accessorFn: row => value?.(row) ?? undefined,
      enableSorting: value !== undefined,
      sortUndefined: 'last',
    })),
    state: { sorting: isComplete ? sorting : [], rowSelection },
    getRowId: getId,
    // A reset renders again, and the rows of a render are a new array: it would never end.
    autoResetAll: false,
    onSortingChange: setSorting,
    onRowSelectionChange: setRowSelection,
    getCoreRowModel: getCoreRowModel(),
    getSortedRowModel: getSortedRowModel(),
  })
  const isSorted = isComplete && sorting.length > 0
  return {
    sortedRows: rows && table.getRowModel().rows.map(({ original }) => original),
    /** Direction by which the list is sorted by a column, or null if it can be but is not. Undefined if it cannot be. */
    directionOf: (key: string): 'asc' | 'desc' | null | undefined => {
      if (key === order?.column) return isSorted ? null : order.sort === 'oldest' ? 'asc' : 'desc'
      if (key === textOrder?.column) return isSorted ? null : textOrder.direction
      const column = table.getColumn(key)
      return isComplete && column?.getCanSort() ? column.getIsSorted() || null : undefined
    },
    sortBy: (key: string) => {
      if (key === textOrder?.column && isSorted) return setSorting([])
      if (key === textOrder?.column) return textOrder.onChange(nextDirection(textOrder.direction))
      if (key !== order?.column) return table.getColumn(key)?.toggleSorting()
      if (isSorted) setSorting([])
      else order.onChange(order.sort === 'oldest' ? undefined : 'oldest')
    },
    selectedRows: table.getSelectedRowModel().rows.map(({ original }) => original),
    isSelected: (id: string) => rowSelection[id] === true,
    setSelected: (id: string, selected: boolean) => setRowSelection(before => ({ ...before, [id]: selected })),
    isAllSelected: table.getIsAllRowsSelected(),
    isSomeSelected: table.getIsSomeRowsSelected(),
    setAllSelected: (selected: boolean) => table.toggleAllRowsSelected(selected),
    /** Whether the person asked for the checkboxes of a list that hides them. */
    isSelecting,
    startSelection: () => setIsSelecting(true),
    clearSelection: () => {
      setRowSelection({})
      setIsSelecting(false)
    },
  }
}

/** Ascending, then descending, then the default order. */
const nextDirection = (direction: TextOrder['direction']): TextOrder['direction'] =>
  direction === null ? 'asc' : direction === 'asc' ? 'desc' : null
