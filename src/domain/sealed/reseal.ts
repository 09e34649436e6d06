/** Encrypting everything under the first key, so that the others can be left out. */
import type { Sql } from '../../db/client.ts'
import { CannotOpen, type ResealedRow, type RowKey, type SealedRow, type SealedTable, type Seals } from '../sealing.ts'
import { lowestKey, sealedTables } from './tables.ts'

/** What there is of a kind. */
export interface Resealed {
  /** Encrypted under the first key now. */
  underFirst: number
  /** That none of the keys opens. */
  unopened: number
  /** Of rows that were changed again and again meanwhile. */
  left: number
}

const pageSize = 50
/** A row that was changed between reading and writing is read once more. */
const maxTries = 5

/**
 * Goes through all there is, a page at a time, and leaves alone what the first key has sealed: interrupted, it is run again.
 * Answers by kind. What is sealed meanwhile must be sealed under that key, which the caller sees to.
 */
export const resealAll = async (sql: Sql, seals: Seals): Promise<Map<string, Resealed>> => {
  const counts = new Map<string, Resealed>()
  for (const table of sealedTables) {
    let after = lowestKey
    for (;;) {
      const page = await resealPage(sql, seals, table, after, counts)
      if (page.length === 0) break
      after = page.at(-1)!
    }
  }
  return counts
}

const resealPage = async (
  sql: Sql,
  seals: Seals,
  table: SealedTable,
  after: RowKey,
  counts: Map<string, Resealed>,
): Promise<SealedRow[]> => {
  for (let tries = 1; ; tries++) {
    const page = await table.findPage(sql, after, pageSize)
    const judged = page.map(row => judge(row, seals))
    const changed = judged.flatMap(({ resealed }) => (resealed ? [resealed] : []))
    const replaced = new Set(changed.length > 0 ? await table.replace(sql, changed) : [])
    if (replaced.size < changed.length && tries < maxTries) continue
    for (const { row, unopened } of judged) count(counts, row, unopened, replaced.has(row.id), seals)
    return page
  }
}

interface Judged {
  row: SealedRow
  /** Null where nothing of the row is to be replaced. */
  resealed: ResealedRow | null
  /** The columns that none of the keys opens. */
  unopened: Set<string>
}

const judge = (row: SealedRow, seals: Seals): Judged => {
  const sealed: Record<string, string> = {}
  const unopened = new Set<string>()
  for (const value of row.values) {
    if (seals.isUnderFirst(value.sealed)) continue
    try {
      sealed[value.column] = seals.seal(seals.open(value.sealed, value.place), value.place).toString('hex')
    } catch (error) {
      if (!(error instanceof CannotOpen)) throw error
      unopened.add(value.column)
    }
  }
  const { workspaceId, id, version } = row
  const resealed = Object.keys(sealed).length > 0 ? { workspaceId, id, version, sealed } : null
  return { row, resealed, unopened }
}

const count = (
  counts: Map<string, Resealed>,
  { values }: SealedRow,
  unopened: Set<string>,
  replaced: boolean,
  seals: Seals,
): void => {
  for (const { kind, column, sealed } of values) {
    const found = counts.get(kind) ?? { underFirst: 0, unopened: 0, left: 0 }
    counts.set(kind, found)
    if (unopened.has(column)) found.unopened++
    else if (replaced || seals.isUnderFirst(sealed)) found.underFirst++
    else found.left++
  }
}
