/** SQL that opens conversations and inserts messages. All statements that do so use these parts. */
import type { Fragment, Sql } from '../../platform/postgres/client.ts'

/** `rows`: the columns in parentheses, the query or values, and the conflict clause. */
export const insertConversations = (sql: Sql, rows: Fragment) => sql`
  insert into conversations ${rows}
  returning workspace_id, id, channel_id, customer_id`

/** `rows`: the columns in parentheses and the ordered query. Returns only messages that did not exist before. */
export const insertMessages = (sql: Sql, rows: Fragment) => sql`
  insert into messages ${rows}
  on conflict do nothing
  returning workspace_id, channel_id, id, conversation_id, customer_id, run_id, run_step, due_at, detail`

/**
 * Counts customer messages in existing conversations, and opens closed ones. A message that needs an answer starts a wait
 * in a conversation without one. The wait of a closed conversation ends. `rows` has (workspace_id, conversation_id, handle,
 * messages, looks_like, needs_answer, sent_at). The caller must hold locks on these conversations.
 */
export const countReceived = (sql: Sql, rows: Fragment) => sql`
  update conversations c set status = 'open', handle = n.handle, unread = c.unread + n.messages,
    waiting_since = coalesce(case when c.status = 'open' then c.waiting_since end, case when n.needs_answer then now() end),
    last_inbound_at = greatest(c.last_inbound_at, n.sent_at),
    active_at = now(), updated_at = now(), looks_like_opt_out = c.looks_like_opt_out or n.looks_like
  from ${rows} n
  where c.workspace_id = n.workspace_id and c.id = n.conversation_id and probe_index(c.id)`
