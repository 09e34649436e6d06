/** Queueing a message: the one way in which anybody (a run, a person, a campaign) has something sent. */
import type { Fragment, Sql } from '../../db/client.ts'
import { tallyingStatuses } from './tally.ts'
import { openingConversations, writingMessages } from './write.ts'

export interface MessageToQueue {
  workspaceId: string
  customerId: string
  channelId: string
  /** The customer's address on the channel. */
  handle: string
  text: string
  /** Of which template the text is, filled in. */
  template: QueuedTemplate | null
  sentBy: { type: 'user' | 'workflow' | 'campaign'; id: string } | null
  /** The visit of a run's step that wrote it, which writes it once, whatever happens twice. */
  writtenBy: { runId: string; position: number } | null
  /** Why it is not to be sent, in words: then it is kept as skipped. */
  skipped: string | null
  /** Of several with the same in one conversation the first counts. */
  idempotencyKey?: string | null
}

export interface QueuedTemplate {
  id: string
  /** It needs an opt-in. */
  marketing: boolean
  /** What a provider with approved templates is handed instead of the text. */
  provider: { name: string; language: string; parameters: string[] } | null
}

/**
 * The parts of a statement that queue messages, to be put behind its `with`: each in the conversation of its customer
 * and channel, which is opened where there is none, and moved where its customer has another address by now. One of
 * them is `queued`, with those that were not there already: `queuedRows` answers them. `which`, a condition on the rows
 * `m` that the messages come as, leaves some out.
 *
 * It waits for no conversation that somebody holds and that is to be moved: it fails at once (55P03), so that those who
 * are written together can be written without whoever it is about. One that is only to be marked as written to, so that
 * it is in front and its customer waits no more, is left as it is where somebody holds it.
 */
export const queueing = (sql: Sql, messages: readonly MessageToQueue[], which: Fragment | null = null) => sql`
  message as materialized (
    select m.*, c.id as known, c.handle is distinct from m.handle as moves from json_to_recordset(${JSON.stringify(messages.map(rowOf))}::text::json) as m(workspace_id uuid,
      customer_id uuid, channel_id uuid, handle text, text text, template_id uuid, marketing boolean,
      provider_template jsonb, sent_by text, sent_by_id uuid, run_id uuid, run_step integer, skipped text,
      idempotency_key text)
    left join lateral (
      select id, handle from conversations c
      where c.workspace_id = m.workspace_id and c.channel_id = m.channel_id and c.customer_id = m.customer_id
        and looked_up(c.id) offset 0
    ) c on true
    ${which === null ? sql`` : sql`${which}`}
  ), written_to as materialized (
    select workspace_id, known as id, bool_or(moves) as moves, (array_agg(handle) filter (where moves))[1] as handle,
      bool_or(skipped is null and sent_by is distinct from 'campaign') as answers
    from message where known is not null group by workspace_id, known
  ), moved as (
    update conversations c set handle = held.handle, ${writtenTo(sql)}
    from (
      select w.* from written_to w
      cross join lateral (
        select c.id from conversations c where c.workspace_id = w.workspace_id and c.id = w.id and looked_up(c.id)
        for no key update nowait
      ) found
      where w.moves
    ) held
    where c.workspace_id = held.workspace_id and c.id = held.id and looked_up(c.id)
  ), touched as (
    update conversations c set ${writtenTo(sql)}
    from (
      select w.* from written_to w
      cross join lateral (
        select c.id from conversations c where c.workspace_id = w.workspace_id and c.id = w.id and looked_up(c.id)
        for no key update skip locked
      ) found
      where not w.moves
    ) held
    where c.workspace_id = held.workspace_id and c.id = held.id and looked_up(c.id)
  ), opened as (
    ${openingConversations(
      sql,
      sql`(workspace_id, channel_id, customer_id, handle, opened_by_customer)
    select distinct on (workspace_id, channel_id, customer_id) workspace_id, channel_id, customer_id, handle, false
    from message where known is null order by workspace_id, channel_id, customer_id
    on conflict (workspace_id, channel_id, customer_id) do update set handle = excluded.handle`,
    )}
  ), opened_by as materialized (
    -- One look for each message: PostgreSQL, which expects a row or two, would go through all that were opened.
    select jsonb_object_agg(concat_ws(' ', workspace_id, channel_id, customer_id), id) as ids from opened
  ), queued as (
    ${writingMessages(
      sql,
      sql`(workspace_id, channel_id, conversation_id, customer_id, direction, text, template_id, marketing, provider_template, sent_by, sent_by_id, run_id, run_step, idempotency_key, status, detail, due_at)
    select m.workspace_id, m.channel_id, coalesce(m.known,
        ((select ids from opened_by) ->> concat_ws(' ', m.workspace_id, m.channel_id, m.customer_id))::uuid), m.customer_id, 'outbound', m.text, m.template_id,
      m.marketing, m.provider_template, m.sent_by, m.sent_by_id, m.run_id, m.run_step, m.idempotency_key,
      case when m.skipped is null then 'queued' else 'skipped' end, m.skipped, case when m.skipped is null then now() end
    from message m
    order by m.run_id, m.run_step`,
    )}
  ), tallied_queued as (${tallyingStatuses(
    sql,
    sql`select workspace_id, case when due_at is null then 'skipped' else 'queued' end as status from queued`,
  )})`

/** Queues one message, written by nobody's run, and answers its id. */
export const queueOne = async (sql: Sql, message: MessageToQueue): Promise<string> => {
  const [row] = await sql<{ id: string }[]>`with ${queueing(sql, [message], sql``)} select id from queued`
  return row!.id
}

/** What a campaign sends answers nobody. */
const writtenTo = (sql: Sql) => sql`
  active_at = now(), updated_at = now(), waiting_since = case when not held.answers then c.waiting_since end`

const rowOf = ({
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
}: MessageToQueue) => ({
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
})
