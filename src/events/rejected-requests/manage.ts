import { type Details, notFound } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import { type PageOf, toPage, toPageRequest } from '../../core/pagination.ts'
import { suggestedField } from '../../core/validate.ts'
import { verb } from '../../core/verb.ts'
import type { RejectedRequestLog } from './record.ts'
import type { NotAccepted, RejectedRequestQuery } from './schema.ts'
import { findRejectedRequest, type RejectedRequestRow, selectRejectedRequests } from './sql.ts'

/**
 * Lists rejected requests of the workspace, newest first. Waits for `log`, so that requests just rejected by this
 * process are included.
 */
export const listNotAccepted = verb(
  { by: 'member' },
  async ({ sql, caller }, log: RejectedRequestLog, query: RejectedRequestQuery): Promise<PageOf<NotAccepted>> => {
    await log.idle()
    const page = toPageRequest(query)
    return toPage(await selectRejectedRequests(sql, caller.workspaceId, page, query), page, shape)
  },
)

/** Returns one entry, until retention removes it. */
export const readNotAccepted = verb(
  { by: 'member' },
  async ({ sql, caller: { workspaceId } }, log: RejectedRequestLog, id: string): Promise<NotAccepted> => {
    await log.idle()
    const row = isId(id) ? await findRejectedRequest(sql, workspaceId, id) : null
    if (!row) throw notFound('entry of Not accepted')
    return shape(row)
  },
)

/** Returns the suggested name of each unknown field that has one. */
const suggestionsOf = (details: Details | null): Record<string, string> =>
  Object.fromEntries(
    Object.entries(details ?? {}).flatMap(([path, reason]) => {
      const suggestion = suggestedField(reason)
      return suggestion === null ? [] : [[path, suggestion]]
    }),
  )

const shape = ({ firstAt, lastAt, ...row }: RejectedRequestRow): NotAccepted => ({
  id: row.id,
  problemId: row.problemId,
  firstAt: firstAt.toISOString(),
  lastAt: lastAt.toISOString(),
  count: row.count,
  sender: row.sender,
  apiKeyId: row.apiKeyId,
  method: row.method,
  path: row.path,
  status: row.status,
  code: row.code,
  message: row.message,
  details: row.details,
  requestId: row.requestId,
  severity: row.eventId === null ? 'error' : 'warning',
  eventId: row.eventId,
  sample: row.sample,
  suggestions: suggestionsOf(row.details),
})
