/** Re-encrypts all secrets with the first key, so that older keys can be removed. */
import type { Sql } from '../../db/client.ts'
import { CannotOpen, type ResealedRow, type RowKey, type SealedRow, type SealedTable, type Seals } from '../sealing.ts'
import { lowestKey, sealedTables } from './tables.ts'

/** Counts of one kind of secret. */
export interface Resealed {
  /** Number of secrets encrypted with the first key. */
  underFirst: number
  /** Number of secrets that no key can decrypt. */
  unopened: number
  /** Number of secrets in rows that changed concurrently on every attempt. */
  left: number
}

const pageSize = 50
/** Maximum number of attempts per page, because a row can change between read and write. */
const maxTries = 5

/**
 * Re-encrypts all secrets page by page and skips those already under the first key. It can be run again after an
 * interruption. Returns counts by kind. The caller must ensure that new secrets are encrypted with the first key.
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
  /** Null if no value of the row needs to change. */
  resealed: ResealedRow | null
  /** Columns that no key can decrypt. */
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
