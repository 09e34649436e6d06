import { type ChannelKind, providers } from '../channels/index.ts'
import { type Caller, inTransaction } from '../context.ts'
import { invalidRequest, notFound } from '../errors.ts'
import { isId } from '../ids.ts'
import { maxLookedAt } from '../look.ts'
import { isInTeam } from '../members/index.ts'
import {
  type ConversationFilter,
  type ConversationRow,
  findConversation,
  findLastConversationLookedAt,
  findPlace,
  insertConversation,
  lockConversation,
  type Message,
  markRead,
  selectConversations,
  selectMessagesOf,
  shapeOfMessage,
  updateConversation,
} from '../messages/index.ts'
import { type PageOf, pageOf, pageRequest } from '../pagination.ts'
import type { PageQuery } from '../schema.ts'
import { noteChanges } from '../stream/index.ts'
import { verb } from '../verb.ts'
import { requireVersion } from '../version.ts'
import { cursorOf, openCursor } from './cursor.ts'
import { refusedBecause, windowClosesAt } from './judge.ts'
import type { ChangeConversation, Conversation, ConversationQuery, OpenConversation } from './schema.ts'

/** Lists the workspace's conversations by last activity, most recent first. All filters must match. */
export const listConversations = verb(
  { by: 'member' },
  async ({ sql, caller }, query: ConversationQuery): Promise<PageOf<Conversation>> => {
    const filter = filterOf(caller, query)
    const { limit } = filter.page
    const rows = await selectConversations(sql, filter, maxLookedAt)
    const shown = rows.slice(0, limit)
    const last = shown.at(-1)
    if (last && (rows.length > limit || last.hasMore)) return { data: shown.map(shape), nextCursor: cursorOf(last) }
    const end = await findLastConversationLookedAt(sql, filter, maxLookedAt)
    return { data: shown.map(shape), nextCursor: end && cursorOf(end) }
  },
)

const filterOf = (caller: Caller, query: ConversationQuery): ConversationFilter => {
  const { status, unread, waiting, channelId, customerId, limit = 50, cursor } = query
  return {
    workspaceId: caller.workspaceId,
    status,
    assigneeId: assigneeOf(caller, query.assigneeId),
    unread,
    waiting,
    channelId,
    customerId,
    page: { limit, after: cursor === undefined ? null : openCursor(cursor) },
  }
}

const assigneeOf = (caller: Caller, asked: string | undefined): string | null | undefined => {
  if (asked === 'none') return null
  return asked === 'me' ? caller.id : asked
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
    const place = await findPlace(ctx.sql, { workspaceId, ...input })
    if (place.conversationId !== null)
      return { conversation: await readConversation(ctx, place.conversationId), opened: false }
    if (place.channelStatus === null) throw invalidRequest({ channelId: 'There is no such channel in this workspace.' })
    if (!place.isCustomer) throw invalidRequest({ customerId: 'There is no such customer in this workspace.' })
    if (place.channelStatus === 'disconnected') throw refusedBecause('channel_disconnected')
    if (place.address === null) throw refusedBecause('no_address')
    const opened = await insertConversation(ctx.sql, { workspaceId, ...input, handle: place.address })
    // A concurrent call has opened the conversation.
    const id = opened ?? (await findPlace(ctx.sql, { workspaceId, ...input })).conversationId!
    return { conversation: await readConversation(ctx, id), opened: opened !== null }
  },
)

/** Changes the status and the assignee. A null assignee removes the current one. */
export const changeConversation = verb(
  { by: 'member' },
  async (ctx, id: string, { status, assigneeId }: ChangeConversation): Promise<Conversation> => {
    const { workspaceId } = ctx.caller
    await inTransaction(ctx, async ({ sql }) => {
      const current = ctx.ifMatch && isId(id) ? await lockConversation(sql, workspaceId, id) : null
      if (current) requireVersion(ctx, current)
      if (typeof assigneeId === 'string' && !(await isInTeam(sql, workspaceId, assigneeId)))
        throw invalidRequest({
          assigneeId: 'Is nobody of the team; take the userId of a member who has joined (GET /v1/members).',
        })
      const changed = isId(id) && (await updateConversation(sql, { workspaceId, id, status, assigneeId }))
      if (!changed) throw notFound('conversation')
    })
    noteChanges(ctx.sql, 'conversation', [{ workspaceId, id }])
    return readConversation(ctx, id)
  },
)

/** Marks all messages as read. The mark of a possible opt-out stays until a person decides. */
export const readUpTo = verb({ by: 'member' }, async ({ sql, caller }, id: string): Promise<void> => {
  const { workspaceId } = caller
  if (!isId(id) || !(await markRead(sql, workspaceId, id))) throw notFound('conversation')
  noteChanges(sql, 'conversation', [{ workspaceId, id }])
})

/** Lists the messages of a conversation in both directions, newest first. */
export const listConversationMessages = verb(
  { by: 'member' },
  async (ctx, id: string, query: PageQuery): Promise<PageOf<Message>> => {
    const page = pageRequest(query)
    const { workspaceId } = ctx.caller
    const rows = isId(id) ? await selectMessagesOf(ctx.sql, workspaceId, id, page) : []
    if (rows.length === 0) await readConversation(ctx, id)
    return pageOf(rows, page.limit, shapeOfMessage)
  },
)

/** Kinds of channels that only a newer release knows have no entry here, so their window is unknown. */
const windowHours = (kind: string): number | null =>
  providers[kind as ChannelKind]?.capabilities.freeFormWindowHours ?? null

const shape = (row: ConversationRow): Conversation => {
  const { lastMessage } = row
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
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
