/** SQL parts for answers that do not reach their customer: the customer waits again. */
import type { Fragment, Sql } from '../../platform/postgres/client.ts'

/** Number of newest messages of a conversation that are searched for the one without an answer. */
const maxScanned = 50

/**
 * Lateral join after `found`, a locked message (conversation_id, sent_by). If the message `fails` and was an answer,
 * its conversation is locked too. Returns no row if the conversation is locked, or changed since the statement began.
 * The statement would then not see all messages, so the caller must retry the message.
 */
export const lockConversationOf = (sql: Sql, workspaceId: Fragment, fails: Fragment) => {
  const isLost = sql`(${fails}) and found.sent_by is distinct from 'campaign'`
  const isConversation = sql`
    co.workspace_id = ${workspaceId} and co.id = found.conversation_id and probe_index(co.id)`
  return sql`
    cross join lateral (
      select true as is_locked where (${isLost}) is not true
      union all
      select true from (
        select co.active_at from conversations co where ${isLost} and ${isConversation} for no key update skip locked
      ) locked
      where locked.active_at = (select co.active_at from conversations co where ${isConversation})
    ) conversation`
}

/**
 * SQL parts that make the customers of the answers `lost` (workspace_id, conversation_id, id) wait again. The same
 * statement fails or skips those answers. The wait starts at the first message that needs an answer and that no other answer followed. An answer
 * with status `unknown` may have arrived and ends the wait. A lost answer is no first response.
 */
export const resumeWaiting = (sql: Sql, lost: Fragment) => sql`
  lost_answers as materialized (${lost}), lost_responses as (
    delete from inbox_actions a using lost_answers l
    where a.workspace_id = l.workspace_id and a.id = l.id and probe_index(a.id)
  ), unanswered as (
    select of.workspace_id, of.conversation_id, newest.since
    from (select distinct workspace_id, conversation_id from lost_answers) of
    cross join lateral (
      select min(m.created_at) filter (where m.direction = 'inbound' and not m.opts_out
        and m.created_at > coalesce(m.answered_at, '-infinity')) as since
      from (
        select m.direction, m.created_at, m.opts_out, max(m.created_at) filter (where m.direction = 'outbound'
          and m.sent_by is distinct from 'campaign' and m.status not in ('failed', 'skipped')
          and m.id not in (select id from lost_answers)) over () as answered_at
        from (
          select id, direction, created_at, status, sent_by, opts_out from messages m
          where m.workspace_id = of.workspace_id and m.conversation_id = of.conversation_id
          order by m.id desc limit ${maxScanned}
        ) m
      ) m
    ) newest
  ), waiting_again as (
    update conversations c set waiting_since = u.since, updated_at = now()
    from unanswered u
    where c.workspace_id = u.workspace_id and c.id = u.conversation_id and probe_index(c.id) and c.handle is not null
      and u.since < coalesce(c.waiting_since, 'infinity')
  )`
