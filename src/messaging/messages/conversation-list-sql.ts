/** SQL that reads conversations with their customer and newest message. */
import { maxPageBytes, type Period } from '../../core/pagination.ts'
import { matchesText } from '../../customers/index.ts'
import type { Fragment, Sql } from '../../platform/postgres/client.ts'
import { type MessageRow, messageColumns } from './read-sql.ts'

export interface ConversationRow {
  id: string
  channelId: string
  channelKind: string
  customerId: string
  customerName: string | null
  handle: string | null
  status: 'open' | 'closed'
  assigneeId: string | null
  unread: number
  waitingSince: Date | null
  lastInboundAt: Date | null
  looksLikeOptOut: boolean
  createdAt: Date
  updatedAt: Date
  lastMessage: LastMessage | null
  waitingMessage: WaitingMessage | null
  /** Time by which the list is sorted, as text with microseconds. */
  sortedAt: string
}

/** A message read as JSON, where times are strings. */
export type LastMessage = Omit<MessageRow, 'createdAt' | 'updatedAt' | 'sentAt'> & {
  createdAt: string
  updatedAt: string
  sentAt: string | null
}

/** Newest message of a waiting customer, read as JSON, with the start of its text. */
type WaitingMessage = Pick<LastMessage, 'id' | 'type' | 'text' | 'createdAt'>

/** Number of newest messages of a conversation among which that of a waiting customer is found (contract 9.5). */
const maxWaitingScanned = 50
/** Maximum length of its text in characters. */
const maxWaitingText = 200

/** Order of a conversation list: newest activity first, or longest wait first. */
export type ConversationSort = 'newest' | 'longest_waiting'

/** Column of each order, and its direction for all columns of the order. */
const orders = (sql: Sql, sort: ConversationSort) =>
  sort === 'newest'
    ? { column: sql`active_at`, direction: sql`desc`, isAfter: sql`<` }
    : { column: sql`unanswered_since`, direction: sql`asc`, isAfter: sql`>` }

/**
 * Selects the rows `c` with the customer's name, the newest message, and that of a waiting customer. The flag of a possible
 * opt-out is hidden once the customer has opted out. It is computed here, so that no opt-out path has to clear it.
 */
const withLastMessage = (sql: Sql, rows: Fragment, sort: ConversationSort = 'newest') => sql`
  select c.id, c.channel_id as "channelId", ch.kind as "channelKind", c.customer_id as "customerId",
    cu.name as "customerName", c.handle, c.status,
    c.assignee_id as "assigneeId", c.unread, c.waiting_since as "waitingSince", c.last_inbound_at as "lastInboundAt",
    c.looks_like_opt_out and cu.opted_out_at is null as "looksLikeOptOut", c.created_at as "createdAt", c.updated_at as "updatedAt",
    c.${orders(sql, sort).column} as sorted_at, ${sortedAtText(sql, sort)} as "sortedAt", row_to_json(m) as "lastMessage",
    row_to_json(waiting) as "waitingMessage"
  from ${rows} c
  cross join lateral (
    select kind from channels ch where ch.workspace_id = c.workspace_id and ch.id = c.channel_id offset 0
  ) ch
  left join lateral (
    select name, opted_out_at from customers cu where cu.workspace_id = c.workspace_id and cu.id = c.customer_id offset 0
  ) cu on true
  left join lateral (
    select ${messageColumns(sql)} from (
      select * from messages m where m.workspace_id = c.workspace_id and m.conversation_id = c.id
      order by m.id desc limit 1
    ) m
  ) m on true
  left join lateral (
    select m.id, m.type, left(m.text, ${maxWaitingText}) as text, m.created_at as "createdAt" from (
      select * from messages m where m.workspace_id = c.workspace_id and m.conversation_id = c.id
      order by m.id desc limit ${maxWaitingScanned}
    ) m
    where m.direction = 'inbound' and c.waiting_since is not null
    order by m.id desc limit 1
  ) waiting on true`

