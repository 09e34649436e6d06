import { recordChanges } from '../../core/changes/index.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { type Emitted, emit, emitEvents, emitResult } from '../../webhooks/emit/index.ts'
import { isErasedId, matchesId } from './erased-id.ts'
import { eventOfRun } from './event-of-run.ts'
import { countStatuses } from './statistics.ts'
import { lockConversationOf, resumeWaiting } from './unanswered.ts'

/** Identifies a message by the provider's id. */
export interface ProviderMessage {
  workspaceId: string
  channelId: string
  providerMessageId: string
}

/** A status reported by a provider. */
export interface ReportedStatus extends ProviderMessage {
  /** Our own id of the message, if the provider echoes it. */
  messageId: string | null
  status: 'sent' | 'delivered' | 'read' | 'failed'
  detail: string | null
  /** Time of the status according to the provider. */
  at: Date | null
}

/** Indexes into the input. */
export interface RecordResult {
  /** Statuses whose message is locked; the caller must retry them. */
  locked: Set<number>
  /** Statuses whose message does not exist, or does not exist yet. */
  early: Set<number>
}

/**
 * Records provider statuses in one statement, and emits an event for each delivered, read or failed status that changes
 * its message. A message is found by our id, otherwise by the provider's id. Statuses without a message are stored as
 * early statuses.
 *
 * A status changes its message if it ranks above all earlier ones (queued and unknown, sent, delivered, read). A
 * failure changes a message that was not delivered. It is final, unless a delivery has a newer provider time. A status
 * that changes nothing is still stored, but never twice.
 *
 * A queued or `unknown` message is settled by its status. If an answer fails, its customer waits again. The statement
 * skips locked messages and, for failures, locked conversations.
 */
