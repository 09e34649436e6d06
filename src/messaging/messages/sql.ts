import type { Fragment, Sql } from '../../platform/postgres/client.ts'
import { type ActorKey, epoch, type PolledPage, selectDueActors } from '../../queue/queue.ts'
import { type Emitted, emit, emitEvents, emitResult } from '../../webhooks/emit/index.ts'
import type { ChannelKind, SandboxDelivery } from '../channels/index.ts'
import { eventOfRun } from './event-of-run.ts'
import { optOutByAddress } from './opted-out.ts'
import { countStatuses } from './statistics.ts'
import { lockConversationOf, resumeWaiting } from './unanswered.ts'

export interface DueMessage {
  id: string
  workspaceId: string
  channelId: string
  customerId: string
  channelKind: ChannelKind
  /** Status of the channel when the row was read. */
  channelStatus: 'connected' | 'failing' | 'disconnected'
  /** Encrypted. */
  credentials: Buffer | null
  sandboxDelivery: SandboxDelivery
  handle: string
  text: string
  /** Sent instead of the text to a provider that has approved templates. */
  template: { name: string; language: string; parameters: string[] } | null
  /** True if the text comes from a template, whether or not the provider gets `template`. */
  isTemplate: boolean
  /** True if the template requires an opt-in. */
  marketing: boolean
  sentBy: 'user' | 'workflow' | 'campaign' | null
  optedOut: boolean
  /** Words with which another customer with the same address has opted out; otherwise null. */
  addressOptOut: string | null
  optedIn: boolean
  /** True if the customer opened the conversation. Null unless a person wrote the message. */
  customerOpened: boolean | null
  /** True if the customer was erased after the message was written. */
  erased: boolean
  /** Milliseconds since the customer last wrote in this conversation; null if they never did. */
  sinceInboundMs: number | null
  /** True if an earlier attempt started and its outcome was never recorded. */
  sendStarted: boolean
  /**
   * Earlier messages of the same conversation that are not settled, within `maxAhead`. `count` is their number.
   * `dueInMs` is when the last one that has not started is due. `inFlightMs` is how long the oldest started one has been in flight.
   * Null if there are none, if sending of this message has started, and for channels without credentials.
   */
  ahead: { count: number; dueInMs: number | null; inFlightMs: number | null } | null
  /** Number of times the provider asked for a later attempt. */
  retries: number
  /** Milliseconds since the message became due. */
  lateMs: number
  /** `traceparent` of the event whose run wrote the message. Null without a trace. */
  traceparent: string | null
  /** Milliseconds since the message was queued. */
  queuedMs: number
}

/** A page of one channel's queue, and when its first row is due, including in-flight rows: see `QueueRead`. */
export interface DueMessagesPage {
  due: DueMessage[]
  /** Undefined if unknown, because all due rows are in flight. */
  firstMs: number | null | undefined
  /** Milliseconds for which the channel is paused; no message may be sent earlier. Read only if a message is due. */
  pausedMs: number
}

/**
 * Reads a page of one channel's due messages, except those in flight and those due before `from`. A person's plain
 * reply goes to a customer who opened the conversation, even if they have opted out (contract 9.5).
 */
