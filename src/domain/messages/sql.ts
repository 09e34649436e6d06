import type { Fragment, Sql } from '../../db/client.ts'
import type { ChannelKind } from '../channels/index.ts'
import { type Addressee, beginning, findingDue, type SweptPage } from '../mailbox.ts'
import { type Measured, type PageRequest, withinAnswer } from '../pagination.ts'
import { type Told, tell, telling, whatWasTold } from '../telling/index.ts'
import type { Message } from './schema.ts'

export type MessageRow = Omit<Message, 'createdAt' | 'updatedAt'> & { createdAt: Date; updatedAt: Date }

export const selectMessages = (sql: Sql, workspaceId: string, customerId: string | null, page: PageRequest) =>
  sql<(MessageRow & Measured)[]>`${withinAnswer(
    sql,
    sql`
  select id, conversation_id as "conversationId", channel_id as "channelId", customer_id as "customerId", direction, text,
    status, provider_message_id as "providerMessageId", detail, created_at as "createdAt", updated_at as "updatedAt",
    coalesce(octet_length(text), 0) + coalesce(octet_length(detail), 0) as bytes
  from messages
  where workspace_id = ${workspaceId} ${customerId === null ? sql`` : sql`and customer_id = ${customerId}`}
    ${page.before === null ? sql`` : sql`and id < ${page.before}`}
  order by id desc limit ${page.limit + 1}`,
  )}`

export interface DueMessage {
  id: string
  workspaceId: string
  channelKind: ChannelKind
  handle: string
  text: string
  optedOut: boolean
  /** It was handed over before, and what became of that was never recorded. */
  begun: boolean
  /** How often the provider asked to be given it later. */
  putOff: number
  /** Milliseconds since it fell due. */
  lateMs: number
}

/** A page of one channel's mailbox, and when the first row of all is due, also if it is in hand: see `Look`. */
export interface MessagesFound {
  due: DueMessage[]
  /** Undefined: not known, for nothing is due but what is in hand. */
  firstMs: number | null | undefined
}

/** A page of one channel's mailbox, without those already in hand, and without looking at what is due before `from`. */
export const findDueMessages = async (
  sql: Sql,
  p: { workspaceId: string; channelId: string; limit: number; except: string[]; from?: Date },
): Promise<MessagesFound> => {
  const { workspaceId, channelId, limit, except, from = beginning } = p
  const rows = await sql<(DueMessage & { firstMs: number })[]>`
  select m.id, m.workspace_id as "workspaceId", ch.kind as "channelKind", co.handle, m.text,
    c.opted_out_at is not null as "optedOut", m.begun_at is not null as begun, m.put_off as "putOff",
    (extract(epoch from now() - m.due_at) * 1000)::double precision as "lateMs",
    floor(extract(epoch from (select due_at from messages
      where workspace_id = ${workspaceId} and channel_id = ${channelId} and due_at >= ${from}
      order by due_at limit 1)) * 1000)::double precision as "firstMs"
  from messages m
  join channels ch on ch.workspace_id = m.workspace_id and ch.id = m.channel_id
  cross join lateral (
    select handle from conversations co
    where co.workspace_id = m.workspace_id and co.id = m.conversation_id and looked_up(co.id) offset 0
  ) co
  cross join lateral (
    select opted_out_at from customers c where c.workspace_id = m.workspace_id and c.id = m.customer_id offset 0
  ) c
  where m.workspace_id = ${workspaceId} and m.channel_id = ${channelId} and m.due_at >= ${from} and m.due_at <= now()
    and m.id <> all(${except}::uuid[])
  order by m.due_at, m.id limit ${limit}`
  const firstMs = rows[0]?.firstMs ?? (except.length === 0 ? null : undefined)
  return { due: rows.map(({ firstMs: _, ...message }) => message), firstMs }
}

