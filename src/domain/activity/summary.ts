/** Activity totals by hour or by day. */
import { clock } from '../../platform/clock.ts'
import { invalidRequest } from '../errors.ts'
import { verb } from '../verb.ts'
import type { ActivitySummary, SummaryQuery } from './schema.ts'
import { selectTallies, type TallyRow } from './sql.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

type Unit = 'hour' | 'day'

/** Default and maximum number of hours or days in a summary. */
const spans: Record<Unit, { ms: number; usual: number; most: number; mostSaid: string }> = {
  hour: { ms: hourMs, usual: 24, most: 31 * 24, mostSaid: '31 days by the hour' },
  day: { ms: dayMs, usual: 30, most: 400, mostSaid: '400 days by the day' },
}

/** Returns every hour or day from `from` to `to`, oldest first, including those without activity. */
export const summariseActivity = verb(
  { by: 'member' },
  async ({ sql, caller: { workspaceId } }, query: SummaryQuery): Promise<{ data: ActivitySummary[] }> => {
    const { by = 'hour' } = query
    const { ms } = spans[by]
    const { from, until } = spanOf(query, by)
    const rows = await selectTallies(sql, { workspaceId, from: storable(from), until: storable(until), by })
    const known = new Map(rows.map(row => [row.at.getTime(), row]))
    const count = (until.getTime() - from.getTime()) / ms
    return {
      data: Array.from({ length: count }, (_, n) => {
        const at = from.getTime() + n * ms
        return shape(new Date(at), known.get(at))
      }),
    }
  },
)

/** Returns the range of a query, extended to whole hours or days in UTC. */
const spanOf = (query: SummaryQuery, by: Unit): { from: Date; until: Date } => {
  const { ms, usual, most, mostSaid } = spans[by]
  const to = query.to === undefined ? clock.now() : Date.parse(query.to)
  // An end on a full hour or day does not include the next one.
  const end = Math.ceil(to / ms) * ms
  const from = query.from === undefined ? end - usual * ms : Date.parse(query.from)
  if (from > to) throw invalidRequest({ from: 'Must not be later than "to", which is now where it is left out.' })
  if (to - from > most * ms)
    throw invalidRequest({ from: `Must be nearer to "to": a summary covers at most ${mostSaid}.` })
  const first = Math.floor(from / ms) * ms
  return { from: new Date(first), until: new Date(Math.max(end, first + ms)) }
}

/** Limits the time to years that PostgreSQL can store. There is no activity outside them. */
const storable = (time: Date): Date => new Date(Math.min(Math.max(time.getTime(), 0), lastMs))

const lastMs = Date.parse('9999-12-31T23:59:59.999Z')

const shape = (at: Date, row: TallyRow | undefined): ActivitySummary => ({
  at: at.toISOString(),
  events: row?.events ?? 0,
  refused: row?.refused ?? 0,
  runsStarted: row?.runsStarted ?? 0,
  messages: row?.messages ?? noMessages,
  deliveries: row?.deliveries ?? noDeliveries,
})

const noMessages = { queued: 0, sent: 0, delivered: 0, read: 0, failed: 0, skipped: 0, unknown: 0, received: 0 }
const noDeliveries = { delivered: 0, failed: 0, attempts: 0 }
