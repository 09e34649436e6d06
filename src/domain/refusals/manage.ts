import { notFound } from '../errors.ts'
import { isId } from '../ids.ts'
import { type PageOf, pageOf, pageRequest } from '../pagination.ts'
import type { PageQuery } from '../schema.ts'
import { verb } from '../verb.ts'
import type { RefusalLog } from './keep.ts'
import type { NotAccepted } from './schema.ts'
import { findRefusal, type RefusalRow, selectRefusals } from './sql.ts'

/**
 * Lists rejected requests of the workspace, newest first. Waits for `log`, so that requests just rejected by this
 * process are included.
 */
export const listNotAccepted = verb(
  { by: 'member' },
  async ({ sql, caller }, log: RefusalLog, query: PageQuery): Promise<PageOf<NotAccepted>> => {
    await log.idle()
    const page = pageRequest(query)
    return pageOf(await selectRefusals(sql, caller.workspaceId, page), page.limit, shape)
  },
)

/** Returns one entry, until retention removes it. */
export const readNotAccepted = verb(
  { by: 'member' },
  async ({ sql, caller: { workspaceId } }, log: RefusalLog, id: string): Promise<NotAccepted> => {
    await log.idle()
    const row = isId(id) ? await findRefusal(sql, workspaceId, id) : null
    if (!row) throw notFound('entry of Not accepted')
    return shape(row)
  },
)

const shape = ({ firstAt, lastAt, ...row }: RefusalRow): NotAccepted => ({
  id: row.id,
  firstAt: firstAt.toISOString(),
  lastAt: lastAt.toISOString(),
  count: row.count,
  sender: row.sender,
  method: row.method,
  path: row.path,
  status: row.status,
  code: row.code,
  message: row.message,
  details: row.details,
  requestId: row.requestId,
  severity: row.eventId === null ? 'error' : 'warning',
  eventId: row.eventId,
})
