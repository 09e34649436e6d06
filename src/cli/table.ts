/** What is shown on a terminal: rows of cells, and words that somebody else chose. */

/**
 * In one line, and without characters that move the cursor or are not seen: what an owner calls a workspace must not
 * write over what the operator is told of it.
 */
export const shown = (words: string): string =>
  words.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, '\ufffd')

/** Each column as wide as its widest cell. */
export const columns = (rows: string[][]): string => {
  const cells = rows.map(row => row.map(shown))
  const widths = cells[0]?.map((_, column) => Math.max(...cells.map(row => row[column]!.length))) ?? []
  const line = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')
  return cells.map(row => `${line(row).trimEnd()}\n`).join('')
}
