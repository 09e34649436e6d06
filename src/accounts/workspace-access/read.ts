/** Reads what decides access to workspaces: their requirements and their plans. */

import { LRUCache } from 'lru-cache'
import type { Plan } from '../../core/plan.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { type PlanRow, selectPlans, selectWorkspaceAccess, type WorkspaceAccessRow } from './sql.ts'

/** Requirements of a workspace for its members, and its plan. */
export interface WorkspaceAccess extends WorkspaceAccessRow, Plan {}

/**
 * Plans by id, for 2 seconds: only migrations change one. A process has one directory, so all connections and transactions
 * share the cache. Which plan a workspace has is never cached.
 */
const cache = new LRUCache<string, PlanRow>({ max: 100, ttl: 2000 })

/** Returns plans by id. An unknown id is missing. */
export const readPlans = async (sql: Sql, ids: readonly string[]): Promise<Map<string, PlanRow>> => {
  const plans = new Map<string, PlanRow>()
  const missing: string[] = []
  for (const id of new Set(ids)) {
    const plan = cache.get(id)
    if (plan) plans.set(id, plan)
    else missing.push(id)
  }
  if (missing.length > 0)
    for (const plan of await selectPlans(sql, missing)) {
      cache.set(plan.id, plan)
      plans.set(plan.id, plan)
    }
  return plans
}

/**
 * Returns the requirements and plans of workspaces by id. A closed workspace is missing. Workspaces and plans have a
 * statement each, because they can be in different databases.
 */
export const readWorkspaceAccess = async (sql: Sql, ids: readonly string[]): Promise<Map<string, WorkspaceAccess>> => {
  if (ids.length === 0) return new Map()
  const rows = await selectWorkspaceAccess(sql, ids)
  const plans = await readPlans(
    sql,
    rows.map(({ planId }) => planId),
  )
  return new Map(
    rows.map(row => {
      const { features, allowances } = plans.get(row.planId)!
      return [row.workspaceId, { ...row, features, allowances }]
    }),
  )
}
