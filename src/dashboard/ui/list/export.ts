/** Export of a list as a CSV file, made in the browser. */
import type { CursorPage } from '../../api/pages.ts'
import type { Column } from './columns.ts'

/** Maximum number of rows of a file. */
export const maxExportedRows = 10_000
/** Maximum number of pages read for a file. With a rare filter, pages can be short or empty. */
const maxExportedPages = 500

/** Reads a page of a list. Without a cursor, it reads the first page. */
export type ReadPage<Row> = (cursor: string | null, signal: AbortSignal) => Promise<CursorPage<Row>>

/** Reads the rows of all pages up to the limits. `isCut` tells that the list may have more rows. */
export const readAllRows = async <Row>(
  readPage: ReadPage<Row>,
  signal: AbortSignal,
  onProgress: (count: number) => void,
): Promise<{ rows: Row[]; isCut: boolean }> => {
  const rows: Row[] = []
  let cursor: string | null = null
  for (let pages = 0; pages < maxExportedPages && rows.length < maxExportedRows; pages++) {
    const page: CursorPage<Row> = await readPage(cursor, signal)
    rows.push(...page.data)
    onProgress(Math.min(rows.length, maxExportedRows))
    cursor = page.nextCursor ?? null
    if (cursor === null) break
  }
  return { rows: rows.slice(0, maxExportedRows), isCut: cursor !== null || rows.length > maxExportedRows }
}

/**
 * Reads values of the exported rows that the list does not have, such as statistics. Returns them by the key of their
 * column.
 */
export type ReadValues<Row> = (
  rows: Row[],
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
) => Promise<Readonly<Record<string, NonNullable<Column<Row>['exportValue']>>>>

/** Returns the columns with the values that were read for an export. */
export const withValues = <Row>(columns: Column<Row>[], values: Awaited<ReturnType<ReadValues<Row>>>): Column<Row>[] =>
  columns.map(column => {
    const value = values[column.key]
    return value ? { ...column, value, exportValue: value } : column
  })

/** A spreadsheet runs text that begins with one of these as a formula. */
const formulaPattern = /^[=+\-@\t\r]/

const toCell = (value: string | number | boolean | null | undefined): string => {
  if (typeof value !== 'string') return value === null || value === undefined ? '' : String(value)
  const isPhone = /^\+\d+$/.test(value)
  const safeText = formulaPattern.test(value) && !isPhone ? `'${value}` : value
  // Some spreadsheets also separate cells by semicolons.
  return /[",;\r\n]/.test(safeText) ? `"${safeText.replaceAll('"', '""')}"` : safeText
}

/** Returns the different customers of the rows. */
export const customersIn = <Row>(columns: Column<Row>[], rows: Row[]): string[] => [
  ...new Set(columns.flatMap(({ customerId }) => (customerId ? rows.map(customerId) : [])).filter(id => id !== null)),
]

/** Puts a column with the name of the customer before each column with the ID. */
export const withNames = <Row>(
  columns: Column<Row>[],
  names: ReadonlyMap<string, string>,
  title: string,
): Column<Row>[] =>
  columns.flatMap(column => {
    const { customerId } = column
    if (!customerId) return [column]
    const value = (row: Row) => names.get(customerId(row) ?? '')
    return [{ key: `${column.key}-name`, title, cell: value, value }, column]
  })

/** Returns CSV with a header line (RFC 4180). Columns without a value are omitted. */
export const toCsv = <Row>(columns: Column<Row>[], rows: Row[]): string => {
  const exported = columns.filter(({ value, exportValue }) => exportValue ?? value)
  return [
    exported.map(({ title }) => toCell(title)),
    ...rows.map(row => exported.map(({ value, exportValue }) => toCell((exportValue ?? value!)(row)))),
  ]
    .map(cells => `${cells.join(',')}\r\n`)
    .join('')
}

/** Saves CSV as a file. The byte order mark makes spreadsheets read it as UTF-8. */
export const downloadCsv = (name: string, csv: string): void => {
  const url = URL.createObjectURL(new Blob(['\uFEFF', csv], { type: 'text/csv;charset=utf-8' }))
  const link = Object.assign(document.createElement('a'), { href: url, download: `${name}.csv` })
  link.click()
  URL.revokeObjectURL(url)
}
