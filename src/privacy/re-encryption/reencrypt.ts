/** Re-encrypts all secrets with the first key, so that older keys can be removed. */

import {
  DecryptionError,
  type EncryptedRow,
  type EncryptedTable,
  type Keyring,
  type ReencryptedRow,
  type RowKey,
} from '../../platform/encryption.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { encryptedTables, lowestKey } from './tables.ts'

/** Counts of one kind of secret. */
export interface ReencryptionCounts {
  /** Number of secrets encrypted with the first key. */
  underFirstKey: number
  /** Number of secrets that no key can decrypt. */
  undecryptable: number
  /** Number of secrets in rows that changed concurrently on every attempt. */
  left: number
}

const pageSize = 50
/** Maximum number of attempts per page, because a row can change between read and write. */
const maxAttempts = 5

/**
 * Re-encrypts all secrets page by page and skips those already under the first key. It can be run again after an
 * interruption. Returns counts by kind. The caller must ensure that new secrets are encrypted with the first key.
 */
export const reencryptAll = async (sql: Sql, keyring: Keyring): Promise<Map<string, ReencryptionCounts>> => {
  const counts = new Map<string, ReencryptionCounts>()
  for (const table of encryptedTables) {
    let after = lowestKey
    for (;;) {
      const page = await reencryptPage(sql, keyring, table, after, counts)
      if (page.length === 0) break
      after = page.at(-1)!
    }
  }
  return counts
}

const reencryptPage = async (
  sql: Sql,
  keyring: Keyring,
  table: EncryptedTable,
  after: RowKey,
  counts: Map<string, ReencryptionCounts>,
): Promise<EncryptedRow[]> => {
  for (let attempt = 1; ; attempt++) {
    const page = await table.findPage(sql, after, pageSize)
    const results = page.map(row => reencryptRow(row, keyring))
    const changed = results.flatMap(({ reencrypted }) => (reencrypted ? [reencrypted] : []))
    const replaced = new Set(changed.length > 0 ? await table.replace(sql, changed) : [])
    if (replaced.size < changed.length && attempt < maxAttempts) continue
    for (const { row, undecryptable } of results) count(counts, row, undecryptable, replaced.has(row.id), keyring)
    return page
  }
}

interface RowResult {
  row: EncryptedRow
  /** Null if no value of the row needs to change. */
  reencrypted: ReencryptedRow | null
  /** Columns that no key can decrypt. */
  undecryptable: Set<string>
}

const reencryptRow = (row: EncryptedRow, keyring: Keyring): RowResult => {
  const encrypted: Record<string, string> = {}
  const undecryptable = new Set<string>()
  for (const value of row.values) {
    if (keyring.usesFirstKey(value.encrypted)) continue
    try {
      encrypted[value.column] = keyring
        .encrypt(value.plaintext ?? keyring.decrypt(value.encrypted, value.aad), value.aad)
        .toString('hex')
    } catch (error) {
      if (!(error instanceof DecryptionError)) throw error
      undecryptable.add(value.column)
    }
  }
  const { workspaceId, id, version } = row
  const reencrypted = Object.keys(encrypted).length > 0 ? { workspaceId, id, version, encrypted } : null
  return { row, reencrypted, undecryptable }
}

const count = (
  counts: Map<string, ReencryptionCounts>,
  { values }: EncryptedRow,
  undecryptable: Set<string>,
  replaced: boolean,
  keyring: Keyring,
): void => {
  for (const { kind, column, encrypted } of values) {
    const kindCounts = counts.get(kind) ?? { underFirstKey: 0, undecryptable: 0, left: 0 }
    counts.set(kind, kindCounts)
    if (undecryptable.has(column)) kindCounts.undecryptable++
    else if (replaced || keyring.usesFirstKey(encrypted)) kindCounts.underFirstKey++
    else kindCounts.left++
  }
}
