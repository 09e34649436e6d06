/** SQL that reads messages for API responses. */

import {
  direction,
  isInRange,
  isOnPage,
  type PageRequest,
  type SizedRow,
  withinPageBytes,
} from '../../core/pagination.ts'
import { findLastScanned } from '../../core/scan.ts'
import { hasExactWords } from '../../core/word-search.ts'
import type { Fragment, Sql } from '../../platform/postgres/client.ts'
import type { QueuedTemplate } from './enqueue.ts'
import { visibleId } from './erased-id.ts'
import { type Message, type MessageQuery, maxStatuses } from './schema.ts'

type Times = 'createdAt' | 'updatedAt' | 'sentAt'

export type MessageRow = Omit<Message, Times> & { createdAt: Date; updatedAt: Date; sentAt: Date | null }

/** Columns of the rows `m` that form a message. */
export const messageColumns = (sql: Sql) => sql`
  m.id, m.conversation_id as "conversationId", m.channel_id as "channelId", m.customer_id as "customerId", m.direction,
  m.type, m.text, m.template_id as "templateId", m.status, ${visibleId(sql, sql`m.provider_message_id`)} as "providerMessageId", m.detail,
  case when m.sent_by is not null then json_build_object('type', m.sent_by, 'id', m.sent_by_id) end as "sentBy",
  m.sent_at as "sentAt", m.created_at as "createdAt", m.updated_at as "updatedAt"`

const bytesColumn = (sql: Sql) => sql`coalesce(octet_length(m.text), 0) + coalesce(octet_length(m.detail), 0) as bytes`

export const shape = ({ sentAt, createdAt, updatedAt, ...row }: MessageRow): Message => ({
  ...row,
  sentAt: sentAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})

/** Filter of a message list. */
export interface MessageFilter
  extends Pick<MessageQuery, 'customerId' | 'runId' | 'channelId' | 'direction' | 'status'> {
  workspaceId: string
  /** Part of the text. Null selects all. */
  text: string | null
  page: PageRequest
}

/** Returns whether the filter needs a scan. An index covers only the customer and the run. */
export const needsScan = ({ channelId, direction, status, text }: MessageFilter): boolean =>
  channelId !== undefined || direction !== undefined || status !== undefined || text !== null

/** Selects a page of messages. A scan reads at most `maxScanned` rows. */
export const selectMessages = (sql: Sql, p: MessageFilter, maxScanned: number) =>
  selectPage(
    sql,
    needsScan(p)
      ? sql`(select * from ${indexedMessages(sql, p)} order by m.id ${direction(sql, p.page)} limit ${maxScanned}) m
      where true
        ${p.channelId === undefined ? sql`` : sql`and m.channel_id = ${p.channelId}`}
        ${p.direction === undefined ? sql`` : sql`and m.direction = ${p.direction}`}
        ${p.status === undefined ? sql`` : sql`and m.status = ${p.status}`}
        ${p.text === null ? sql`` : sql`and ${hasExactWords(sql, 'm.text', p.text)}`}`
      : indexedMessages(sql, p),
    p.page,
  )

export const findLastScannedMessage = (sql: Sql, p: MessageFilter, maxScanned: number) =>
  findLastScanned(sql, p.page, sql`select m.id from ${indexedMessages(sql, p)}`, maxScanned)

/**
 * Messages that an index finds: of the run, otherwise of the customer, otherwise all. A run writes at most as many
 * messages as its step limit; `offset 0` forces the index on the run.
 */
const indexedMessages = (sql: Sql, { workspaceId, customerId, runId, page }: MessageFilter) => sql`
  ${
    runId === undefined
      ? sql`messages`
      : sql`(select * from messages m where m.workspace_id = ${workspaceId} and m.run_id = ${runId} offset 0)`
  } m where m.workspace_id = ${workspaceId} ${customerId === undefined ? sql`` : sql`and m.customer_id = ${customerId}`}
    ${isInPage(sql, page)}`

export const selectMessagesOf = (sql: Sql, workspaceId: string, conversationId: string, page: PageRequest) =>
  selectPage(
    sql,
    sql`messages m where m.workspace_id = ${workspaceId} and m.conversation_id = ${conversationId} ${isInPage(sql, page)}`,
    page,
  )

const isInPage = (sql: Sql, page: PageRequest) => sql`
  ${isOnPage(sql, page, sql`m.id`)} ${isInRange(sql, page, sql`m.id`, sql`m.created_at`)}`

/** `source`: the rows `m` and their conditions. */
const selectPage = (sql: Sql, source: Fragment, page: PageRequest) =>
  sql<(MessageRow & SizedRow)[]>`${withinPageBytes(
    sql,
    page,
    sql`
    select ${messageColumns(sql)}, ${bytesColumn(sql)} from ${source}
    order by m.id ${direction(sql, page)} limit ${page.limit + 1}`,
  )}`

export const findMessage = async (sql: Sql, workspaceId: string, id: string) => {
  const [row] = await sql<MessageRow[]>`
    select ${messageColumns(sql)} from messages m where m.workspace_id = ${workspaceId} and m.id = ${id}`
  return row ?? null
}

/** A message that a run wrote, as shown with the event that started the run. */
export interface RunMessage {
  id: string
  runId: string
  providerMessageId: string | null
  status: Message['status']
}

/** Selects the first `limit` messages of these runs, ordered by run and then by step. */
export const selectMessagesOfRuns = (sql: Sql, workspaceId: string, runIds: readonly string[], limit: number) => sql<
  RunMessage[]
>`
  select m.id, m.run_id as "runId", m.provider_message_id as "providerMessageId", m.status
  from unnest(${runIds}::uuid[]) with ordinality as run(id, position) cross join lateral (
    select * from messages m where m.workspace_id = ${workspaceId} and m.run_id = run.id order by m.run_step limit ${limit}
  ) m
  order by run.position, m.run_step limit ${limit}`

/** Returns the template of a message, as it was queued; null if the message has none. */
export const findMessageTemplate = async (
  sql: Sql,
  workspaceId: string,
  id: string,
): Promise<QueuedTemplate | null> => {
  const [row] = await sql<QueuedTemplate[]>`
    select template_id as id, marketing, provider_template as provider from messages
    where workspace_id = ${workspaceId} and id = ${id} and template_id is not null`
  return row ?? null
}

export interface StatusRow {
  status: string
  detail: string | null
  at: Date
}

export const selectStatuses = (sql: Sql, workspaceId: string, messageId: string) => sql<StatusRow[]>`
  select status, detail, coalesce(provider_at, at) as at from message_statuses
  where workspace_id = ${workspaceId} and message_id = ${messageId}
  order by id limit ${maxStatuses}`
