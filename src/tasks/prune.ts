import type { Database } from '../db/client.ts'
import { forgetDeadProcesses } from '../db/lease.ts'
import { deleteExpiredLinks } from '../domain/accounts/index.ts'
import { dropOrphanedDeliveries } from '../domain/deliveries/index.ts'
import { deleteOldEarlyStatuses } from '../domain/messages/index.ts'
import { deleteOldPlaces, deleteStaleAdmissions, deleteWholeBudgets } from '../domain/rate-limits/index.ts'
import { remindRecoveries } from '../domain/recoveries/index.ts'
import { deleteOldRefusals } from '../domain/refusals/index.ts'
import { deleteExpiredSessions, deleteExpiredTickets } from '../domain/sessions/index.ts'
import { deleteOldChanges } from '../domain/stream/index.ts'
import { releaseHeldTasks } from '../domain/tasks.ts'
import { tellOfMonthlyEvents } from '../domain/workspaces/index.ts'

/**
 * Deletes expired records, releases what dead processes held, and notifies owners when a monthly limit is nearly
 * reached.
 */
export const prune = async (sql: Database): Promise<void> => {
  await inPages(() => deleteExpiredSessions(sql))
  await inPages(() => deleteExpiredTickets(sql))
  await inPages(() => deleteExpiredLinks(sql))
  await inPages(() => deleteOldRefusals(sql))
  await inPages(() => deleteStaleAdmissions(sql))
  await inPages(() => deleteWholeBudgets(sql))
  await inPages(() => deleteOldPlaces(sql))
  await inPages(() => deleteOldEarlyStatuses(sql))
  await inPages(() => deleteOldChanges(sql))
  await forgetDeadProcesses(sql)
  await dropOrphanedDeliveries(sql)
  await remindRecoveries(sql)
  await tellOfMonthlyEvents(sql)
  await releaseHeldTasks(sql)
}

/**
 * Deletes pages until one is empty. Each page is a separate statement, which holds few locks and stays below the time
 * limit.
 */
export const inPages = async (deletePage: () => Promise<number>): Promise<void> => {
  while ((await deletePage()) > 0);
}
