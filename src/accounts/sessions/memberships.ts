import { CellUnavailable } from '../../platform/postgres/cells.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { readReachableAccess } from '../workspace-access/index.ts'
import type { Membership, MembershipRow, SignedInRow } from './sql.ts'

/**
 * Reads the memberships of a credential, in the order in which the user joined, and the ids of the workspaces whose cell
 * does not respond. A closed workspace is missing. A requirement of members applies to persons.
 */
export const readMemberships = async (
  sql: Sql,
  { memberships: rows }: Pick<SignedInRow, 'memberships'>,
): Promise<{ memberships: Membership[]; unreachable: string[] }> => {
  const { access, unreachable } = await readReachableAccess(
    sql,
    rows.map(({ workspaceId }) => workspaceId),
  )
  const add = ({ workspaceId, role, kind }: MembershipRow): Membership[] => {
    const workspace = access.get(workspaceId)
    if (!workspace) return []
    const isPerson = kind === 'person'
    const requiresSecondFactor = isPerson && workspace.requiresSecondFactor
    return [{ ...workspace, role, requiresSecondFactor, requiresSso: isPerson && workspace.requiresSso }]
  }
  return { memberships: rows.flatMap(add), unreachable }
}

/**
 * Returns the membership of a workspace, by default of the one joined first that is not closed. Returns null without one.
 * Asks only the cell of that workspace, because another one can be slow. Throws CellUnavailable if it does not respond.
 */
export const chooseMembership = async (
  sql: Sql,
  { memberships: rows }: Pick<SignedInRow, 'memberships'>,
  workspaceId: string | null,
): Promise<Membership | null> => {
  const id = workspaceId?.toLowerCase() ?? null
  for (const row of rows) {
    if (id !== null && row.workspaceId !== id) continue
    const { memberships, unreachable } = await readMemberships(sql, { memberships: [row] })
    if (unreachable.length > 0) throw new CellUnavailable()
    if (memberships[0]) return memberships[0]
  }
  return null
}
