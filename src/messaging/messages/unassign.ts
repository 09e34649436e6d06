/** Unassigns the conversations of a user who has left the team. */
import { findMembership } from '../../accounts/members/index.ts'
import { findWorkspacesHere } from '../../accounts/workspace-access/index.ts'
import { inCellOf } from '../../platform/postgres/cells.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { enqueue } from '../../queue/tasks.ts'
import { unassignPage } from './conversation-sql.ts'

/**
 * Maximum number of conversations unassigned within the transaction that removes the user. A background task unassigns
 * the rest.
 */
const maxUnassignedInline = 500
const pageSize = 1000

/** A user who has left the team. */
export interface FormerMember {
  workspaceId: string
  userId: string
}

/** Milliseconds after which no call from before the removal can assign a conversation any more. */
const lastCallMs = 60_000

/**
 * Unassigns conversations. Call it in the transaction that removes the user from the team, after the removal. If the
 * workspace is in another database, tasks unassign all of them: now, and after the calls that still saw the member.
 */
export const unassignConversations = async (tx: Sql, member: FormerMember): Promise<void> => {
  const { workspaceId, userId } = member
  if (!(await findWorkspacesHere(tx, [workspaceId])).has(workspaceId)) {
    for (const inMs of [0, lastCallMs])
      await enqueue(tx, 'release_conversations', member, `release:${workspaceId}:${userId}:${inMs}`, inMs)
    return
  }
  const { found } = await unassignPage(tx, { ...member, limit: maxUnassignedInline })
  if (found) await enqueue(tx, 'release_conversations', member, `release:${workspaceId}:${userId}`)
}

/**
 * Unassigns the remaining conversations in pages; idempotent. A user who has rejoined keeps their conversations. The
 * check before each page is a statement of its own, because members belong to the directory.
 */
export const unassignRemaining = async (sql: Sql, member: FormerMember): Promise<void> => {
  while ((await findMembership(sql, member.workspaceId, member.userId)) === null) {
    const { found } = await inCellOf(sql, member.workspaceId, cell =>
      unassignPage(cell, { ...member, limit: pageSize }),
    )
    if (!found) return
  }
}