export const findDueMessages = async (
  sql: Sql,
  p: { workspaceId: string; channelId: string; limit: number; except: string[]; from?: Date },
): Promise<DueMessagesPage> => {
  const { workspaceId, channelId, limit, except, from = epoch } = p
  const rows = await sql<(DueMessage & { firstMs: number; pausedMs: number })[]>`
  select m.id, m.workspace_id as "workspaceId", m.channel_id as "channelId", m.customer_id as "customerId",
    ch.kind as "channelKind", ch.status as "channelStatus", ch.credentials, ch.sandbox_delivery as "sandboxDelivery",
    greatest(extract(epoch from ch.paused_until - now()) * 1000, 0)::double precision as "pausedMs",
    co.handle, m.text, m.provider_template as template, m.template_id is not null as "isTemplate", m.marketing,
    m.sent_by as "sentBy", c.opted_in_at is not null as "optedIn", c.erased_at is not null as erased,
    case when m.sent_by = 'user' then (select co.opened_by_customer from conversations co
      where co.workspace_id = m.workspace_id and co.id = m.conversation_id and probe_index(co.id)) end as "customerOpened",
    (extract(epoch from now() - co.last_inbound_at) * 1000)::double precision as "sinceInboundMs",
    c.opted_out_at is not null as "optedOut", case when c.opted_out_at is null then
      ${optOutByAddress(sql, sql`m.workspace_id`, sql`co.handle`, sql`m.customer_id`)} end as "addressOptOut", m.send_started_at is not null as "sendStarted", m.retries,
    case when ch.credentials is not null and m.send_started_at is null then ${unsettledAhead(sql)} end as ahead,
    (extract(epoch from now() - m.due_at) * 1000)::double precision as "lateMs",
    (extract(epoch from now() - m.created_at) * 1000)::double precision as "queuedMs", m.traceparent,
    floor(extract(epoch from (select due_at from messages
      where workspace_id = ${workspaceId} and channel_id = ${channelId} and due_at >= ${from}
      order by due_at limit 1)) * 1000)::double precision as "firstMs"
  from messages m
  join channels ch on ch.workspace_id = m.workspace_id and ch.id = m.channel_id
  cross join lateral (
    select handle, last_inbound_at from conversations co
    where co.workspace_id = m.workspace_id and co.id = m.conversation_id and probe_index(co.id) offset 0
  ) co
  cross join lateral (
    select opted_out_at, opted_in_at, erased_at from customers c where c.workspace_id = m.workspace_id and c.id = m.customer_id offset 0
  ) c
  where m.workspace_id = ${workspaceId} and m.channel_id = ${channelId} and m.due_at >= ${from} and m.due_at <= now()
    and m.id <> all(${except}::uuid[])
  order by m.due_at, m.id limit ${limit}`
  const firstMs = rows[0]?.firstMs ?? (except.length === 0 ? null : undefined)
  return {
    due: rows.map(({ firstMs: _, pausedMs: __, ...message }) => message),
    firstMs,
    pausedMs: rows[0]?.pausedMs ?? 0,
  }
}

/**
 * Number of earlier messages of a conversation that are checked, regardless of sender. Messages further ahead are
 * covered by the checks of these.
 */
const maxAhead = 50

const unsettledAhead = (sql: Sql) => sql`
  (select json_build_object('count', count(*),
      'dueInMs', max((extract(epoch from e.due_at - now()) * 1000)::double precision) filter (where e.send_started_at is null),
      'inFlightMs', max((extract(epoch from now() - e.send_started_at) * 1000)::double precision))
    from (
      select e.due_at, e.send_started_at from messages e
      where e.workspace_id = m.workspace_id and e.conversation_id = m.conversation_id and e.id < m.id
      order by e.id desc limit ${maxAhead}
    ) e
    where e.due_at is not null having count(*) > 0)`

/**
 * Returns the milliseconds, by the database clock, until the channel's next message is due. A pause of the channel is
 * included. Returns null if no message is queued.
 */
export const findNextDueMessage = async (sql: Sql, workspaceId: string, channelId: string, from = epoch) => {
  const [row] = await sql<{ inMs: number | null }[]>`
    select (extract(epoch from greatest(min(m.due_at), case when min(m.due_at) is not null then
        (select paused_until from channels where workspace_id = ${workspaceId} and id = ${channelId}) end)
      - clock_timestamp()) * 1000)::double precision as "inMs"
    from messages m where m.workspace_id = ${workspaceId} and m.channel_id = ${channelId} and m.due_at >= ${from}`
  return row?.inMs ?? null
}

/** Identifies a message across workspaces. */
export type MessageId = Pick<DueMessage, 'workspaceId' | 'id'>

