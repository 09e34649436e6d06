/** Formats tables for a terminal, with safe output of text from users. */

/**
 * Replaces control characters and invisible characters, so that the name of a workspace cannot overwrite the output of
 * the operator.
 */
export const sanitize = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, '\ufffd')

/** Formats a time as a day in UTC. */
export const formatDay = (at: Date): string => at.toISOString().slice(0, 10)

/** Formats rows. Each column is as wide as its widest cell. */
export const formatTable = (rows: string[][]): string => {
  const cells = rows.map(row => row.map(sanitize))
  const widths = cells[0]?.map((_, column) => Math.max(...cells.map(row => row[column]!.length))) ?? []
  const formatRow = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')
  return cells.map(row => `${formatRow(row).trimEnd()}\n`).join('')
}
