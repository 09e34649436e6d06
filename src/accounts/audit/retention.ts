/** Audit retention in the database. Only the owner of the table can change it, so other roles cannot shorten it. */
import { type Sql, sqlState } from '../../platform/postgres/client.ts'
import { findAuditRetention, writeAuditRetention } from './sql.ts'

const insufficientPrivilege = '42501'

/**
 * Sets the retention in milliseconds; null keeps entries forever. Returns false if the database has another value and
 * this role cannot change it.
 */
export const setAuditRetention = async (sql: Sql, retentionMs: number | null): Promise<boolean> => {
  const seconds = retentionMs === null ? null : retentionMs / 1000
  if ((await findAuditRetention(sql)) === seconds) return true
  try {
    await writeAuditRetention(sql, seconds)
    return true
  } catch (error) {
    if (sqlState(error) === insufficientPrivilege) return false
    throw error
  }
}
