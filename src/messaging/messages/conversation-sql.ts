/** SQL that opens, locks and changes conversations. */
import type { Sql } from '../../platform/postgres/client.ts'
import { selectUnanswered } from './conversation-list-sql.ts'
import { matchesId } from './erased-id.ts'
import { recordClosings } from './inbox-actions.ts'
import { type MessageRow, messageColumns } from './read-sql.ts'
import { insertConversations } from './write.ts'

/** Opens a conversation. Returns null if one already exists. */
export const insertConversation = async (
  sql: Sql,
  p: { workspaceId: string; channelId: string; customerId: string; handle: string },
): Promise<string | null> => {
  const [row] = await sql<{ id: string }[]>`${insertConversations(
    sql,
    sql`(workspace_id, channel_id, customer_id, handle)
    values (${p.workspaceId}, ${p.channelId}, ${p.customerId}, ${p.handle}) on conflict do nothing`,
  )}`
  return row?.id ?? null
}

/**
 * Reads the data needed to open a conversation: the existing conversation, the channel, the customer and the address.
 */
export const findConversationTarget = async (
  sql: Sql,
  p: { workspaceId: string; channelId: string; customerId: string },
) => {
  const [row] = await sql<
    { conversationId: string | null; channelStatus: string | null; isCustomer: boolean; address: string | null }[]
  >`
    select
      (select id from conversations where workspace_id = ${p.workspaceId} and channel_id = ${p.channelId}
        and customer_id = ${p.customerId}) as "conversationId",
      (select status from channels where workspace_id = ${p.workspaceId} and id = ${p.channelId}) as "channelStatus",
      c.id is not null as "isCustomer",
      coalesce(c.phone, (select handle from handles h where h.workspace_id = ${p.workspaceId}
        and h.customer_id = ${p.customerId} and h.channel_id = ${p.channelId} order by h.created_at desc limit 1)) as address
    from (select 1) as one
    left join customers c on c.workspace_id = ${p.workspaceId} and c.id = ${p.customerId} and c.erased_at is null`
  return row!
}

/**
 * Locks a conversation until the transaction ends and returns the time of its latest change. Returns null if it does
 * not exist.
 */
export const lockConversation = async (tx: Sql, workspaceId: string, id: string) => {
  const [row] = await tx<{ updatedAt: Date }[]>`
    select updated_at as "updatedAt" from conversations
    where workspace_id = ${workspaceId} and id = ${id} for no key update`
  return row ?? null
}

/**
 * Updates the fields that are not undefined, for a user. Counts a closing of an open conversation. Returns false if the
 * conversation does not exist.
 */
export const updateConversation = async (
  sql: Sql,
  p: {
    workspaceId: string
    id: string
    status: string | undefined
    assigneeId: string | null | undefined
    userId: string
  },
): Promise<boolean> => {
  const rows = await sql`
    with changed as (
      update conversations set updated_at = greatest(now(), updated_at + interval '1 millisecond'),
        status = ${p.status === undefined ? sql`status` : sql`${p.status}`},
        assignee_id = ${p.assigneeId === undefined ? sql`assignee_id` : sql`${p.assigneeId}::uuid`}
      where workspace_id = ${p.workspaceId} and id = ${p.id}
      returning workspace_id, id, old.status = 'open' and new.status = 'closed' as closes
    ), closings as (${recordClosings(sql, sql`select workspace_id, ${p.userId}::uuid from changed where closes`)})
    select id from changed`
  return rows.length === 1
}

/** Marks a conversation as read. Returns false if it does not exist. */
export const markRead = async (sql: Sql, workspaceId: string, id: string): Promise<boolean> => {
  const [row] = await sql<{ found: boolean }[]>`
    with read as (
      update conversations set unread = 0, updated_at = now()
      where workspace_id = ${workspaceId} and id = ${id} and unread > 0
    )
    select exists (select from conversations where workspace_id = ${workspaceId} and id = ${id}) as found`
  return row!.found
}

/** Removes the flag of a possible opt-out. Returns false if the conversation has none. */
export const clearOptOutFlag = async (sql: Sql, workspaceId: string, id: string): Promise<boolean> => {
  const rows = await sql`
    update conversations set looks_like_opt_out = false, updated_at = now()
    where workspace_id = ${workspaceId} and id = ${id} and looks_like_opt_out
    returning id`
  return rows.length === 1
}

/** Ends the wait of a customer who needs no answer. */
export const endWait = (sql: Sql, workspaceId: string, id: string) => sql`
  update conversations set waiting_since = null, updated_at = now()
  where workspace_id = ${workspaceId} and id = ${id} and waiting_since is not null`

/**
 * Removes the flag of a possible opt-out from at most `limit` conversations of these customers, if they have opted out.
 * Returns those that had it. Leaves locked conversations alone: readers ignore the flag after an opt-out.
 */
