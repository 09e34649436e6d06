/** Export of the shown rows as a CSV file, made in the browser. */
import type { Column } from './columns.ts'

/** A spreadsheet runs text that begins with one of these as a formula. */
const formulaPattern = /^[=+\-@\t\r]/

const toCell = (value: string | number | boolean | null | undefined): string => {
  if (typeof value !== 'string') return value === null || value === undefined ? '' : String(value)
  const isPhone = /^\+\d+$/.test(value)
  const safeText = formulaPattern.test(value) && !isPhone ? `'${value}` : value
  // Some spreadsheets also separate cells by semicolons.
  return /[",;\r\n]/.test(safeText) ? `"${safeText.replaceAll('"', '""')}"` : safeText
}

/** Returns CSV with a header line (RFC 4180). Columns without a plain value are omitted. */
export const toCsv = <Row>(columns: Column<Row>[], rows: Row[]): string => {
  const exported = columns.filter(({ value }) => value)
  return [
    exported.map(({ title }) => toCell(title)),
    ...rows.map(row => exported.map(({ value }) => toCell(value!(row)))),
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