/**
 * SQL parts that lock the messages of `input` that are still `open`, a condition on `m` and `i`. `locked` has the rows
 * that were locked. `busy` has the open rows that another transaction holds: they are skipped to avoid waiting, and
 * the caller must retry them. `extraLocks` adds a lateral join on `found` that locks further rows.
 */
const lockMessages = (sql: Sql, open: Fragment, extraLocks: Fragment | null = null) => sql`
  locked as materialized (
    select i.* from input i cross join lateral (
      select m.id, m.conversation_id, m.sent_by from messages m
      where m.workspace_id = i.workspace_id and m.id = i.id and ${open} and probe_index(m.id)
      for no key update skip locked
    ) found ${extraLocks === null ? sql`` : sql`${extraLocks}`}
  ), busy as (
    select i.id from input i
    where i.id not in (select id from locked)
      and (select ${open} from messages m where m.workspace_id = i.workspace_id and m.id = i.id and probe_index(m.id))
  )`

/**
 * Marks the start of sending messages, in a separate commit before any of them is sent. Returns the ids of those that were not
 * marked yet. A marked message may have reached its provider. It becomes due again after `recheckMs`; its sender must
 * have settled it before, or have stopped. Locked messages are skipped and stay due. They must be read again, because
 * whether they may be sent can change.
 */
export const markSendStarted = async (sql: Sql, messages: MessageId[], recheckMs: number): Promise<Set<string>> => {
  const marked = await sql<{ id: string }[]>`
    with input as materialized (
      select * from unnest(${messages.map(({ workspaceId }) => workspaceId)}::uuid[],
        ${messages.map(({ id }) => id)}::uuid[]) as i(workspace_id, id)
    ), ${lockMessages(sql, sql`m.status = 'queued' and m.send_started_at is null`)}
    update messages m set send_started_at = clock_timestamp(), due_at = clock_timestamp() + ${recheckMs} * interval '1 millisecond'
    from locked i where m.workspace_id = i.workspace_id and m.id = i.id and probe_index(m.id)
    returning m.id`
  return idsOf(marked)
}

/** A message that the provider did not accept yet: the delay, and how often it had been put off before. */
export type RetriedMessage = MessageId & Pick<DueMessage, 'retries'> & { afterMs: number }

/**
 * Makes messages due again later and clears the mark of their start. The `retries` count is the guard: a repeated call does
 * not clear the mark of a later attempt. Returns the ids of locked messages, which the caller must retry.
 */
export const retryMessages = async (sql: Sql, messages: RetriedMessage[]): Promise<Set<string>> => {
  const locked = await sql<{ id: string }[]>`
    with input as materialized (
      select * from unnest(${messages.map(({ workspaceId }) => workspaceId)}::uuid[],
        ${messages.map(({ id }) => id)}::uuid[], ${messages.map(({ retries }) => retries)}::smallint[],
        ${messages.map(({ afterMs }) => afterMs)}::double precision[]) as i(workspace_id, id, retries, after_ms)
    ), ${lockMessages(sql, sql`m.status = 'queued' and m.retries = i.retries`)}, retried as (
      update messages m set send_started_at = null, retries = least(m.retries + 1, 32767), updated_at = now(),
        due_at = clock_timestamp() + i.after_ms * interval '1 millisecond'
      from locked i where m.workspace_id = i.workspace_id and m.id = i.id and probe_index(m.id)
    )
    select id from busy`
  return idsOf(locked)
}

/** A message that this process cannot send, and the delay before it is due again for other processes. */
export type DeferredMessage = MessageId & { leftMs: number }

/**
 * Makes due messages due again later, for another process. The mark of a start stays. While the sender of a marked message is
 * alive, the message is not due and stays unchanged. Returns the ids of locked messages, which the caller must retry.
 */
