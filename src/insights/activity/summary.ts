/** Activity totals by hour or by day. */

import { invalidRequest } from '../../core/errors.ts'
import { verb } from '../../core/verb.ts'
import { clock } from '../../platform/clock.ts'
import type { ActivitySummary, SummaryQuery } from './schema.ts'
import { type StatsRow, selectStats } from './sql.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

type Unit = 'hour' | 'day'

/** Default and maximum number of hours or days in a summary. */
const units: Record<Unit, { ms: number; defaultCount: number; maxCount: number; maxLabel: string }> = {
  hour: { ms: hourMs, defaultCount: 24, maxCount: 31 * 24, maxLabel: '31 days by the hour' },
  day: { ms: dayMs, defaultCount: 30, maxCount: 400, maxLabel: '400 days by the day' },
}

/** Returns every hour or day from `from` to `to`, oldest first, including those without activity. */
export const summariseActivity = verb(
  { by: 'member' },
  async ({ sql, caller: { workspaceId } }, query: SummaryQuery): Promise<{ data: ActivitySummary[] }> => {
    const { by = 'hour' } = query
    const { ms } = units[by]
    const { from, until } = rangeOf(query, by)
    const rows = await selectStats(sql, { workspaceId, from: clampToStorable(from), until: clampToStorable(until), by })
    const rowsByTime = new Map(rows.map(row => [row.at.getTime(), row]))
    const count = (until.getTime() - from.getTime()) / ms
    return {
      data: Array.from({ length: count }, (_, n) => {
        const at = from.getTime() + n * ms
        return shape(new Date(at), rowsByTime.get(at))
      }),
    }
  },
)

/** Returns the range of a query, extended to whole hours or days in UTC. */
const rangeOf = (query: SummaryQuery, by: Unit): { from: Date; until: Date } => {
  const { ms, defaultCount, maxCount, maxLabel } = units[by]
  const to = query.to === undefined ? clock.now() : Date.parse(query.to)
  // An end on a full hour or day does not include the next one.
  const end = Math.ceil(to / ms) * ms
  const from = query.from === undefined ? end - defaultCount * ms : Date.parse(query.from)
  if (from > to) throw invalidRequest({ from: 'Must not be later than "to", which defaults to now.' })
  if (to - from > maxCount * ms)
    throw invalidRequest({ from: `Must be closer to "to". A summary covers at most ${maxLabel}.` })
  const first = Math.floor(from / ms) * ms
  return { from: new Date(first), until: new Date(Math.max(end, first + ms)) }
}

/** Limits the time to years that PostgreSQL can store. There is no activity outside them. */
const clampToStorable = (time: Date): Date => new Date(Math.min(Math.max(time.getTime(), 0), lastMs))

const lastMs = Date.parse('9999-12-31T23:59:59.999Z')

const shape = (at: Date, row: StatsRow | undefined): ActivitySummary => ({
  at: at.toISOString(),
  events: row?.events ?? 0,
  refused: row?.refused ?? 0,
  runsStarted: row?.runsStarted ?? 0,
  messages: row?.messages ?? noMessages,
  deliveries: row?.deliveries ?? noDeliveries,
})

const noMessages = { queued: 0, sent: 0, delivered: 0, read: 0, failed: 0, skipped: 0, unknown: 0, received: 0 }
const noDeliveries = { delivered: 0, failed: 0, attempts: 0 }
