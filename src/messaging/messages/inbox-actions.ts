/** SQL that records what people did in conversations, for statistics. */
import type { Fragment, Sql } from '../../platform/postgres/client.ts'

/** Records the first response of a user to a customer who had waited for `waitedSeconds`. */
export const recordResponse = (
  sql: Sql,
  p: { workspaceId: string; messageId: string; userId: string; waitedSeconds: number },
) => sql`
  insert into inbox_actions (workspace_id, id, user_id, waited_seconds)
  values (${p.workspaceId}, ${p.messageId}, ${p.userId}, ${p.waitedSeconds})`

/** Records one closing for each of `rows` (workspace_id, user_id). */
export const recordClosings = (sql: Sql, rows: Fragment) => sql`
  insert into inbox_actions (workspace_id, user_id) ${rows}`

/** Deletes at most `limit` actions older than the longest period of the statistics, 400 days. */
export const deleteOldInboxActions = (sql: Sql, limit: number) => sql`
  delete from inbox_actions where ctid = any(array(
    select ctid from inbox_actions where created_at < now() - interval '402 days' order by created_at limit ${limit}))`