/** In how many milliseconds, by the database's clock, the channel's next message is due; null where none will be. */
export const findNextDueMessage = async (sql: Sql, workspaceId: string, channelId: string, from = beginning) => {
  const [row] = await sql<{ inMs: number | null }[]>`
    select (extract(epoch from min(due_at) - clock_timestamp()) * 1000)::double precision as "inMs" from messages
    where workspace_id = ${workspaceId} and channel_id = ${channelId} and due_at >= ${from}`
  return row?.inMs ?? null
}

/** A message, wherever it is. */
export type MessageId = Pick<DueMessage, 'workspaceId' | 'id'>

/**
 * The parts of a statement about the messages of `input` that are still `open`, a condition on `m` and `i`: `held` are
 * those that were found and locked. Any that somebody else holds locked is passed over, so that nobody waits for whoever
 * holds it, and is to be given again: those are `locked`.
 */
const holding = (sql: Sql, open: Fragment) => sql`
  held as materialized (
    select i.* from input i cross join lateral (
      select m.id from messages m where m.workspace_id = i.workspace_id and m.id = i.id and ${open} and looked_up(m.id)
      for no key update skip locked
    ) found
  ), locked as (
    select i.id from input i
    where i.id not in (select id from held)
      and (select ${open} from messages m where m.workspace_id = i.workspace_id and m.id = i.id and looked_up(m.id))
  )`

/**
 * Marks messages as begun, in a commit of its own before any of them is handed over, and answers the ids of those that
 * were not begun yet. Whoever finds a message begun knows that it may have been handed over; they find it after
 * `lookAgainMs`, when whoever began it must have settled it or be gone. One that somebody else holds locked is passed
 * over and stays due: it is to be read anew, for whether it may still be sent can change meanwhile.
 */
export const beginMessages = async (sql: Sql, messages: MessageId[], lookAgainMs: number): Promise<Set<string>> => {
  const begun = await sql<{ id: string }[]>`
    with input as materialized (
      select * from unnest(${messages.map(({ workspaceId }) => workspaceId)}::uuid[],
        ${messages.map(({ id }) => id)}::uuid[]) as i(workspace_id, id)
    ), ${holding(sql, sql`m.status = 'queued' and m.begun_at is null`)}
    update messages m set begun_at = clock_timestamp(), due_at = clock_timestamp() + ${lookAgainMs} * interval '1 millisecond'
    from held i where m.workspace_id = i.workspace_id and m.id = i.id and looked_up(m.id)
    returning m.id`
  return idsOf(begun)
}

/** A message that a provider would not take yet: for how long, and how often it had been put off before. */
export type PutOff = MessageId & Pick<DueMessage, 'putOff'> & { afterMs: number }

/**
 * Makes messages that a provider would not take yet due again later, as if they had never been begun. The count is the
 * guard: done twice, it does not take the mark from somebody who began the message since. Answers the ids of those that
 * somebody else holds locked, which are to be given again.
 */
export const putOffMessages = async (sql: Sql, messages: PutOff[]): Promise<Set<string>> => {
  const locked = await sql<{ id: string }[]>`
    with input as materialized (
      select * from unnest(${messages.map(({ workspaceId }) => workspaceId)}::uuid[],
        ${messages.map(({ id }) => id)}::uuid[], ${messages.map(({ putOff }) => putOff)}::smallint[],
        ${messages.map(({ afterMs }) => afterMs)}::double precision[]) as i(workspace_id, id, put_off, after_ms)
    ), ${holding(sql, sql`m.status = 'queued' and m.put_off = i.put_off`)}, put_off as (
      update messages m set begun_at = null, put_off = m.put_off + 1, updated_at = now(),
        due_at = clock_timestamp() + i.after_ms * interval '1 millisecond'
      from held i where m.workspace_id = i.workspace_id and m.id = i.id and looked_up(m.id)
    )
    select id from locked`
  return idsOf(locked)
}

/** A message that this process cannot send, and for how long it leaves it to others. */
export type Left = MessageId & { leftMs: number }

