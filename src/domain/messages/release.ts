/** What somebody of the team looked after is nobody's once they have left it. */
import type { Sql } from '../../db/client.ts'
import { enqueue } from '../tasks.ts'
import { releasePage } from './conversation-sql.ts'

/** So many in the transaction that removes them; the rest is done by a task, for it may be much. */
const releasedAtOnce = 500
const pageSize = 1000

/** A user who has left the team. */
export interface Leaver {
  workspaceId: string
  userId: string
}

/** To be called in the transaction that takes them out of the team, once they are out. */
export const releaseConversations = async (tx: Sql, leaver: Leaver): Promise<void> => {
  const { found } = await releasePage(tx, { ...leaver, limit: releasedAtOnce })
  if (found) await enqueue(tx, 'release_conversations', leaver, `release:${leaver.workspaceId}:${leaver.userId}`)
}

/** Releases what is left, in pages; safe to repeat. */
export const releaseTheRest = async (sql: Sql, leaver: Leaver): Promise<void> => {
  for (;;) {
    const { found } = await releasePage(sql, { ...leaver, limit: pageSize })
    if (!found) return
  }
}