export const clearSettledFlags = (
  sql: Sql,
  customers: readonly { workspaceId: string; id: string }[],
  limit: number,
) => sql<{ workspaceId: string; id: string }[]>`
  with flagged as materialized (
    select co.workspace_id, co.id
    from unnest(${customers.map(({ workspaceId }) => workspaceId)}::uuid[], ${customers.map(({ id }) => id)}::uuid[])
      as i(workspace_id, customer_id)
    cross join lateral (
      select c.workspace_id, c.id from conversations c
      where c.workspace_id = i.workspace_id and c.customer_id = i.customer_id and c.looks_like_opt_out
        and exists (select from customers cu where cu.workspace_id = c.workspace_id and cu.id = c.customer_id
          and cu.opted_out_at is not null and probe_index(cu.id))
      for no key update skip locked
    ) co
    limit ${limit}
  )
  update conversations c set looks_like_opt_out = false from flagged
  where c.workspace_id = flagged.workspace_id and c.id = flagged.id and probe_index(c.id)
  returning c.workspace_id as "workspaceId", c.id`

/** State that decides whether and how a message may be sent in a conversation. */
export interface ConversationState {
  customerId: string
  channelId: string
  channelKind: string
  channelStatus: 'connected' | 'failing' | 'disconnected'
  handle: string | null
  /** Milliseconds since the customer last wrote; null if they never did. */
  sinceInboundMs: number | null
  optedIn: boolean
  optedOut: boolean
  /** True if the customer opened the conversation. */
  customerOpened: boolean
  /** Whole seconds since the customer began to wait for an answer; null if they do not wait. */
  waitedSeconds: number | null
}

/**
 * Locks a conversation until the transaction ends, so that the message is written in the state that was checked.
 * Returns null if it does not exist. The handle of an erased customer is null, even if the column still holds it.
 */
export const lockConversationState = async (tx: Sql, workspaceId: string, id: string) => {
  const [row] = await tx<ConversationState[]>`
    select co.customer_id as "customerId", co.channel_id as "channelId", ch.kind as "channelKind",
      ch.status as "channelStatus", case when c.erased_at is null then co.handle end as handle, c.opted_in_at is not null as "optedIn",
      c.opted_out_at is not null as "optedOut", co.opened_by_customer as "customerOpened",
      (extract(epoch from clock_timestamp() - co.last_inbound_at) * 1000)::double precision as "sinceInboundMs",
      case when co.waiting_since is not null
        then floor(greatest(extract(epoch from clock_timestamp() - co.waiting_since), 0))::integer end as "waitedSeconds"
    from conversations co
    join channels ch on ch.workspace_id = co.workspace_id and ch.id = co.channel_id
    join customers c on c.workspace_id = co.workspace_id and c.id = co.customer_id
    where co.workspace_id = ${workspaceId} and co.id = ${id}
    for no key update of co`
  return row ?? null
}

/**
 * Locks the conversation of a customer on a channel, if there is one, until the transaction ends. `enqueueMessage` does
 * not wait for a lock of another transaction.
 */
export const lockConversationOf = (tx: Sql, p: { workspaceId: string; channelId: string; customerId: string }) => tx`
  select id from conversations
  where workspace_id = ${p.workspaceId} and channel_id = ${p.channelId} and customer_id = ${p.customerId}
  for no key update`

/** Returns the message that was created when this message was last resent. */
export const findResent = async (sql: Sql, workspaceId: string, id: string) => {
  const [row] = await sql<MessageRow[]>`
    select ${messageColumns(sql)} from messages m
    where m.workspace_id = ${workspaceId} and m.id = (
      select resent_as from messages where workspace_id = ${workspaceId} and id = ${id})`
  return row ?? null
}

export const recordResent = (sql: Sql, p: { workspaceId: string; id: string; resentAs: string }) => sql`
  update messages set resent_as = ${p.resentAs} where workspace_id = ${p.workspaceId} and id = ${p.id}`

/** Unassigns a page of conversations from a user who has left the team. `found` is true if more may remain. */
export const unassignPage = async (
  sql: Sql,
  { workspaceId, userId, limit }: { workspaceId: string; userId: string; limit: number },
) => {
  const [row] = await sql<{ unassigned: number }[]>`
    with page as materialized (
      select workspace_id, id from conversations
      where workspace_id = ${workspaceId} and assignee_id = ${userId}
      order by active_at desc, id desc limit ${limit} for no key update
    ), unassigned as (
      update conversations c set assignee_id = null, updated_at = now()
      from page where c.workspace_id = page.workspace_id and c.id = page.id and probe_index(c.id)
      returning c.id
    )
    select count(*)::integer as unassigned from unassigned`
  return { found: row!.unassigned === limit }
}

/** Finds the message of a conversation by its idempotency key. */
export const findByKey = async (
  sql: Sql,
  p: { workspaceId: string; conversationId: string; idempotencyKey: string },
) => {
  const [row] = await sql<MessageRow[]>`
    select ${messageColumns(sql)} from messages m
    where m.workspace_id = ${p.workspaceId} and m.conversation_id = ${p.conversationId}
      and ${matchesId(sql, sql`m.idempotency_key`, sql`${p.idempotencyKey}::text`)}`
  return row ?? null
}

/** Counts conversations that need a person, at most `limit`, and finds the one that has needed one longest. */
export const findUnanswered = async (sql: Sql, workspaceId: string, limit: number) => {
  const [row] = await sql<{ count: number; longestId: string | null; since: Date | null }[]>`
    with unanswered as materialized (${selectUnanswered(sql, workspaceId, limit)})
    select (select count(*)::integer from unanswered) as count, longest.id as "longestId", longest.since
    from (select 1) one
    left join lateral (select * from unanswered order by since, id limit 1) longest on true`
  return row!
}