export const recordReported = async (sql: Sql, reported: readonly ReportedStatus[]): Promise<RecordResult> => {
  const rows = reported.map(({ workspaceId, channelId, messageId, providerMessageId, status, detail, at }, index) => ({
    position: index,
    workspace_id: workspaceId,
    channel_id: channelId,
    message_id: messageId,
    provider_message_id: providerMessageId,
    status,
    detail,
    provider_at: at,
  }))
  // Most messages succeed, so the statement omits the parts for failures if there are none.
  const someFail = reported.some(({ status }) => status === 'failed')
  const statement = sql<
    { locked: number[]; early: number[]; changed: { workspaceId: string; id: string }[]; emitted: Emitted | null }[]
  >`
    with input as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}::text::json) as i(position integer, workspace_id uuid,
        channel_id uuid, message_id uuid, provider_message_id text, status text, detail text, provider_at timestamptz)
    ), identified as materialized (
      select i.*, coalesce(own.id, known.id) as id, known.id is null as by_message_id
      from input i
      left join lateral (
        select m.id from messages m
        where m.workspace_id = i.workspace_id and m.id = i.message_id and m.channel_id = i.channel_id
          and m.direction = 'outbound' and probe_index(m.id) offset 0
      ) own on true
      left join lateral (
        select m.id from messages m
        where m.workspace_id = i.workspace_id and m.channel_id = i.channel_id and m.direction = 'outbound'
          and ${matchesId(sql, sql`m.provider_message_id`, sql`i.provider_message_id`)} limit 1
      ) known on true
    ), locked as materialized (
      select n.workspace_id, found.*
      from (
        select workspace_id, id, bool_or(status = 'failed') as may_fail from identified where id is not null
        group by workspace_id, id
      ) n
      cross join lateral (
        select m.id, m.status, m.conversation_id, m.customer_id, m.run_id, m.sent_by, m.provider_message_id, m.traceparent,
          m.text is null as is_erased
        from messages m where m.workspace_id = n.workspace_id and m.id = n.id and probe_index(m.id)
        for no key update skip locked
      ) found
      ${someFail ? lockConversationOf(sql, sql`n.workspace_id`, sql`n.may_fail`) : sql``}
    ), new_statuses as materialized (
      select n.workspace_id, n.channel_id, n.id, n.position, n.status, case when not h.is_erased then n.detail end as detail,
        n.provider_at, n.provider_message_id, n.by_message_id, h.status as before, h.conversation_id, h.customer_id, h.run_id,
        case when ${isErasedId(sql, sql`h.provider_message_id`)} or h.is_erased and h.provider_message_id is null then ''
          else coalesce(h.provider_message_id, n.provider_message_id) end as reported_id,
        h.is_erased, h.traceparent,
        case n.status when 'sent' then 1 when 'delivered' then 2 when 'read' then 3 end as rank,
        case h.status when 'sent' then 1 when 'failed' then 1 when 'delivered' then 2 when 'read' then 3 else 0 end as rank_before,
        case when h.status = 'failed' then known.failed_at end as failed_before
      from (
        select distinct on (workspace_id, id, status) * from identified where id is not null
        order by workspace_id, id, status, position
      ) n
      join locked h on h.workspace_id = n.workspace_id and h.id = n.id
      cross join lateral (
        select coalesce(bool_or(s.status = n.status), false) as is_recorded,
          max(coalesce(s.provider_at, s.at)) filter (where s.status = 'failed') as failed_at
        from message_statuses s where s.workspace_id = n.workspace_id and s.message_id = n.id
      ) known
      where h.status in ('queued', 'unknown', 'sent', 'delivered', 'read', 'failed') and not known.is_recorded
    ), ranked as (
      select *, greatest(rank_before, coalesce(max(rank) over (partition by workspace_id, id order by position
        rows between unbounded preceding and 1 preceding), 0)) as rank_reached
      from new_statuses
    ), failing as (
      select *, status = 'failed' and before <> 'failed' and rank_reached < 2 as is_failure from ranked
    ), failed as (
      select *, coalesce(min(position) filter (where is_failure) over per_message, case when before = 'failed' then -1 end) as failed_position,
        coalesce(min(coalesce(provider_at, now())) filter (where is_failure) over per_message, failed_before) as failed_at
      from failing window per_message as (partition by workspace_id, id)
    ), evaluated as materialized (
      select *, is_failure or coalesce(rank > rank_reached and (failed_position is null or position < failed_position
        or rank >= 2 and provider_at > failed_at), false) as changes_message
      from failed
    ), changed_messages as (
      update messages m set status = last.status, detail = last.detail, due_at = null, updated_at = now(),
        sent_at = coalesce(m.sent_at, now()),
        provider_message_id = coalesce(m.provider_message_id,
          case when last.by_message_id and not last.is_erased then last.provider_message_id end)
      from (
        select distinct on (workspace_id, id) * from evaluated where changes_message order by workspace_id, id, position desc
      ) last
      where m.workspace_id = last.workspace_id and m.id = last.id and probe_index(m.id)
      returning m.workspace_id, m.id, m.conversation_id, m.status, m.sent_by
    )${
      someFail
        ? sql`, ${resumeWaiting(
            sql,
            sql`select workspace_id, conversation_id, id from changed_messages
              where status = 'failed' and sent_by is distinct from 'campaign'`,
          )}`
        : sql``
    }, recorded_statuses as (
      insert into message_statuses (workspace_id, message_id, status, detail, provider_at)
      select workspace_id, id, status, detail, provider_at from evaluated order by position
    ), stats as (${countStatuses(sql, sql`select workspace_id, channel_id, status, detail from evaluated`)}), stored_early as (
      insert into early_statuses (workspace_id, channel_id, provider_message_id, status, detail, provider_at)
      select distinct on (n.workspace_id, n.channel_id, n.provider_message_id, n.status)
        n.workspace_id, n.channel_id, n.provider_message_id, n.status, n.detail, n.provider_at
      from identified n
      where n.id is null and not exists (
        select from early_statuses e where e.workspace_id = n.workspace_id and e.channel_id = n.channel_id
          and e.provider_message_id = n.provider_message_id and e.status = n.status)
      order by n.workspace_id, n.channel_id, n.provider_message_id, n.status, n.position
    ), ${emitEvents(sql, 'message.status', {
      rows: sql`evaluated where changes_message and status in ('delivered', 'read', 'failed') order by id, position`,
      workspaceId: sql`workspace_id`,
      customerId: sql`customer_id`,
      traceparent: sql`traceparent`,
      data: {
        conversationId: sql`conversation_id`,
        providerMessageId: sql`reported_id`,
        status: sql`status`,
        detail: sql`detail`,
        messageId: sql`id`,
        customerId: sql`customer_id`,
        eventId: eventOfRun(sql, sql`evaluated`),
      },
    })}
    select coalesce((select json_agg(position) from identified n where n.id is not null and not exists (
        select from locked h where h.workspace_id = n.workspace_id and h.id = n.id)), '[]') as locked,
      coalesce((select json_agg(position) from identified where id is null), '[]') as early,
      coalesce((select json_agg(json_build_object('workspaceId', workspace_id, 'id', id)) from changed_messages), '[]') as changed,
      ${emitResult(sql)} as emitted`
  const [row] = await emit(sql, statement)
  recordChanges(sql, 'message', row!.changed)
  return { locked: new Set(row!.locked), early: new Set(row!.early) }
}

