import type { Plan } from '../../core/plan.ts'
import type { Sql } from '../../platform/postgres/client.ts'

export interface PlanRow extends Plan {
  id: string
  name: string
}

/** Selects plans by id. Each cell has them. */
export const selectPlans = (sql: Sql, ids: readonly string[]) => sql<PlanRow[]>`
  select id, name, features, allowances from plans where id = any(${[...ids]}::text[])`

export interface WorkspaceAccessRow {
  workspaceId: string
  workspaceName: string
  planId: string
  /** True if members without a second factor have no access. */
  requiresSecondFactor: boolean
  /** True if members have access only by single sign-on. */
  requiresSso: boolean
  /** True if the workspace is being moved to another database, or has been. */
  isMoving: boolean
}

/**
 * Selects workspaces by id that are open, or that are being moved. With several databases, each is asked for its own.
 */
export const selectWorkspaceAccess = (sql: Sql, ids: readonly string[]) => sql<WorkspaceAccessRow[]>`
  select id as "workspaceId", name as "workspaceName", plan_id as "planId",
    require_second_factor as "requiresSecondFactor", require_sso as "requiresSso", closed_for is not null as "isMoving"
  from workspaces where id = any(${[...ids]}::uuid[]) and coalesce(closed_for, 'move') in ('move', 'copy')`

/** Returns those of the ids that belong to workspaces of this database. Copies of a move do not count. */
export const selectWorkspaceIds = async (sql: Sql, ids: readonly string[]): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    select id from workspaces where id = any(${[...ids]}::uuid[]) and closed_for is distinct from 'copy'`
  return rows.map(({ id }) => id)
}
