import { lockWorkspace } from '../../core/locks.ts'
import type { Allowance, Feature, Plan } from '../../core/plan.ts'
import { verb } from '../../core/verb.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { readPlans, readWorkspaceAccess } from '../workspace-access/index.ts'
import { allowanceNames, labelsOfExhausted, limitOf, planLimitReached } from './allowances.ts'
import type { Entitlements } from './schema.ts'
import { type CountedAllowance, countSeats, findUsage } from './sql.ts'

interface UsedPlan<Counted extends Allowance> extends Plan {
  planId: string
  planName: string
  used: Record<Counted, number>
  /** Start of the next month in UTC. */
  resetsAt: Date
}

/**
 * Returns a workspace's plan, and how much of some allowances is currently used. Seats are in the directory, so they have
 * a statement of their own. Within `lockWorkspace` the other counts are exact.
 */
const findUsedPlan = async <Counted extends Allowance>(
  sql: Sql,
  workspaceId: string,
  counted: readonly Counted[],
): Promise<UsedPlan<Counted>> => {
  const names: readonly Allowance[] = counted
  const { planId, used, resetsAt } = await findUsage(sql, workspaceId, names.filter(isInWorkspace))
  const seats = names.includes('teamSeats') ? { teamSeats: await countSeats(sql, workspaceId) } : {}
  const { name, features, allowances } = (await readPlans(sql, [planId])).get(planId)!
  return {
    planId,
    planName: name,
    features,
    allowances,
    used: { ...used, ...seats } as Record<Counted, number>,
    resetsAt,
  }
}

const isInWorkspace = (name: Allowance): name is CountedAllowance => name !== 'teamSeats'

/** Returns a workspace's plan, and how much of each allowance is currently used. */
const findEntitlements = (sql: Sql, workspaceId: string): Promise<UsedPlan<Allowance>> =>
  findUsedPlan(sql, workspaceId, allowanceNames)

/** Returns the contents of the workspace's plan, and how much of each allowance is used. */
export const readEntitlements = verb({ by: 'member' }, async ({ sql, caller }): Promise<Entitlements> => {
  const { planId, planName, features, allowances, used, resetsAt } = await findEntitlements(sql, caller.workspaceId)
  const isIncluded = (feature: Feature): boolean => features[feature] === true
  const allowance = (name: Allowance) => ({ limit: limitOf(allowances, name), used: used[name] })
  return {
    plan: { id: planId, name: planName },
    features: {
      api: isIncluded('api'),
      webhooks: isIncluded('webhooks'),
      workflows: isIncluded('workflows'),
      campaigns: isIncluded('campaigns'),
      ai: isIncluded('ai'),
    },
    allowances: {
      activeWorkflows: allowance('activeWorkflows'),
      teamSeats: allowance('teamSeats'),
      connectedNumbers: allowance('connectedNumbers'),
      templates: allowance('templates'),
      monthlyEvents: { ...allowance('monthlyEvents'), resetsAt: resetsAt.toISOString() },
    },
  }
})

/**
 * Throws a 409 (plan_limit_reached) unless the plan allows one more. Locks the workspace until the transaction ends, so
 * that concurrent calls cannot exceed the limit. Call it before the counted row is written, and after any lock on a
 * record of the workspace.
 */
export const requireAllowance = async (
  tx: Sql,
  workspaceId: string,
  allowance: Exclude<Allowance, 'monthlyEvents' | 'teamSeats'>,
): Promise<void> => {
  await lockWorkspace(tx, workspaceId)
  const { allowances, used } = await findUsedPlan(tx, workspaceId, [allowance])
  const limit = limitOf(allowances, allowance)
  if (limit !== null && used[allowance] >= limit) throw planLimitReached(allowance, limit)
}

/** Throws a 409 (plan_limit_reached) unless the plan allows one more seat. Call it within `lockTeam`. */
export const requireSeat = async (tx: Sql, workspaceId: string): Promise<void> => {
  const access = (await readWorkspaceAccess(tx, [workspaceId])).get(workspaceId)
  const limit = access ? limitOf(access.allowances, 'teamSeats') : null
  if (limit !== null && (await countSeats(tx, workspaceId)) >= limit) throw planLimitReached('teamSeats', limit)
}

/** Returns the allowances that are used up, in words for people. */
export const findExhaustedAllowances = async (sql: Sql, workspaceId: string): Promise<string[]> => {
  const { allowances, used } = await findEntitlements(sql, workspaceId)
  return labelsOfExhausted(allowances, used)
}

/** Returns the number of events used this month, the limit, and the start of the next month. */
export const readMonthlyUsage = async (sql: Sql, workspaceId: string) => {
  const { allowances, used, resetsAt } = await findUsedPlan(sql, workspaceId, ['monthlyEvents'])
  return { used: used.monthlyEvents, limit: limitOf(allowances, 'monthlyEvents'), resetsAt }
}

/**
 * Returns whether the plan currently includes a feature. For background work, which can run long after it was
 * requested. A closed workspace has no features.
 */
export const hasFeature = async (sql: Sql, workspaceId: string, feature: Feature): Promise<boolean> =>
  (await readWorkspaceAccess(sql, [workspaceId])).get(workspaceId)?.features[feature] === true