export const deferMessages = async (sql: Sql, messages: DeferredMessage[]): Promise<Set<string>> => {
  const locked = await sql<{ id: string }[]>`
    with input as materialized (
      select * from unnest(${messages.map(({ workspaceId }) => workspaceId)}::uuid[],
        ${messages.map(({ id }) => id)}::uuid[], ${messages.map(({ leftMs }) => leftMs)}::double precision[])
        as i(workspace_id, id, left_ms)
    ), ${lockMessages(sql, sql`m.status = 'queued' and m.due_at <= clock_timestamp()`)}, deferred as (
      update messages m set due_at = clock_timestamp() + i.left_ms * interval '1 millisecond'
      from locked i where m.workspace_id = i.workspace_id and m.id = i.id and probe_index(m.id)
    )
    select id from busy`
  return idsOf(locked)
}

const idsOf = (rows: readonly { id: string }[]): Set<string> => new Set(rows.map(({ id }) => id))

/** Status changes of a message, in order. The last one is the current status. */
export interface MessageSettlement {
  workspaceId: string
  id: string
  providerMessageId: string | null
  /** Set for a provider that reports statuses by callback: some may have arrived before this is recorded. */
  callbackChannel?: { channelId: string }
  statuses: { status: 'sent' | 'delivered' | 'read' | 'failed' | 'skipped' | 'unknown'; detail: string | null }[]
}

/**
 * Records the outcome of queued messages and emits events for those delivered, read or failed, in one statement. Only
 * messages that are queued or `unknown` change, so a repeated call records and emits nothing more. An `unknown` message
 * accepts a late outcome.
 *
 * Returns the ids of locked messages: they are skipped to avoid waiting, and the caller must retry them. This includes
 * a failed or skipped answer whose conversation is locked, because the statement must update that conversation.
 */
export const settleMessages = async (sql: Sql, settlements: MessageSettlement[]): Promise<Set<string>> => {
  const rows = settlements.map(({ workspaceId, id, providerMessageId, statuses }) => {
    const last = statuses.at(-1)
    return {
      workspace_id: workspaceId,
      id,
      provider_message_id: providerMessageId,
      status: last?.status,
      detail: last?.detail,
      statuses,
    }
  })
  const isLost = ({ status }: { status?: string }) => status === 'failed' || status === 'skipped'
  // Most messages succeed, so the statement omits the parts for failures if there are none.
  const someLost = rows.some(isLost)
  const conversations = someLost
    ? lockConversationOf(sql, sql`i.workspace_id`, sql`i.status in ('failed', 'skipped')`)
    : null
  const statement = sql<{ busy: string[]; emitted: Emitted | null }[]>`
    with input as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}::text::json) as i(workspace_id uuid, id uuid,
        provider_message_id text, status text, detail text, statuses json)
    ), ${lockMessages(sql, sql`(m.status = 'queued' or m.status = 'unknown' and i.status <> 'unknown')`, conversations)}, settled as (
      update messages m set status = i.status, detail = i.detail, provider_message_id = i.provider_message_id,
        due_at = null, updated_at = now(),
        sent_at = case when i.provider_message_id is not null then coalesce(m.sent_at, now()) else m.sent_at end
      from locked i
      where m.workspace_id = i.workspace_id and m.id = i.id and probe_index(m.id)
      returning m.workspace_id, m.channel_id, m.id, m.conversation_id, m.customer_id, m.run_id, m.provider_message_id, m.status,
        m.sent_by, m.traceparent, i.statuses
    ), status_changes as materialized (
      select s.workspace_id, s.channel_id, s.id, s.conversation_id, s.customer_id, s.run_id, s.provider_message_id, s.traceparent, t.value ->> 'status' as status,
        t.value ->> 'detail' as detail, t.ordinality
      from settled s, json_array_elements(s.statuses) with ordinality as t
    ), recorded_statuses as (
      insert into message_statuses (workspace_id, message_id, status, detail)
      select workspace_id, id, status, detail from status_changes order by id, ordinality
    ), stats as (${countStatuses(sql, sql`select workspace_id, channel_id, status, detail from status_changes`)})${
      someLost
        ? sql`, ${resumeWaiting(
            sql,
            sql`select workspace_id, conversation_id, id from settled
              where status in ('failed', 'skipped') and sent_by is distinct from 'campaign'`,
          )}`
        : sql``
    }, ${emitEvents(sql, 'message.status', {
      rows: sql`status_changes where status in ('delivered', 'read', 'failed') order by id, ordinality`,
      workspaceId: sql`workspace_id`,
      customerId: sql`customer_id`,
      traceparent: sql`traceparent`,
      data: {
        conversationId: sql`conversation_id`,
        providerMessageId: sql`coalesce(provider_message_id, id::text)`,
        status: sql`status`,
        detail: sql`detail`,
        messageId: sql`id`,
        customerId: sql`customer_id`,
        eventId: eventOfRun(sql, sql`status_changes`),
      },
    })}
    select coalesce((select json_agg(id) from busy), '[]') as busy, ${emitResult(sql)} as emitted`
  const [row] = await emit(sql, statement)
  return new Set(row!.busy)
}

