import { deleteExpiredLinks } from '../../accounts/people/index.ts'
import { deleteFullBudgets, deleteOldNetworks, deleteStaleAdmissions } from '../../accounts/rate-limits/index.ts'
import { deleteExpiredSessions, deleteExpiredTickets } from '../../accounts/sessions/index.ts'
import { notifyMonthlyEvents } from '../../accounts/workspaces/index.ts'
import { deleteOldChanges } from '../../core/changes/index.ts'
import { deleteOldRejectedRequests } from '../../events/rejected-requests/index.ts'
import { deleteOldEarlyStatuses } from '../../messaging/messages/index.ts'
import type { Database } from '../../platform/postgres/client.ts'
import { deleteDeadProcesses } from '../../platform/postgres/lease.ts'
import { releaseStuckTasks } from '../../queue/tasks.ts'
import { dropOrphanedDeliveries } from '../../webhooks/deliveries/index.ts'
import { wakeStalledRecoveries } from '../../webhooks/recoveries/index.ts'

/**
 * Deletes expired records, releases what dead processes held, and notifies owners when a monthly limit is nearly
 * reached.
 */
export const prune = async (sql: Database): Promise<void> => {
  await deleteInPages(() => deleteExpiredSessions(sql))
  await deleteInPages(() => deleteExpiredTickets(sql))
  await deleteInPages(() => deleteExpiredLinks(sql))
  await deleteInPages(() => deleteOldRejectedRequests(sql))
  await deleteInPages(() => deleteStaleAdmissions(sql))
  await deleteInPages(() => deleteFullBudgets(sql))
  await deleteInPages(() => deleteOldNetworks(sql))
  await deleteInPages(() => deleteOldEarlyStatuses(sql))
  await deleteInPages(() => deleteOldChanges(sql))
  await deleteDeadProcesses(sql)
  await dropOrphanedDeliveries(sql)
  await wakeStalledRecoveries(sql)
  await notifyMonthlyEvents(sql)
  await releaseStuckTasks(sql)
}

/**
 * Deletes pages until one is empty. Each page is a separate statement, which holds few locks and stays below the time
 * limit.
 */
export const deleteInPages = async (deletePage: () => Promise<number>): Promise<void> => {
  while ((await deletePage()) > 0);
}
