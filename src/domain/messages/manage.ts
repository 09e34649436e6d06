import { notFound } from '../errors.ts'
import { isId } from '../ids.ts'
import { type PageOf, pageOf, pageRequest } from '../pagination.ts'
import type { PageQuery } from '../schema.ts'
import { verb } from '../verb.ts'
import { findMessage, selectMessages, selectStatuses, shape } from './read-sql.ts'
import type { Message, MessageDetail } from './schema.ts'

/** Messages of the workspace, or of one customer. An unknown customer has none. */
export const listMessages = verb(
  { by: 'member' },
  async ({ sql, caller }, query: PageQuery & { customerId?: string }): Promise<PageOf<Message>> => {
    const page = pageRequest(query)
    return pageOf(await selectMessages(sql, caller.workspaceId, query.customerId ?? null, page), page.limit, shape)
  },
)

/** One message of the caller's workspace, with what became of it. */
export const readMessage = verb(
  { by: 'member' },
  async ({ sql, caller: { workspaceId } }, id: string): Promise<MessageDetail> => {
    const row = isId(id) ? await findMessage(sql, workspaceId, id) : null
    if (!row) throw notFound('message')
    const statuses = await selectStatuses(sql, workspaceId, id)
    return { ...shape(row), statuses: statuses.map(({ at, ...status }) => ({ ...status, at: at.toISOString() })) }
  },
)
