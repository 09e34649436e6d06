import { type PageOf, pageOf, pageRequest } from '../pagination.ts'
import type { PageQuery } from '../schema.ts'
import { verb } from '../verb.ts'
import type { Message } from './schema.ts'
import { type MessageRow, selectMessages } from './sql.ts'

/** Messages of the workspace, or of one customer. An unknown customer has none. */
export const listMessages = verb(
  { by: 'member' },
  async ({ sql, caller }, query: PageQuery & { customerId?: string }): Promise<PageOf<Message>> => {
    const page = pageRequest(query)
    return pageOf(await selectMessages(sql, caller.workspaceId, query.customerId ?? null, page), page.limit, shape)
  },
)

const shape = (row: MessageRow): Message => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})