const sortedAtText = (sql: Sql, sort: ConversationSort) =>
  sql`to_char(c.${orders(sql, sort).column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

export const findConversation = async (sql: Sql, workspaceId: string, id: string) => {
  const [row] = await sql<ConversationRow[]>`${withLastMessage(
    sql,
    sql`(select * from conversations where workspace_id = ${workspaceId} and id = ${id})`,
  )}`
  return row ?? null
}

/** Cursor of a conversation list: the next page starts after this conversation. */
export interface ConversationCursor {
  sortedAt: string
  id: string
}

export interface ConversationFilter {
  workspaceId: string
  sort: ConversationSort
  status: 'open' | 'closed' | undefined
  /** Null selects unassigned conversations. */
  assigneeId: string | null | undefined
  unread: boolean | undefined
  waiting: boolean | undefined
  unanswered: boolean | undefined
  looksLikeOptOut: boolean | undefined
  channelId: string | undefined
  customerId: string | undefined
  /** Text in the name, the phone or the external id of the customer. */
  text: string | undefined
  /** Only conversations whose last activity is in this period. */
  period: Period | undefined
  /** If set, only conversations of these customers, who all match the text. */
  customerIds?: readonly string[]
  page: { limit: number; after: ConversationCursor | null }
}

/** Selects conversations in the requested order. Reads at most `maxScanned` rows of the index. */
export const selectConversations = (sql: Sql, p: ConversationFilter, maxScanned: number) => {
  const { column, direction } = orders(sql, p.sort)
  const inOrder = sql`order by c.${column} ${direction}, c.id ${direction}`
  return sql<(ConversationRow & { hasMore: boolean })[]>`
  select * from (
    select page.*, lead(id) over sorted is not null as "hasMore",
      coalesce(sum(octet_length("lastMessage"::text)) over (sorted rows between unbounded preceding and 1 preceding), 0)
        as "bytesBefore"
    from (${withLastMessage(
      sql,
      sql`(
      select * from (select c.* from ${indexConditions(sql, p)} ${inOrder} limit ${maxScanned}) c
      where true ${scanConditions(sql, p)}
      ${inOrder} limit ${p.page.limit + 1})`,
      p.sort,
    )}) page
    window sorted as (order by sorted_at ${direction}, id ${direction})
  ) measured
  where "bytesBefore" < ${maxPageBytes}
  order by sorted_at ${direction}, id ${direction}`
}

/** Returns the last row that a scan of `maxScanned` rows reads; null if the scan reaches the end. */
export const findLastScannedConversation = async (
  sql: Sql,
  p: ConversationFilter,
  maxScanned: number,
): Promise<ConversationCursor | null> => {
  const { column, direction } = orders(sql, p.sort)
  const rows = await sql<ConversationCursor[]>`
    select c.id, ${sortedAtText(sql, p.sort)} as "sortedAt" from (
      select c.id, c.${column} from ${indexConditions(sql, p)} order by c.${column} ${direction}, c.id ${direction}
      offset ${maxScanned - 1} limit 2
    ) c
    order by c.${column} ${direction}, c.id ${direction}`
  return rows.length === 2 ? rows[0]! : null
}

/**
 * Conditions that an index supports: few rows for customers, the unanswered ones, otherwise assignee, waiting, unread or
 * possible opt-out, or all.
 */
const indexConditions = (sql: Sql, p: ConversationFilter) => {
  const { workspaceId, customerId } = p
  const { after } = p.page
  const { column, isAfter } = orders(sql, p.sort)
  const customerIds = p.customerIds ?? (customerId === undefined ? undefined : [customerId])
  return sql`
  ${customerIds === undefined ? sql`conversations` : conversationsOf(sql, workspaceId, customerIds)} c
  where c.workspace_id = ${workspaceId}
    ${p.sort === 'newest' ? conditions(sql, p) : sql`and c.unanswered_since is not null`}
    ${after === null ? sql`` : sql`and (c.${column}, c.id) ${isAfter} (${after.sortedAt}::text::timestamptz, ${after.id}::uuid)`}`
}

/** Conditions that have an index in the order of activity. */
const conditions = (sql: Sql, p: ConversationFilter) => {
  const { assigneeId, unread, waiting, unanswered, looksLikeOptOut, period } = p
  return sql`
  ${typeof assigneeId === 'string' ? sql`and c.assignee_id = ${assigneeId}` : sql``}
  ${waiting === true || unanswered === true ? sql`and (c.waiting_since is not null or c.looks_like_opt_out)` : sql``}
  ${unread === true ? sql`and c.unread > 0` : sql``}
  ${looksLikeOptOut === true ? sql`and c.looks_like_opt_out` : sql``}
  ${period === undefined ? sql`` : sql`and c.active_at >= ${period.since} and c.active_at < ${period.end}`}`
}

/** The conversations of some customers. Looked up one by one, because the planner would scan all conversations. */
const conversationsOf = (sql: Sql, workspaceId: string, customerIds: readonly string[]) => sql`(
  select of_customer.* from unnest(${customerIds}::uuid[]) as customer(id)
  cross join lateral (
    select * from conversations where workspace_id = ${workspaceId} and customer_id = customer.id offset 0
  ) of_customer)`

/** Conditions that are applied to the scanned rows. */
const scanConditions = (sql: Sql, p: ConversationFilter) => {
  const { status, assigneeId, unread, waiting, looksLikeOptOut, channelId, customerId, text, customerIds } = p
  // The order by wait lists open conversations, unless those are requested that need a person.
  const unanswered = p.unanswered ?? (p.sort === 'longest_waiting' ? null : undefined)
  return sql`
  ${p.sort === 'newest' ? sql`` : conditions(sql, p)}
  ${customerIds === undefined || customerId === undefined ? sql`` : sql`and c.customer_id = ${customerId}`}
  ${status === undefined ? sql`` : sql`and c.status = ${status}`}
  ${assigneeId === null ? sql`and c.assignee_id is null` : sql``}
  ${unread === false ? sql`and c.unread = 0` : sql``}
  ${waiting === undefined ? sql`` : waiting ? sql`and c.waiting_since is not null` : sql`and c.waiting_since is null`}
  ${unanswered === undefined ? sql`` : unanswered === null ? sql`and ${isWaiting(sql)}` : unanswered ? sql`and ${isUnanswered(sql)}` : sql`and not (${isUnanswered(sql)})`}
  ${looksLikeOptOut === undefined ? sql`` : looksLikeOptOut ? sql`and ${isUndecided(sql)}` : sql`and not (${isUndecided(sql)})`}
  ${channelId === undefined ? sql`` : sql`and c.channel_id = ${channelId}`}
  ${
    text === undefined || customerIds !== undefined
      ? sql``
      : sql`and exists (select from customers where workspace_id = c.workspace_id and id = c.customer_id and erased_at is null and ${matchesText(sql, text)} offset 0)`
  }`
}

const isWaiting = (sql: Sql) => sql`(c.waiting_since is not null and c.status = 'open')`

/** Condition: a possible opt-out awaits a decision in the conversation `c`. */
const isUndecided = (sql: Sql) => sql`(c.looks_like_opt_out and exists (
  select from customers where workspace_id = c.workspace_id and id = c.customer_id and opted_out_at is null
    and probe_index(id)))`

/** Condition: the conversation `c` needs a person. Its index is that of `unanswered_since`. */
const isUnanswered = (sql: Sql) => sql`(${isWaiting(sql)} or ${isUndecided(sql)})`

/** The `limit` conversations of a workspace that need a person for the longest time: `id` and `since`. */
export const selectUnanswered = (sql: Sql, workspaceId: string, limit: number): Fragment => sql`
  select c.id, c.unanswered_since as since from conversations c
  where c.workspace_id = ${workspaceId} and c.unanswered_since is not null and ${isUnanswered(sql)}
  order by c.unanswered_since, c.id limit ${limit}`
