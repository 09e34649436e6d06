/** SQL that counts rows, as part of the statement that writes them. */
import type { Fragment, Sql } from '../../platform/postgres/client.ts'

/**
 * Inserts counts. `rows` are the columns in parentheses and a query grouped by workspace. The counts are committed
 * together with the counted rows. Every statement inserts separate rows, so that writers of the same workspace never
 * wait for each other; a scheduled task rolls them up.
 */
export const recordStats = (sql: Sql, rows: Fragment) => sql`insert into hourly_stat_changes ${rows}`

/** Start of the current hour in UTC. */
export const thisHour = (sql: Sql) => sql`date_trunc('hour', now(), 'UTC')`
