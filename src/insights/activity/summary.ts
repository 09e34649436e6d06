/** Activity totals and groups by hour or by day. */
import { verb } from '../../core/verb.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { type StatsRange, statsRange } from '../../webhooks/statistics/index.ts'
import { summariseGroups } from './groups.ts'
import type { ActivitySummary, ActivitySummaryList, SummaryQuery } from './schema.ts'
import { type StatsRow, selectStats } from './sql.ts'

/** Returns every hour or day from `from` to `to`, oldest first, including those without activity. */
export const summariseActivity = verb(
  { by: 'member' },
  async ({ sql, caller: { workspaceId } }, query: SummaryQuery): Promise<ActivitySummaryList> => {
    const { by = 'hour', from, to, group } = query
    const range = statsRange(by, { since: from, until: to }, { since: 'from', until: 'to' })
    const data = toEntries(range, await selectStats(sql, { workspaceId, ...range }))
    return group === undefined ? { data } : { data, groups: await summariseGroups(sql, workspaceId, group, range) }
  },
)

/** Returns the number of rejected events in these hours, as the summary counts them. */
export const countRejected = async (sql: Sql, workspaceId: string, { from, until }: StatsRange): Promise<number> =>
  (await selectStats(sql, { workspaceId, from, until, by: 'hour' })).reduce((sum, { refused }) => sum + refused, 0)

const toEntries = ({ starts }: StatsRange, rows: readonly StatsRow[]): ActivitySummary[] => {
  const rowsByTime = new Map(rows.map(row => [row.at.getTime(), row]))
  return starts.map(at => shape(at, rowsByTime.get(at.getTime())))
}

const shape = (at: Date, row: StatsRow | undefined): ActivitySummary => ({
  at: at.toISOString(),
  events: row?.events ?? 0,
  unhandled: row?.unhandled ?? 0,
  refused: row?.refused ?? 0,
  runsStarted: row?.runsStarted ?? 0,
  messages: row?.messages ?? noMessages,
  deliveries: row?.deliveries ?? noDeliveries,
})

const noMessages = { queued: 0, sent: 0, delivered: 0, read: 0, failed: 0, skipped: 0, unknown: 0, received: 0 }
const noDeliveries = { delivered: 0, failed: 0, attempts: 0 }
