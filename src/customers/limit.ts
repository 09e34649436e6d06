/** Enforces the maximum number of customers of a workspace. */
import { LRUCache } from 'lru-cache'
import { DomainError } from '../core/errors.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { countCustomers } from './sql.ts'

/** Maximum number of customers of a workspace. Events that enrol customers are limited by the plan instead. */
const maxCustomers = 5_000_000

/**
 * Milliseconds for which a count is cached. The time is short near the limit and long otherwise, since every count
 * costs a scan.
 */
const cacheMs = { near: 10_000, far: 600_000 }
/** Share of the limit from which a count is near it. */
const nearShare = 0.9

interface CachedCount {
  count: number
  expiresAt: number
}

/** Latest counts by workspace. A process without a cached count reads it from the database. */
const counts = new LRUCache<string, CachedCount>({ max: 10_000 })

/**
 * Fails with 422 if the workspace has `max` customers already. Counts are up to ten minutes old, and near the limit up
 * to ten seconds.
 */
export const requireCustomerCapacity = async (sql: Sql, workspaceId: string, max = maxCustomers): Promise<void> => {
  const cached = counts.get(workspaceId)
  const count = cached && cached.expiresAt > performance.now() ? cached.count : await recount(sql, workspaceId, max)
  if (count < max) return
  counts.delete(workspaceId)
  throw new DomainError(
    'unprocessable',
    `A workspace has at most ${max} customers. Erase customers that you no longer need.`,
  )
}

const recount = async (sql: Sql, workspaceId: string, max: number): Promise<number> => {
  const count = await countCustomers(sql, workspaceId, max)
  const ms = count >= max * nearShare ? cacheMs.near : cacheMs.far
  counts.set(workspaceId, { count, expiresAt: performance.now() + ms })
  return count
}
