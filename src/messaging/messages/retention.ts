/** Retention of messages: removes old messages and keeps digests of their idempotency keys. */

import { minIdAt } from '../../core/ids.ts'
import type { RetentionRange, RetentionResult } from '../../core/retention.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { erasedDigest } from './erased-id.ts'

/**
 * Removes a page of old messages with their statuses. Keeps messages that are still queued, that a campaign has not
 * counted yet, or that a waiting customer needs answered. For a message with an idempotency key, a digest remains.
 */
export const removeOldMessages = async (tx: Sql, span: RetentionRange): Promise<RetentionResult> => {
  const { workspaceId } = span
  const [row] = await tx<RetentionResult[]>`
    with page as materialized (${oldMessages(tx, span)}), removable as materialized (
      select locked.* from page cross join lateral (
        select m.id, m.conversation_id, m.idempotency_key from messages m
        where m.workspace_id = ${workspaceId} and m.id = page.id and probe_index(m.id) and m.due_at is null
          and m.status <> 'queued'
          and not (m.sent_by is not distinct from 'campaign' and exists (
            select from campaign_recipients r
            where r.workspace_id = ${workspaceId} and r.campaign_id = m.sent_by_id and r.customer_id = m.customer_id
              and r.outcome = 'queued'))
          and exists (
            select from conversations co
            where co.workspace_id = ${workspaceId} and co.id = m.conversation_id
              and (co.waiting_since is null or co.waiting_since > m.created_at))
        for update skip locked
      ) locked
    ), tombstones as (
      insert into removed_messages (workspace_id, conversation_id, key_digest, message_id)
      select ${workspaceId}::uuid, conversation_id, ${erasedDigest(tx, tx`idempotency_key`)}, id
      from removable where idempotency_key is not null
      on conflict do nothing
    ), statuses as (
      delete from message_statuses s
      where s.workspace_id = ${workspaceId} and s.message_id = any(array(select id from removable))
    ), removed as (
      delete from messages m using removable
      where m.workspace_id = ${workspaceId} and m.id = removable.id and probe_index(m.id) returning m.id
    )
    select (select id from page order by id desc limit 1) as last, (select count(*)::integer from page) as scanned,
      (select count(*)::integer from removed) as removed`
  return row!
}

const oldMessages = (sql: Sql, { workspaceId, after, olderThan, limit }: RetentionRange) => sql`
  select m.id, m.conversation_id from messages m
  where m.workspace_id = ${workspaceId} and m.id > ${after} and m.id < ${minIdAt(olderThan)}
  order by m.id limit ${limit}`

/** Returns whether a removed message was written in the conversation with this idempotency key. */
export const wasRemoved = async (
  sql: Sql,
  p: { workspaceId: string; conversationId: string; idempotencyKey: string },
): Promise<boolean> => {
  const [row] = await sql<{ removed: boolean }[]>`
    select exists (
      select from removed_messages r
      where r.workspace_id = ${p.workspaceId} and r.conversation_id = ${p.conversationId}
        and r.key_digest = ${erasedDigest(sql, sql`${p.idempotencyKey}::text`)}) as removed`
  return row!.removed
}