/**
 * Returns when a customer's message arrived, or when the first failure of an outbound message was recorded. Returns
 * null if neither is known.
 */
export const findFirstRecordedAt = async (sql: Sql, p: ProviderMessage): Promise<Date | null> => {
  const { workspaceId, channelId, providerMessageId } = p
  const [row] = await sql<{ at: Date | null }[]>`
    select case m.direction when 'inbound' then m.created_at else (
        select min(s.at) from message_statuses s
        where s.workspace_id = m.workspace_id and s.message_id = m.id and s.status = 'failed') end as at
    from messages m
    where m.workspace_id = ${workspaceId} and m.channel_id = ${channelId} and m.direction in ('inbound', 'outbound')
      and ${matchesId(sql, sql`m.provider_message_id`, sql`${providerMessageId}::text`)}
    limit 1`
  return row?.at ?? null
}

/** A status that arrived before its message was recorded. */
export interface EarlyStatus extends ProviderMessage {
  id: string
  status: ReportedStatus['status']
  detail: string | null
  at: Date | null
}

const maxEarly = 20

/** Selects the early statuses of those of these messages that now exist. */
export const findEarlyStatuses = (sql: Sql, messages: readonly ProviderMessage[]) => sql<EarlyStatus[]>`
  select e.workspace_id as "workspaceId", e.channel_id as "channelId", e.provider_message_id as "providerMessageId", e.id,
    e.status, e.detail, e.provider_at as at
  from (
    select distinct * from unnest(${messages.map(one => one.workspaceId)}::uuid[], ${messages.map(one => one.channelId)}::uuid[],
      ${messages.map(one => one.providerMessageId)}::text[]) as i(workspace_id, channel_id, provider_message_id)
  ) i
  cross join lateral (
    select * from early_statuses e where e.workspace_id = i.workspace_id and e.channel_id = i.channel_id
      and e.provider_message_id = i.provider_message_id
    order by e.id limit ${maxEarly}
  ) e
  where exists (
    select from messages m where m.workspace_id = i.workspace_id and m.channel_id = i.channel_id
      and m.direction = 'outbound' and m.provider_message_id = i.provider_message_id offset 0)
  order by e.id`

export const deleteEarlyStatuses = (sql: Sql, statuses: readonly EarlyStatus[]) => sql`
  delete from early_statuses e
  using unnest(${statuses.map(one => one.workspaceId)}::uuid[], ${statuses.map(one => one.channelId)}::uuid[],
    ${statuses.map(one => one.providerMessageId)}::text[], ${statuses.map(one => one.id)}::uuid[])
    as i(workspace_id, channel_id, provider_message_id, id)
  where e.workspace_id = i.workspace_id and e.channel_id = i.channel_id and e.provider_message_id = i.provider_message_id
    and e.id = i.id`

/**
 * Deletes at most `limit` early statuses older than 7 days, because they match no message of this service.
 */
export const deleteOldEarlyStatuses = (sql: Sql, limit: number) => sql`
  delete from early_statuses where ctid = any(array(
    select ctid from early_statuses where at < now() - interval '7 days' order by at limit ${limit}))`
