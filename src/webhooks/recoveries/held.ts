/** Recoveries that run in a restored database. They make deliveries due again, also those that a release has skipped. */
import { writeOperatorEntry } from '../../accounts/audit/index.ts'
import { type Database, type Sql, transaction } from '../../platform/postgres/client.ts'
import { countByAge } from '../../queue/hold/index.ts'
import { endAsCancelled } from './manage.ts'

/** Counts the running recoveries of a workspace. They are due since the beginning of their time span. */
export const countHeldRecoveries = (sql: Sql, workspaceId: string) =>
  countByAge(sql, sql`select since from webhook_recoveries where workspace_id = ${workspaceId} and status = 'running'`)

/**
 * Cancels a page of running recoveries whose time span begins before `before`. Returns their number. A later span has no
 * delivery that a release skips: a delivery is due at the time of its event or later.
 */
export const cancelHeldRecoveries = async (
  sql: Database,
  { workspaceId, before, limit }: { workspaceId: string; before: Date; limit: number },
): Promise<number> => {
  const rows = await findHeldRecoveries(sql, { workspaceId, before, limit })
  for (const { id, webhookId } of rows)
    await transaction(sql, async tx => {
      if (!(await endAsCancelled(tx, { workspaceId, webhookId, id }))) return
      const detail = { webhookId, reason: 'skipped_after_restore' }
      await writeOperatorEntry(tx, workspaceId, { action: 'cancelRecovery', target: { type: 'recovery', id }, detail })
    })
  return rows.length
}

const findHeldRecoveries = (sql: Sql, p: { workspaceId: string; before: Date; limit: number }) => sql<
  { id: string; webhookId: string }[]
>`
  select id, webhook_id as "webhookId" from webhook_recoveries
  where workspace_id = ${p.workspaceId} and since < ${p.before} and status = 'running' order by webhook_id limit ${p.limit}`
