import { isPersonInTeam } from '../../accounts/members/index.ts'
import { recordChanges } from '../../core/changes/index.ts'
import { type Caller, inTransaction } from '../../core/context.ts'
import { invalidRequest, notFound } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import { type PageOf, toPage, toPageRequest, toPeriod } from '../../core/pagination.ts'
import { maxScanned } from '../../core/scan.ts'
import type { PageQuery } from '../../core/schema.ts'
import { verb } from '../../core/verb.ts'
import { requireVersion } from '../../core/version.ts'
import { isIndexable } from '../../core/word-search.ts'
import { findMatchingIds } from '../../customers/index.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { type ChannelKind, providers } from '../channels/index.ts'
import {
  type ConversationFilter,
  type ConversationRow,
  findConversation,
  findConversationTarget,
  findLastScannedConversation,
  insertConversation,
  lockConversation,
  type Message,
  markRead,
  selectConversations,
  selectMessagesOf,
  shapeOfMessage,
  updateConversation,
} from '../messages/index.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { sendRejected, windowClosesAt } from './policy.ts'
import type { ChangeConversation, Conversation, ConversationQuery, OpenConversation } from './schema.ts'

/** Maximum number of customers whose conversations are looked up for a search text. */
const maxMatchingCustomers = 1000

/**
 * Lists the workspace's conversations, most recently active first or longest wait first. All filters must match. A
 * search scans the list. If that does not fill the page, it reads the conversations of matching customers by index.
 */
export const listConversations = verb(
  { by: 'member' },
  async ({ sql, caller }, query: ConversationQuery): Promise<PageOf<Conversation>> => {
    const filter = buildFilter(caller, query)
    const { workspaceId, text, page } = filter
    const scanned = await readPage(sql, filter)
    const isComplete = scanned.nextCursor === null || scanned.data.length === page.limit
    if (text === undefined || isComplete || !isIndexable(text)) return scanned
    const customerIds = await findMatchingIds(sql, { workspaceId, text }, maxMatchingCustomers)
    return customerIds === null ? scanned : readPage(sql, { ...filter, customerIds })
  },
)

const readPage = async (sql: Sql, filter: ConversationFilter): Promise<PageOf<Conversation>> => {
  const { limit } = filter.page
  const rows = await selectConversations(sql, filter, maxScanned)
  const visible = rows.slice(0, limit)
  const last = visible.at(-1)
  if (last && (rows.length > limit || last.hasMore))
    return { data: visible.map(shape), nextCursor: encodeCursor(filter.sort, last) }
  const end = await findLastScannedConversation(sql, filter, maxScanned)
  return { data: visible.map(shape), nextCursor: end && encodeCursor(filter.sort, end) }
}

const buildFilter = (caller: Caller, query: ConversationQuery): ConversationFilter => {
  const {
    sort = 'newest',
    status,
    unread,
    waiting,
    unanswered,
    looksLikeOptOut,
    channelId,
    customerId,
    limit = 50,
    cursor,
  } = query
  if (
    sort === 'longest_waiting' &&
    unanswered !== true &&
    (unanswered === false || status === 'closed' || waiting === false)
  )
    throw invalidRequest({
      sort: 'Lists open conversations that wait for an answer. Remove status=closed, waiting=false and unanswered=false, or use newest.',
    })
  return {
    workspaceId: caller.workspaceId,
    sort,
    status,
    assigneeId: resolveAssignee(caller, query.assigneeId),
    unread,
    waiting,
    unanswered,
    looksLikeOptOut,
    channelId,
    customerId,
    text: query.q?.trim() || undefined,
    period: toPeriod(query),
    page: { limit, after: cursor === undefined ? null : decodeCursor(sort, cursor) },
  }
}

const resolveAssignee = (caller: Caller, requested: string | undefined): string | null | undefined => {
  if (requested === 'none') return null
  return requested === 'me' ? caller.id : requested
}

/** Returns one conversation of the caller's workspace. */
export const readConversation = verb({ by: 'member' }, async ({ sql, caller }, id: string): Promise<Conversation> => {
  const row = isId(id) ? await findConversation(sql, caller.workspaceId, id) : null
  if (!row) throw notFound('conversation')
  return shape(row)
})

