import { deleteExpiredLinks } from '../../accounts/people/index.ts'
import { deleteFullBudgets, deleteOldNetworks, deleteStaleAdmissions } from '../../accounts/rate-limits/index.ts'
import { deleteExpiredSessions, deleteExpiredTickets } from '../../accounts/sessions/index.ts'
import { deleteExpiredIdentityLinks, deleteExpiredStates } from '../../accounts/single-sign-on/index.ts'
import { deleteExpiredTokens } from '../../accounts/tokens/index.ts'
import { deleteOldChanges } from '../../core/changes/index.ts'
import { removeOld } from '../../core/retention.ts'
import { deleteOldRejectedRequests } from '../../events/rejected-requests/index.ts'
import { deleteOldEarlyStatuses, deleteOldInboxActions } from '../../messaging/messages/index.ts'
import type { Database } from '../../platform/postgres/client.ts'
import { deleteDeadProcesses } from '../../platform/postgres/lease.ts'
import { deleteAbandonedChanges } from '../../privacy/workspaces/index.ts'
import { releaseStuckTasks } from '../../queue/tasks.ts'
import { dropOrphanedDeliveries } from '../../webhooks/deliveries/index.ts'
import { wakeStalledRecoveries } from '../../webhooks/recoveries/index.ts'
import { deleteOldGroupStats } from '../../webhooks/statistics/index.ts'

/**
 * Deletes expired records, and releases what dead processes held. `onDropped` is called with the number of deliveries
 * that were dropped.
 */
export const prune = async (sql: Database, onDropped?: (count: number) => void): Promise<void> => {
  await removeOld(limit => deleteExpiredSessions(sql, limit))
  await removeOld(limit => deleteExpiredTickets(sql, limit))
  await removeOld(limit => deleteExpiredTokens(sql, limit))
  await removeOld(limit => deleteExpiredLinks(sql, limit))
  await removeOld(limit => deleteExpiredIdentityLinks(sql, limit))
  await removeOld(limit => deleteExpiredStates(sql, limit))
  await removeOld(limit => deleteOldRejectedRequests(sql, limit))
  for (const unit of ['hour', 'day'] as const) await removeOld(limit => deleteOldGroupStats(sql, unit, limit))
  await removeOld(limit => deleteStaleAdmissions(sql, limit))
  await removeOld(limit => deleteFullBudgets(sql, limit))
  await removeOld(limit => deleteOldNetworks(sql, limit))
  await removeOld(limit => deleteOldEarlyStatuses(sql, limit))
  await removeOld(limit => deleteOldInboxActions(sql, limit))
  await removeOld(limit => deleteOldChanges(sql, limit), { limit: 10_000 })
  await removeOld(limit => deleteAbandonedChanges(sql, limit))
  await deleteDeadProcesses(sql)
  await dropOrphanedDeliveries(sql, onDropped)
  await wakeStalledRecoveries(sql)
  await releaseStuckTasks(sql)
}
