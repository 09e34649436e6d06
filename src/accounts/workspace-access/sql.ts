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
}

/** Selects open workspaces by id. With several databases, each is asked for its own. */
export const selectWorkspaceAccess = (sql: Sql, ids: readonly string[]) => sql<WorkspaceAccessRow[]>`
  select id as "workspaceId", name as "workspaceName", plan_id as "planId",
    require_second_factor as "requiresSecondFactor", require_sso as "requiresSso"
  from workspaces where id = any(${[...ids]}::uuid[]) and closed_for is null`

/** Returns those of the ids that belong to workspaces of this database. */
export const selectWorkspaceIds = async (sql: Sql, ids: readonly string[]): Promise<string[]> =>
  (await sql<{ id: string }[]>`select id from workspaces where id = any(${[...ids]}::uuid[])`).map(({ id }) => id)
