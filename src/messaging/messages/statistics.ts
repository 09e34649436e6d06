/** SQL that counts message statuses in the hourly stats, as part of the statement that changes them. */
import type { Fragment, Sql } from '../../platform/postgres/client.ts'
import { recordStats, thisHour } from '../../webhooks/statistics/index.ts'

/** `statuses` (workspace_id, channel_id, status, detail): one row for each new status of a message. */
export const countStatuses = (sql: Sql, statuses: Fragment) =>
  recordStats(
    sql,
    sql`(workspace_id, hour, messages_queued, messages_sent, messages_delivered, messages_read, messages_failed,
      messages_skipped, messages_unknown, messages_received, kind, group_id, reasons)
    select workspace_id, ${thisHour(sql)}, count(*) filter (where status = 'queued'), count(*) filter (where status = 'sent'),
      count(*) filter (where status = 'delivered'), count(*) filter (where status = 'read'),
      count(*) filter (where status = 'failed'), count(*) filter (where status = 'skipped'),
      count(*) filter (where status = 'unknown'), count(*) filter (where status = 'received'), 'channel', channel_id,
      array_agg(${reasonOf(sql)}) filter (where status in ('failed', 'skipped'))
    from (${statuses}) changes group by workspace_id, channel_id`,
  )

/**
 * Returns the code at the start of a detail, or the provider's code in it. Other text can have personal data and is not
 * counted.
 */
const reasonOf = (sql: Sql) => sql`
  coalesce(substring(detail from '^([a-z][a-z_]{1,39}):'), substring(detail from '[(]code ([A-Za-z0-9_]{1,20})[)]'), 'other')`
