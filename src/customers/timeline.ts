import { type PageOf, toPage, toPageRequest } from '../core/pagination.ts'
import type { PageQuery } from '../core/schema.ts'
import { verb } from '../core/verb.ts'
import { JsonText } from '../platform/json-text.ts'
import type { TimelineItem } from './schema.ts'
import { readCustomer } from './search.ts'
import { selectTimeline, type TimelineRow } from './sql.ts'

/** Lists the history of a customer, newest first: events, messages, runs, opt-ins and opt-outs. */
export const readTimeline = verb(
  { by: 'key or member' },
  async (ctx, id: string, query: PageQuery): Promise<PageOf<TimelineItem>> => {
    const page = toPageRequest(query)
    await readCustomer(ctx, id)
    return toPage(await selectTimeline(ctx.sql, ctx.caller.workspaceId, id, page), page, shape)
  },
)

const shape = ({ id, kind, at, fields, dataText }: TimelineRow): TimelineItem => {
  const { endedAt } = fields
  const ended = typeof endedAt === 'string' && { endedAt: new Date(endedAt).toISOString() }
  const data = dataText !== null && { data: new JsonText(dataText) }
  return { id, kind, at: at.toISOString(), ...fields, ...data, ...ended } as TimelineItem
}
