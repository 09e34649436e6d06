/** Rows of cells as text for a terminal. */

/** Each column as wide as its widest cell. */
export const columns = (rows: string[][]): string => {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map(row => row[column]!.length))) ?? []
  const line = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')
  return rows.map(row => `${line(row).trimEnd()}\n`).join('')
}
