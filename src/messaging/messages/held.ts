/** Messages that are due in a restored database. */
import type { Sql } from '../../platform/postgres/client.ts'
import { countByAge } from '../../queue/hold/index.ts'
import { withdrawMessages } from './withdraw.ts'

/** Counts the due messages of a workspace. Messages whose sending started may have reached the provider and are not counted. */
export const countHeldMessages = (sql: Sql, workspaceId: string) =>
  countByAge(
    sql,
    sql`select m.due_at as since from messages m
      where m.workspace_id = ${workspaceId} and m.due_at <= now() and m.send_started_at is null`,
  )

/** Detail of a message that was skipped. */
const skippedMessage =
  'skipped_after_restore: The message was due for too long when sending was released after a restore.'

/** Skips a page of messages that are due since a time before `before`. Returns their number. */
export const skipHeldMessages = async (
  sql: Sql,
  { workspaceId, before, limit }: { workspaceId: string; before: Date; limit: number },
): Promise<number> => {
  const [row] = await sql<[{ count: number }]>`
    with ${withdrawMessages(
      sql,
      sql`select m.workspace_id, m.id as message_id from messages m
        where m.workspace_id = ${workspaceId} and m.due_at < ${before} and m.send_started_at is null limit ${limit}`,
      skippedMessage,
    )}
    select count(*)::integer as count from withdrawn`
  return row.count
}