/** Reason recorded on messages that are skipped because the channel was disconnected. */
export const channelDisconnected = 'channel_disconnected: The channel was disconnected before the message was sent.'

/**
 * Skips a page of queued messages of a disconnected channel. Messages whose sending has started may have reached the provider, so they are
 * left to their sender. Skips locked rows.
 */
export const skipChannelPage = async (
  sql: Sql,
  { workspaceId, channelId, limit }: { workspaceId: string; channelId: string; limit: number },
) => {
  const waiting = sql`m.workspace_id = ${workspaceId} and m.channel_id = ${channelId} and m.due_at is not null
    and m.send_started_at is null order by m.due_at, m.id`
  const [row] = await sql<{ found: boolean; skipped: number }[]>`
    with page as materialized (
      select found.workspace_id, found.id from (
        select m.workspace_id, m.id, m.conversation_id, m.sent_by from messages m
        where ${waiting} limit ${limit} for no key update skip locked
      ) found ${lockConversationOf(sql, sql`found.workspace_id`, sql`true`)}
    ), skipped as (
      update messages m set status = 'skipped', detail = ${channelDisconnected}, due_at = null, updated_at = now()
      from page where m.workspace_id = page.workspace_id and m.id = page.id and probe_index(m.id)
      returning m.workspace_id, m.channel_id, m.id, m.conversation_id, m.sent_by, m.detail
    ), recorded_statuses as (
      insert into message_statuses (workspace_id, message_id, status, detail)
      select workspace_id, id, 'skipped', ${channelDisconnected} from skipped order by id
    ), stats as (${countStatuses(sql, sql`select workspace_id, channel_id, 'skipped' as status, detail from skipped`)}), ${resumeWaiting(
      sql,
      sql`select workspace_id, conversation_id, id from skipped where sent_by is distinct from 'campaign'`,
    )}
    select (select count(*)::integer from skipped) as skipped,
      (select m.id from messages m where ${waiting} limit 1 offset (select count(*) from skipped)) is not null as found`
  return row!
}

/** A paused channel is woken when its pause ends. */
const notPaused = (sql: Sql) => sql`
  select true from channels ch where ch.workspace_id = m.workspace_id and ch.id = m.actor_id
    and (ch.paused_until is null or ch.paused_until <= now())`

/** Returns a page of at most `limit` channels with messages due at `from` or later. */
export const findDueChannels = async (sql: Sql, after: ActorKey, limit: number, from = epoch): Promise<PolledPage> => {
  const page = { after, limit, from }
  const [row] = await sql<PolledPage[]>`
    ${selectDueActors(sql, { rows: sql`messages`, actorId: sql`channel_id`, runnable: notPaused(sql) }, page)}`
  return row!
}
