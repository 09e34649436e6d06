/** The one place where conversations are opened and messages written, as parts of whichever statement does so. */
import type { Fragment, Sql } from '../../db/client.ts'

/** `rows`: the columns in brackets, what selects them, in order, and what becomes of those that are there already. */
export const openingConversations = (sql: Sql, rows: Fragment) => sql`
  insert into conversations ${rows}
  returning workspace_id, id, channel_id, customer_id`

/** `rows`: the columns in brackets and what selects them, in order. Answers those that were not there yet. */
export const writingMessages = (sql: Sql, rows: Fragment) => sql`
  insert into messages ${rows}
  on conflict do nothing
  returning workspace_id, channel_id, id, conversation_id, customer_id, run_id, run_step, due_at`

/**
 * Counts messages that customers wrote into conversations that were there: `rows` (workspace_id, conversation_id, handle,
 * messages, looks_like, sent_at). Whoever composes it holds these conversations locked.
 */
export const countingReceived = (sql: Sql, rows: Fragment) => sql`
  update conversations c set status = 'open', handle = n.handle, unread = c.unread + n.messages,
    waiting_since = coalesce(c.waiting_since, now()), last_inbound_at = greatest(c.last_inbound_at, n.sent_at),
    active_at = now(), updated_at = now(), looks_like_opt_out = c.looks_like_opt_out or n.looks_like
  from ${rows} n
  where c.workspace_id = n.workspace_id and c.id = n.conversation_id and looked_up(c.id)`
