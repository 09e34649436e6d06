/** Enqueues messages. Runs, people and campaigns all send through this module. */
import type { Fragment, Sql } from '../../platform/postgres/client.ts'
import { countStatuses } from './statistics.ts'
import { insertConversations, insertMessages } from './write.ts'

export interface NewMessage {
  workspaceId: string
  customerId: string
  channelId: string
  /** The customer's address on the channel. */
  handle: string
  text: string
  /** The template that produced the text. */
  template: QueuedTemplate | null
  sentBy: { type: 'user' | 'workflow' | 'campaign'; id: string } | null
  /**
   * The run and step position that wrote the message. The pair is unique, so a repeated step writes the message once.
   */
  writtenBy: { runId: string; position: number } | null
  /** Reason why the message must not be sent. The message is then stored as skipped. */
  skipped: string | null
  /** Unique per conversation: the first message with a key wins. */
  idempotencyKey?: string | null
  /** `traceparent` of the event whose run wrote the message. Defaults to null: no trace. */
  traceparent?: string | null
}

export interface QueuedTemplate {
  id: string
  /** True if the template requires an opt-in. */
  marketing: boolean
  /** Sent instead of the text to a provider that has approved templates. */
  provider: { name: string; language: string; parameters: string[] } | null
}

/**
 * SQL parts that enqueue messages, to be placed after the `with` of a statement. Each message goes into the
 * conversation of its customer and channel. A missing conversation is opened; a changed address is updated. The part
 * `queued` holds the messages that did not exist before; `queuedRows` returns them. `filter`, a condition on the message
 * rows `m`, filters messages.
 *
 * If a conversation whose address must change is locked, the statement fails immediately with 55P03. The caller can
 * then write the other messages without that conversation. A conversation that only needs new activity times is left
 * unchanged while it is locked.
 */
export const enqueueMessages = (sql: Sql, messages: readonly NewMessage[], filter: Fragment | null = null) => sql`
  message as materialized (
    select m.*, c.id as conversation_id, c.handle is distinct from m.handle as changes_address from json_to_recordset(${JSON.stringify(messages.map(toRow))}::text::json) as m(workspace_id uuid,
      customer_id uuid, channel_id uuid, handle text, text text, template_id uuid, marketing boolean,
      provider_template jsonb, sent_by text, sent_by_id uuid, run_id uuid, run_step integer, skipped text,
      idempotency_key text, traceparent text)
    left join lateral (
      select id, handle from conversations c
      where c.workspace_id = m.workspace_id and c.channel_id = m.channel_id and c.customer_id = m.customer_id
        and probe_index(c.id) offset 0
    ) c on true
    ${filter === null ? sql`` : sql`${filter}`}
  ), existing_conversations as materialized (
    select workspace_id, conversation_id as id, bool_or(changes_address) as changes_address, (array_agg(handle) filter (where changes_address))[1] as handle,
      bool_or(skipped is null and sent_by is distinct from 'campaign') as is_answer,
      bool_or(skipped is null and sent_by is not distinct from 'user') as is_reply
    from message where conversation_id is not null group by workspace_id, conversation_id
  ), changed_addresses as (
    update conversations c set handle = locked.handle, ${updateActivity(sql)}
    from (
      select w.* from existing_conversations w
      cross join lateral (
        select c.id from conversations c where c.workspace_id = w.workspace_id and c.id = w.id and probe_index(c.id)
        for no key update nowait
      ) found
      where w.changes_address
    ) locked
    where c.workspace_id = locked.workspace_id and c.id = locked.id and probe_index(c.id)
  ), updated_activity as (
    update conversations c set ${updateActivity(sql)}
    from (
      select w.* from existing_conversations w
      cross join lateral (
        select c.id from conversations c where c.workspace_id = w.workspace_id and c.id = w.id and probe_index(c.id)
        for no key update skip locked
      ) found
      where not w.changes_address
    ) locked
    where c.workspace_id = locked.workspace_id and c.id = locked.id and probe_index(c.id)
  ), opened_conversations as (
    ${insertConversations(
      sql,
      sql`(workspace_id, channel_id, customer_id, handle, opened_by_customer)
    select distinct on (workspace_id, channel_id, customer_id) workspace_id, channel_id, customer_id, handle, false
    from message where conversation_id is null order by workspace_id, channel_id, customer_id
    on conflict (workspace_id, channel_id, customer_id) do update set handle = excluded.handle`,
    )}
  ), opened_ids as materialized (
    -- One lookup per message. PostgreSQL expects a row or two, and would scan all opened conversations.
    select jsonb_object_agg(concat_ws(' ', workspace_id, channel_id, customer_id), id) as ids from opened_conversations
  ), queued as (
    ${insertMessages(
      sql,
      sql`(workspace_id, channel_id, conversation_id, customer_id, direction, text, template_id, marketing, provider_template, sent_by, sent_by_id, run_id, run_step, idempotency_key, traceparent, status, detail, due_at)
    select m.workspace_id, m.channel_id, coalesce(m.conversation_id,
        ((select ids from opened_ids) ->> concat_ws(' ', m.workspace_id, m.channel_id, m.customer_id))::uuid), m.customer_id, 'outbound', m.text, m.template_id,
      m.marketing, m.provider_template, m.sent_by, m.sent_by_id, m.run_id, m.run_step, m.idempotency_key, m.traceparent,
      case when m.skipped is null then 'queued' else 'skipped' end, m.skipped, case when m.skipped is null then now() end
    from message m
    order by m.run_id, m.run_step`,
    )}
  ), queued_stats as (${countStatuses(
    sql,
    sql`select workspace_id, channel_id, case when due_at is null then 'skipped' else 'queued' end as status, detail from queued`,
  )})`

/** Enqueues one message that no run wrote, and returns its id. */
export const enqueueMessage = async (sql: Sql, message: NewMessage): Promise<string> => {
  const [row] = await sql<{ id: string }[]>`with ${enqueueMessages(sql, [message], sql``)} select id from queued`
  return row!.id
}

/** A campaign message does not answer the customer, so `waiting_since` stays. A reply of a person marks the conversation as read. */
const updateActivity = (sql: Sql) => sql`
  active_at = now(), updated_at = now(), waiting_since = case when not locked.is_answer then c.waiting_since end,
  unread = case when locked.is_reply then 0 else c.unread end`

const toRow = ({
  workspaceId,
  customerId,
  channelId,
  handle,
  text,
  template,
  sentBy,
  writtenBy,
  skipped,
  idempotencyKey,
  traceparent,
}: NewMessage) => ({
  workspace_id: workspaceId,
  customer_id: customerId,
  channel_id: channelId,
  handle,
  text,
  template_id: template?.id,
  marketing: template?.marketing ?? false,
  provider_template: template?.provider,
  sent_by: sentBy?.type,
  sent_by_id: sentBy?.id,
  run_id: writtenBy?.runId,
  run_step: writtenBy?.position,
  skipped,
  idempotency_key: idempotencyKey,
  traceparent,
})
