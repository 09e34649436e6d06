/** Deliveries that are due in a restored database. */
import type { Sql } from '../../platform/postgres/client.ts'
import { countByAge } from '../../queue/hold/index.ts'
import { recordStats, thisHour } from '../statistics/index.ts'

/** Time since which a delivery is due. The first attempt is due since the event, whenever the delivery was created. */
const dueSince = (sql: Sql) => sql`
  case when d.attempts = 0 and not d.manual and not d.resent then least(d.due_at, uuid_extract_timestamp(d.event_id))
    else d.due_at end`

/** Counts the due deliveries of a workspace. */
export const countHeldDeliveries = (sql: Sql, workspaceId: string) =>
  countByAge(
    sql,
    sql`select ${dueSince(sql)} as since from deliveries d where d.workspace_id = ${workspaceId} and d.due_at <= now()`,
  )

/** Error of a delivery that was skipped. */
export const skippedDelivery =
  'skipped_after_restore: The delivery was due for too long when sending was released after a restore.'

/** Fails a page of deliveries that are due since a time before `before`. Returns their number. */
export const skipHeldDeliveries = async (
  sql: Sql,
  { workspaceId, before, limit }: { workspaceId: string; before: Date; limit: number },
): Promise<number> => {
  const [row] = await sql<[{ count: number }]>`
    with page as materialized (
      select d.workspace_id, d.id from deliveries d
      where d.workspace_id = ${workspaceId} and d.due_at <= now() and ${dueSince(sql)} < ${before}
      limit ${limit} for no key update
    ), skipped as (
      update deliveries d set status = 'failed', error = ${skippedDelivery}, manual = false, due_at = null
      from page where d.workspace_id = page.workspace_id and d.id = page.id and probe_index(d.id)
      returning d.workspace_id, d.webhook_id
    ), stats as (${recordStats(
      sql,
      sql`(workspace_id, hour, deliveries_failed, kind, group_id)
      select workspace_id, ${thisHour(sql)}, count(*), 'webhook', webhook_id from skipped group by workspace_id, webhook_id`,
    )})
    select count(*)::integer as count from skipped`
  return row.count
}
