import { notFound } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import { type PageOf, toPage, toPageRequest } from '../../core/pagination.ts'
import { maxScanned, toScanPage } from '../../core/scan.ts'
import { verb } from '../../core/verb.ts'
import { findLastScannedMessage, findMessage, needsScan, selectMessages, selectStatuses, shape } from './read-sql.ts'
import type { Message, MessageDetail, MessageQuery } from './schema.ts'

/** Lists messages of the workspace. An unknown customer, run or channel has no messages. */
export const listMessages = verb(
  { by: 'member' },
  async ({ sql, caller }, query: MessageQuery): Promise<PageOf<Message>> => {
    const page = toPageRequest(query)
    const { customerId, runId, channelId, direction, status, q } = query
    const filter = {
      workspaceId: caller.workspaceId,
      customerId,
      runId,
      channelId,
      direction,
      status,
      text: q?.trim() || null,
      page,
    }
    const rows = await selectMessages(sql, filter, maxScanned)
    if (!needsScan(filter)) return toPage(rows, page, shape)
    return toScanPage(rows, page, () => findLastScannedMessage(sql, filter, maxScanned), shape)
  },
)

/** Returns one message of the caller's workspace with its status history. */
export const readMessage = verb(
  { by: 'member' },
  async ({ sql, caller: { workspaceId } }, id: string): Promise<MessageDetail> => {
    const row = isId(id) ? await findMessage(sql, workspaceId, id) : null
    if (!row) throw notFound('message')
    const statuses = await selectStatuses(sql, workspaceId, id)
    return { ...shape(row), statuses: statuses.map(({ at, ...status }) => ({ ...status, at: at.toISOString() })) }
  },
)
