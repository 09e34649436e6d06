import type { Database } from '../db/client.ts'
import { forgetDeadProcesses } from '../db/lease.ts'
import { deleteStaleAdmissions } from '../domain/rate-limits/index.ts'
import { deleteOldRefusals } from '../domain/refusals/index.ts'
import { deleteExpiredSessions } from '../domain/sessions/index.ts'
import { dropOrphanedDeliveries } from '../domain/webhooks/index.ts'

/** Removes what has run out and that nobody can see any more, and lets go of what the dead held. */
export const prune = async (sql: Database): Promise<void> => {
  await deleteExpiredSessions(sql)
  await deleteOldRefusals(sql)
  await deleteStaleAdmissions(sql)
  await forgetDeadProcesses(sql)
  await dropOrphanedDeliveries(sql)
  await releaseHeldAlarms(sql)
}

/** An alarm is held for seconds. Of a process that died over one Graphile Worker itself would wait for four hours. */
const releaseHeldAlarms = (sql: Database) => sql`
  select graphile_worker.force_unlock_workers(array_agg(distinct locked_by))
  from graphile_worker.jobs where locked_at < now() - interval '10 minutes'`
