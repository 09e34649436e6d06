import type { Sql } from '../../platform/postgres/client.ts'
import { readReachableAccess } from '../workspace-access/index.ts'
import { findSessionInDirectory, type Membership, type MembershipRow, type SessionRow } from './sql.ts'

/** Finds an active session with everything that a request needs. Reads the directory, and then the workspaces. */
export const findSession = async (sql: Sql, tokenHash: string): Promise<SessionRow | null> => {
  const row = await findSessionInDirectory(sql, tokenHash)
  return row && addWorkspaces(sql, row)
}

/**
 * Adds what the workspaces of a credential require and include. A requirement of members applies to persons.
 */
export const addWorkspaces = async <Row extends { memberships: MembershipRow[] }>(
  sql: Sql,
  row: Row,
): Promise<Omit<Row, 'memberships'> & { memberships: Membership[]; unreachable: string[] }> => {
  const { access, unreachable } = await readReachableAccess(
    sql,
    row.memberships.map(({ workspaceId }) => workspaceId),
  )
  const memberships = row.memberships.flatMap(({ workspaceId, role, kind }) => {
    const workspace = access.get(workspaceId)
    if (!workspace) return []
    const isPerson = kind === 'person'
    const requiresSecondFactor = isPerson && workspace.requiresSecondFactor
    return [{ ...workspace, role, requiresSecondFactor, requiresSso: isPerson && workspace.requiresSso }]
  })
  return { ...row, memberships, unreachable }
}
