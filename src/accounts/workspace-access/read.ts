/** Reads what decides access to workspaces: their requirements and their plans. */

import { LRUCache } from 'lru-cache'
import type { Plan } from '../../core/plan.ts'
import { askCell, CellUnavailable, forgetPlace, groupByCell, hasOtherCells } from '../../platform/postgres/cells.ts'
import { isServerFailure, type Sql } from '../../platform/postgres/client.ts'
import { type PlanRow, selectPlans, selectWorkspaceAccess, selectWorkspaceIds, type WorkspaceAccessRow } from './sql.ts'

/** Requirements of a workspace for its members, and its plan. */
export interface WorkspaceAccess extends Omit<WorkspaceAccessRow, 'isMoving'>, Plan {}

/**
 * Plans by id, for 2 seconds: only migrations change one, and each cell has the same. All connections and transactions
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
 * Returns the requirements and plans of workspaces of one database by id, and those that are being moved to another one. A
 * closed workspace is missing.
 */
const readAccessHere = async (
  sql: Sql,
  ids: readonly string[],
): Promise<{ access: [string, WorkspaceAccess][]; moving: string[] }> => {
  const found = await selectWorkspaceAccess(sql, ids)
  const moving = found.flatMap(({ workspaceId, isMoving }) => (isMoving ? [workspaceId] : []))
  for (const id of moving) forgetPlace(sql, 'workspace', id)
  const rows = found.filter(({ isMoving }) => !isMoving)
  const plans = await readPlans(
    sql,
    rows.map(({ planId }) => planId),
  )
  const access = rows.map(({ isMoving, ...row }): [string, WorkspaceAccess] => {
    const { features, allowances } = plans.get(row.planId)!
    return [row.workspaceId, { ...row, features, allowances }]
  })
  return { access, moving }
}

interface FoundAccess {
  access: Map<string, WorkspaceAccess>
  unreachable: string[]
  moving: string[]
}

/** Returns the requirements and plans of workspaces by id, from the cells that are known to have them. */
const readAccess = async (sql: Sql, ids: readonly string[]): Promise<FoundAccess> => {
  const access = new Map<string, WorkspaceAccess>()
  const [unreachable, moving]: [string[], string[]] = [[], []]
  if (ids.length === 0) return { access, unreachable, moving }
  await Promise.all(
    (await groupByCell(sql, ids)).map(async group => {
      if (group.sql === null) unreachable.push(...group.ids)
      else
        try {
          const cell = group.sql
          const read = () => readAccessHere(cell, group.ids)
          const found = await (cell === sql ? read() : askCell(cell, read))
          for (const [id, one] of found.access) access.set(id, one)
          moving.push(...found.moving)
        } catch (error) {
          if (group.sql === sql || !isServerFailure(error)) throw error
          unreachable.push(...group.ids)
        }
    }),
  )
  return { access, unreachable, moving }
}

/**
 * Returns the requirements and plans of workspaces by id, and the ids of the workspaces whose cell does not respond, or
 * that are being moved. Another closed workspace is missing.
 */
export const readReachableAccess = async (sql: Sql, ids: readonly string[]): Promise<Omit<FoundAccess, 'moving'>> => {
  const { access, unreachable, moving } = await readAccess(sql, ids)
  if (moving.length === 0) return { access, unreachable }
  // Their places are forgotten, so this asks the cells that have them now.
  const again = await readAccess(sql, moving)
  return {
    access: new Map([...access, ...again.access]),
    unreachable: [...unreachable, ...again.unreachable, ...again.moving],
  }
}

/**
 * Returns the requirements and plans of workspaces by id. A closed workspace is missing. Rejects with CellUnavailable if
 * the cell of one does not respond.
 */
export const readWorkspaceAccess = async (sql: Sql, ids: readonly string[]): Promise<Map<string, WorkspaceAccess>> => {
  const { access, unreachable } = await readReachableAccess(sql, ids)
  if (unreachable.length > 0) throw new CellUnavailable()
  return access
}

/** Returns those of the workspaces that are in the database of these connections: all of them if there is one cell. */
export const findWorkspacesHere = async (sql: Sql, ids: readonly string[]): Promise<Set<string>> =>
  new Set(hasOtherCells(sql) ? await selectWorkspaceIds(sql, ids) : ids)
