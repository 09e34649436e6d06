/**
 * The file of an exported workspace. Each line is a JSON object with one name: first `header`, then `workspace`, then
 * one row per line under the name of its table, and at the end `end` with the number of rows of each table. Rows have
 * the columns of the database, so a file fits only databases with the same migrations.
 */

/** First line. */
export interface Header {
  format: typeof formatName
  formatVersion: number
  /** Version of the service that exported. */
  service: string
  /** Last migration of the database, and a checksum of all. */
  migration: string
  schema: string
  workspaceId: string
  exportedAt: string
}

export const formatName = 'customer-engagement-workspace'
export const formatVersion = 1

/** Last line: number of rows by table. A file without it is not complete. */
export interface Trailer {
  rows: Record<string, number>
}

/** Returns a line. `json` is the text of a JSON object. */
export const lineOf = (name: string, json: string): string => `{"${name}":${json}}\n`

/** Maximum bytes of a line. The largest rows are definitions of workflows and audiences of campaigns. */
export const maxLineBytes = 16 * 1024 * 1024

/** A line as its name and the text of its object. */
export interface ParsedLine {
  name: string
  json: string
}

/** Splits a line. Returns null for any other text. */
export const parseLine = (line: string): ParsedLine | null => {
  const end = line.indexOf('":{')
  if (!line.startsWith('{"') || end < 0 || !line.endsWith('}}')) return null
  return { name: line.slice(2, end), json: line.slice(end + 2, -1) }
}
