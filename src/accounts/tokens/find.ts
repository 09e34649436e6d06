import type { Sql } from '../../platform/postgres/client.ts'
import { addWorkspaces } from '../sessions/index.ts'
import { type AccessTokenRow, findTokenInDirectory } from './sql.ts'

/**
 * Finds a token with everything that a request needs. Reads the directory, and then the workspace. Returns null if the
 * workspace is closed.
 */
export const findToken = async (sql: Sql, tokenHash: string): Promise<AccessTokenRow | null> => {
  const row = await findTokenInDirectory(sql, tokenHash)
  if (!row) return null
  const token = await addWorkspaces(sql, row)
  return token.memberships.length + token.unreachable.length === 0 ? null : token
}
