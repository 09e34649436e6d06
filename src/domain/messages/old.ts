/** Removing messages that are too old, and what remains of them. */
import type { Sql } from '../../db/client.ts'
import { firstIdOf } from '../ids.ts'
import type { OldPage, OldSpan } from '../old.ts'
import { erasedDigest } from './erased-id.ts'
import { openedByCustomer } from './opened.ts'

/**
 * Removes a page of messages with their statuses. Those stay that are still to be sent, that a campaign has not counted
 * yet, and that are of a customer who waits for an answer to them. Of one that was written with an idempotency key the
 * digest remains. In a transaction: who opened a conversation is written down before its first message is gone.
 */
export const removeOldMessages = async (tx: Sql, span: OldSpan): Promise<OldPage> => {
  await noteOpeners(tx, span)
  const { workspaceId } = span
  const [row] = await tx<OldPage[]>`
    with page as materialized (${oldMessages(tx, span)}), gone as materialized (
      select held.* from page cross join lateral (
        select m.id, m.conversation_id, m.idempotency_key from messages m
        where m.workspace_id = ${workspaceId} and m.id = page.id and looked_up(m.id) and m.due_at is null
          and m.status <> 'queued'
          and not (m.sent_by is not distinct from 'campaign' and exists (
            select from campaign_recipients r
            where r.workspace_id = ${workspaceId} and r.campaign_id = m.sent_by_id and r.customer_id = m.customer_id
              and r.outcome = 'queued'))
          and exists (
            select from conversations co
            where co.workspace_id = ${workspaceId} and co.id = m.conversation_id and co.opened_by_customer is not null
              and (co.waiting_since is null or co.waiting_since > m.created_at))
        for update skip locked
      ) held
    ), remaining as (
      insert into removed_messages (workspace_id, conversation_id, key_digest, message_id)
      select ${workspaceId}::uuid, conversation_id, ${erasedDigest(tx, tx`idempotency_key`)}, id
      from gone where idempotency_key is not null
      on conflict do nothing
    ), statuses as (
      delete from message_statuses s
      where s.workspace_id = ${workspaceId} and s.message_id = any(array(select id from gone))
    ), removed as (
      delete from messages m using gone
      where m.workspace_id = ${workspaceId} and m.id = gone.id and looked_up(m.id) returning m.id
    )
    select (select id from page order by id desc limit 1) as last, (select count(*)::integer from page) as looked,
      (select count(*)::integer from removed) as removed`
  return row!
}

const oldMessages = (sql: Sql, { workspaceId, after, olderThan, limit }: OldSpan) => sql`
  select m.id, m.conversation_id from messages m
  where m.workspace_id = ${workspaceId} and m.id > ${after} and m.id < ${firstIdOf(olderThan)}
  order by m.id limit ${limit}`

/** Of conversations of before that was kept. One that somebody holds keeps its messages until the next time. */
const noteOpeners = (tx: Sql, { workspaceId, after, olderThan, limit }: OldSpan) => tx`
  update conversations co set opened_by_customer = ${openedByCustomer(tx)}
  from (
    select held.id from (select distinct page.conversation_id from (${oldMessages(tx, { workspaceId, after, olderThan, limit })}) page) touched
    cross join lateral (
      select c.id from conversations c
      where c.workspace_id = ${workspaceId} and c.id = touched.conversation_id and looked_up(c.id)
        and c.opened_by_customer is null
      for no key update skip locked
    ) held
  ) held
  where co.workspace_id = ${workspaceId} and co.id = held.id and looked_up(co.id)`

/** Whether a message that is gone was written there with this key. */
export const wasRemoved = async (
  sql: Sql,
  p: { workspaceId: string; conversationId: string; idempotencyKey: string },
): Promise<boolean> => {
  const [row] = await sql<{ gone: boolean }[]>`
    select exists (
      select from removed_messages r
      where r.workspace_id = ${p.workspaceId} and r.conversation_id = ${p.conversationId}
        and r.key_digest = ${erasedDigest(sql, sql`${p.idempotencyKey}::text`)}) as gone`
  return row!.gone
}
