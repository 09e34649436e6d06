/** Queueing a message: the one way in which anybody (a run, a person, a campaign) has something sent. */
import type { Fragment, Sql } from '../../db/client.ts'

export interface MessageToQueue {
  workspaceId: string
  customerId: string
  channelId: string
  /** The customer's address on the channel. */
  handle: string
  text: string
  /** The visit of a run's step that wrote it, which writes it once, whatever happens twice. */
  writtenBy: { runId: string; position: number } | null
}

/**
 * The parts of a statement that queue messages, to be put behind its `with`: each in the conversation of its customer
 * and channel, which is opened where there is none, and moved where its customer has another address by now. The last of
 * them is `queued`, with those that were not there already: `queuedRows` answers them. `which`, a condition on the rows
 * `m` that the messages come as, leaves some out.
 *
 * It waits for no conversation that somebody holds and that is to be moved: it fails at once (55P03), so that those who
 * are written together can be written without whoever it is about.
 */
export const queueing = (sql: Sql, messages: readonly MessageToQueue[], which: Fragment | null = null) => sql`
  message as materialized (
    select m.*, c.id as known, c.handle is distinct from m.handle as moves from json_to_recordset(${JSON.stringify(messages.map(rowOf))}::text::json) as m(workspace_id uuid,
      customer_id uuid, channel_id uuid, handle text, text text, run_id uuid, run_step integer)
    left join lateral (
      select id, handle from conversations c
      where c.workspace_id = m.workspace_id and c.channel_id = m.channel_id and c.customer_id = m.customer_id
        and looked_up(c.id) offset 0
    ) c on true
    ${which === null ? sql`` : sql`${which}`}
  ), moved as (
    update conversations c set handle = held.handle
    from (
      select m.workspace_id, m.handle, found.id
      from (select distinct on (known) * from message where known is not null and moves order by known) m
      cross join lateral (
        select c.id from conversations c where c.workspace_id = m.workspace_id and c.id = m.known and looked_up(c.id)
        for no key update nowait
      ) found
    ) held
    where c.workspace_id = held.workspace_id and c.id = held.id and looked_up(c.id)
  ), opened as (
    insert into conversations (workspace_id, channel_id, customer_id, handle)
    select distinct on (workspace_id, channel_id, customer_id) workspace_id, channel_id, customer_id, handle
    from message where known is null order by workspace_id, channel_id, customer_id
    on conflict (workspace_id, channel_id, customer_id) do update set handle = excluded.handle
    returning workspace_id, id, channel_id, customer_id
  ), queued as (
    insert into messages (workspace_id, channel_id, conversation_id, customer_id, direction, text, status, run_id, run_step, due_at)
    select m.workspace_id, m.channel_id, coalesce(m.known, o.id), m.customer_id, 'outbound', m.text, 'queued', m.run_id,
      m.run_step, now()
    from message m
    left join opened o on m.known is null and o.workspace_id = m.workspace_id and o.channel_id = m.channel_id
      and o.customer_id = m.customer_id
    order by m.run_id, m.run_step
    on conflict do nothing
    returning workspace_id, channel_id, id, customer_id, run_id, run_step
  )`

const rowOf = ({ workspaceId, customerId, channelId, handle, text, writtenBy }: MessageToQueue) => ({
  workspace_id: workspaceId,
  customer_id: customerId,
  channel_id: channelId,
  handle,
  text,
  run_id: writtenBy?.runId ?? null,
  run_step: writtenBy?.position ?? null,
})