/** Opens a conversation with a customer over a channel. `opened` is false if one existed already. */
export const openConversation = verb(
  { by: 'member' },
  async (ctx, input: OpenConversation): Promise<{ conversation: Conversation; opened: boolean }> => {
    const { workspaceId } = ctx.caller
    const target = await findConversationTarget(ctx.sql, { workspaceId, ...input })
    if (target.conversationId !== null)
      return { conversation: await readConversation(ctx, target.conversationId), opened: false }
    if (target.channelStatus === null) throw invalidRequest({ channelId: 'No such channel in this workspace.' })
    if (!target.isCustomer) throw invalidRequest({ customerId: 'No such customer in this workspace.' })
    if (target.channelStatus === 'disconnected') throw sendRejected('channel_disconnected')
    if (target.address === null) throw sendRejected('no_address')
    const opened = await insertConversation(ctx.sql, { workspaceId, ...input, handle: target.address })
    // A concurrent call has opened the conversation.
    const id = opened ?? (await findConversationTarget(ctx.sql, { workspaceId, ...input })).conversationId!
    return { conversation: await readConversation(ctx, id), opened: opened !== null }
  },
)

/** Changes the status and the assignee. A null assignee removes the current one. */
export const changeConversation = verb(
  { by: 'member' },
  async (ctx, id: string, { status, assigneeId }: ChangeConversation): Promise<Conversation> => {
    const { workspaceId, id: userId } = ctx.caller
    await inTransaction(ctx, async ({ sql }) => {
      const current = ctx.ifMatch && isId(id) ? await lockConversation(sql, workspaceId, id) : null
      if (current) requireVersion(ctx, current)
      if (typeof assigneeId === 'string' && !(await isPersonInTeam(sql, workspaceId, assigneeId)))
        throw invalidRequest({
          assigneeId:
            'Is not a person in the team. Use the userId of an active member of the kind person (GET /v1/members).',
        })
      const changed = isId(id) && (await updateConversation(sql, { workspaceId, id, status, assigneeId, userId }))
      if (!changed) throw notFound('conversation')
    })
    recordChanges(ctx.sql, 'conversation', [{ workspaceId, id }])
    return readConversation(ctx, id)
  },
)

/** Marks all messages as read. The mark of a possible opt-out stays until a person decides. */
export const markConversationRead = verb({ by: 'member' }, async ({ sql, caller }, id: string): Promise<void> => {
  const { workspaceId } = caller
  if (!isId(id) || !(await markRead(sql, workspaceId, id))) throw notFound('conversation')
  recordChanges(sql, 'conversation', [{ workspaceId, id }])
})

/** Lists the messages of a conversation in both directions, newest first. */
export const listConversationMessages = verb(
  { by: 'member' },
  async (ctx, id: string, query: PageQuery): Promise<PageOf<Message>> => {
    const page = toPageRequest(query)
    const { workspaceId } = ctx.caller
    const rows = isId(id) ? await selectMessagesOf(ctx.sql, workspaceId, id, page) : []
    if (rows.length === 0) await readConversation(ctx, id)
    return toPage(rows, page, shapeOfMessage)
  },
)

/** Kinds of channels that only a newer release knows have no entry here, so their window is unknown. */
const windowHours = (kind: string): number | null =>
  providers[kind as ChannelKind]?.capabilities.freeFormWindowHours ?? null

const shape = (row: ConversationRow): Conversation => {
  const { lastMessage, waitingMessage } = row
  return {
    id: row.id,
    channelId: row.channelId,
    channelKind: row.channelKind as ChannelKind,
    customerId: row.customerId,
    customerName: row.customerName,
    handle: row.handle,
    status: row.status,
    assigneeId: row.assigneeId,
    unread: row.unread,
    waitingSince: row.waitingSince?.toISOString() ?? null,
    windowClosesAt: windowClosesAt(row, windowHours(row.channelKind))?.toISOString() ?? null,
    looksLikeOptOut: row.looksLikeOptOut,
    lastMessage:
      lastMessage &&
      shapeOfMessage({
        ...lastMessage,
        createdAt: new Date(lastMessage.createdAt),
        updatedAt: new Date(lastMessage.updatedAt),
        sentAt: lastMessage.sentAt === null ? null : new Date(lastMessage.sentAt),
      }),
    waitingMessage: waitingMessage && {
      ...waitingMessage,
      createdAt: new Date(waitingMessage.createdAt).toISOString(),
    },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
