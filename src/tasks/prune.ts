import type { Database } from '../db/client.ts'
import { forgetDeadProcesses } from '../db/lease.ts'
import { dropOrphanedDeliveries } from '../domain/deliveries/index.ts'
import { deleteStaleAdmissions } from '../domain/rate-limits/index.ts'
import { deleteOldRefusals } from '../domain/refusals/index.ts'
import { deleteExpiredSessions } from '../domain/sessions/index.ts'
import { releaseHeldTasks } from '../domain/tasks.ts'

/** Removes what has run out and that nobody can see any more, and lets go of what the dead held. */
export const prune = async (sql: Database): Promise<void> => {
  await deleteExpiredSessions(sql)
  await deleteOldRefusals(sql)
  await deleteStaleAdmissions(sql)
  await forgetDeadProcesses(sql)
  await dropOrphanedDeliveries(sql)
  await releaseHeldTasks(sql)
}
