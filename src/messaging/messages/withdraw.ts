/** SQL parts that withdraw queued messages before a worker begins to send them. */
import type { Fragment, Sql } from '../../platform/postgres/client.ts'
import { countStatuses } from './statistics.ts'
import { lockConversationOf, resumeWaiting } from './unanswered.ts'

/**
 * SQL parts that skip the messages named by `rows` (workspace_id, message_id) that are queued and whose sending has not started.
 * `withdrawn` holds the skipped messages. Locked messages are passed over, because their holder is about to begin or
 * settle them. They get their outcome from the holder, or are withdrawn in a later run.
 */
export const withdrawMessages = (sql: Sql, rows: Fragment, detail: string) => sql`
  withdrawable as materialized (
    select found.workspace_id, found.id from (${rows}) i
    cross join lateral (
      select m.workspace_id, m.id, m.conversation_id, m.sent_by from messages m
      where m.workspace_id = i.workspace_id and m.id = i.message_id and probe_index(m.id)
        and m.status = 'queued' and m.send_started_at is null
      for no key update skip locked
    ) found ${lockConversationOf(sql, sql`found.workspace_id`, sql`true`)}
  ), withdrawn as (
    update messages m set status = 'skipped', detail = ${detail}, due_at = null, updated_at = now()
    from withdrawable w where m.workspace_id = w.workspace_id and m.id = w.id and probe_index(m.id)
    returning m.workspace_id, m.channel_id, m.id, m.conversation_id, m.sent_by, m.detail
  ), withdrawn_statuses as (
    insert into message_statuses (workspace_id, message_id, status, detail)
    select workspace_id, id, 'skipped', ${detail} from withdrawn
  ), withdrawal_stats as (${countStatuses(sql, sql`select workspace_id, channel_id, 'skipped' as status, detail from withdrawn`)}), ${resumeWaiting(
    sql,
    sql`select workspace_id, conversation_id, id from withdrawn where sent_by is distinct from 'campaign'`,
  )}`
