/** For how long the database keeps entries. The role that owns the table writes it, so that no other can shorten it. */
import { type Sql, sqlState } from '../../db/client.ts'
import { findAuditRetention, writeAuditRetention } from './sql.ts'

const insufficientPrivilege = '42501'

/**
 * Writes the retention, in milliseconds or null for ever. Returns false where the database keeps another one and this role
 * cannot change it.
 */
export const keepAuditFor = async (sql: Sql, keptMs: number | null): Promise<boolean> => {
  const seconds = keptMs === null ? null : keptMs / 1000
  if ((await findAuditRetention(sql)) === seconds) return true
  try {
    await writeAuditRetention(sql, seconds)
    return true
  } catch (error) {
    if (sqlState(error) === insufficientPrivilege) return false
    throw error
  }
}