/**
 * Makes messages that are due so again later, for whoever may send them. The mark of one that was begun stays; while its
 * sender lives it is not due, and is left as it is. Answers the ids of those that somebody else holds locked, which are to
 * be given again.
 */
export const leaveMessages = async (sql: Sql, messages: Left[]): Promise<Set<string>> => {
  const locked = await sql<{ id: string }[]>`
    with input as materialized (
      select * from unnest(${messages.map(({ workspaceId }) => workspaceId)}::uuid[],
        ${messages.map(({ id }) => id)}::uuid[], ${messages.map(({ leftMs }) => leftMs)}::double precision[])
        as i(workspace_id, id, left_ms)
    ), ${holding(sql, sql`m.status = 'queued' and m.due_at <= clock_timestamp()`)}, put_aside as (
      update messages m set due_at = clock_timestamp() + i.left_ms * interval '1 millisecond'
      from held i where m.workspace_id = i.workspace_id and m.id = i.id and looked_up(m.id)
    )
    select id from locked`
  return idsOf(locked)
}

const idsOf = (rows: readonly { id: string }[]): Set<string> => new Set(rows.map(({ id }) => id))

/** What happened to a message, in order; the last one is where it stands now. */
export interface MessageSettlement {
  workspaceId: string
  id: string
  providerMessageId: string | null
  statuses: { status: 'sent' | 'delivered' | 'read' | 'failed' | 'skipped' | 'unknown'; detail: string | null }[]
}

/**
 * Records what became of queued messages, and tells of those delivered, read or failed, in one statement. Only a
 * message that is still queued is touched: settling one twice records and tells nothing more. One of which nobody knew
 * any more is settled all the same by whoever does, late. Answers the ids of messages that somebody else holds locked:
 * those are passed over, so that nobody waits for their holder, and are to be given again.
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
  const statement = sql<{ locked: string[]; told: Told | null }[]>`
    with input as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}::text::json) as i(workspace_id uuid, id uuid,
        provider_message_id text, status text, detail text, statuses json)
    ), ${holding(sql, sql`(m.status = 'queued' or m.status = 'unknown' and i.status <> 'unknown')`)}, settled as (
      update messages m set status = i.status, detail = i.detail, provider_message_id = i.provider_message_id,
        due_at = null, updated_at = now()
      from held i
      where m.workspace_id = i.workspace_id and m.id = i.id and looked_up(m.id)
      returning m.workspace_id, m.id, m.conversation_id, m.customer_id, m.provider_message_id, i.statuses
    ), happened as materialized (
      select s.workspace_id, s.id, s.conversation_id, s.customer_id, s.provider_message_id, t.value ->> 'status' as status,
        t.value ->> 'detail' as detail, t.ordinality
      from settled s, json_array_elements(s.statuses) with ordinality as t
    ), traced as (
      insert into message_statuses (workspace_id, message_id, status, detail)
      select workspace_id, id, status, detail from happened order by id, ordinality
    ), ${telling(sql, 'message.status', {
      rows: sql`happened where status in ('delivered', 'read', 'failed') order by id, ordinality`,
      workspaceId: sql`workspace_id`,
      customerId: sql`customer_id`,
      data: {
        conversationId: sql`conversation_id`,
        providerMessageId: sql`provider_message_id`,
        status: sql`status`,
        detail: sql`detail`,
      },
    })}
    select coalesce((select json_agg(id) from locked), '[]') as locked, ${whatWasTold(sql)} as told`
  const [row] = await tell(sql, statement)
  return new Set(row!.locked)
}

/** Channels with messages due at `from` or later, a page of up to `limit` of them. */
export const findDueChannels = async (
  sql: Sql,
  after: Addressee,
  limit: number,
  from = beginning,
): Promise<SweptPage> => {
  const page = { after, limit, from }
  const [row] = await sql<SweptPage[]>`
    ${findingDue(sql, { rows: sql`messages`, actorId: sql`channel_id`, living: sql`select true` }, page)}`
  return row!
}
