import { CellUnavailable } from '../../platform/postgres/cells.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { readReachableAccess } from '../workspace-access/index.ts'
import {
  findSessionInDirectory,
  type Membership,
  type MembershipRow,
  type SessionRow,
  type SignedInRow,
} from './sql.ts'

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
): Promise<Omit<Row, 'memberships'> & Pick<SignedInRow, 'memberships' | 'unreachable' | 'firstWorkspaceId'>> => {
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
  const isKnown = ({ workspaceId }: MembershipRow) => access.has(workspaceId) || unreachable.includes(workspaceId)
  const firstWorkspaceId = row.memberships.find(isKnown)?.workspaceId ?? null
  return { ...row, memberships, unreachable, firstWorkspaceId }
}

/**
 * Returns the membership of a workspace, by default of the one joined first. Returns null without one. Throws
 * CellUnavailable if the cell of that workspace does not respond.
 */
export const chooseMembership = (
  { memberships, unreachable, firstWorkspaceId }: SignedInRow,
  workspaceId: string | null,
): Membership | null => {
  const id = workspaceId?.toLowerCase() ?? firstWorkspaceId
  if (id !== null && unreachable.includes(id)) throw new CellUnavailable()
  return memberships.find(membership => membership.workspaceId === id) ?? null
}
