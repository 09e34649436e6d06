/** Unassigns the conversations of a user who has left the team. */
import type { Sql } from '../../db/client.ts'
import { enqueue } from '../tasks.ts'
import { releasePage } from './conversation-sql.ts'

/**
 * Maximum number of conversations unassigned within the transaction that removes the user. A background task unassigns
 * the rest.
 */
const releasedAtOnce = 500
const pageSize = 1000

/** A user who has left the team. */
export interface Leaver {
  workspaceId: string
  userId: string
}

/** Unassigns conversations. Call it in the transaction that removes the user from the team, after the removal. */
export const releaseConversations = async (tx: Sql, leaver: Leaver): Promise<void> => {
  const { found } = await releasePage(tx, { ...leaver, limit: releasedAtOnce })
  if (found) await enqueue(tx, 'release_conversations', leaver, `release:${leaver.workspaceId}:${leaver.userId}`)
}

/** Unassigns the remaining conversations in pages; idempotent. */
export const releaseTheRest = async (sql: Sql, leaver: Leaver): Promise<void> => {
  for (;;) {
    const { found } = await releasePage(sql, { ...leaver, limit: pageSize })
    if (!found) return
  }
}
