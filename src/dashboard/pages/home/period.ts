/** Periods of Home, each a preset of the time ranges of lists: their bars, and the comparison with the period before. */
import type { Schemas } from '../../api/client.ts'
import { toChartRange } from '../../ui/time-range/time-range.ts'

export type Entry = Schemas['ActivitySummary']

export const periods = ['24h', '7d', '30d'] as const
export type Period = (typeof periods)[number]
export const defaultPeriod: Period = '24h'

/** Number of bars of a period, each an entry of the summary. */
const barCounts = { '24h': 24, '7d': 7, '30d': 30 } as const

export const unitOf = (period: Period) => toChartRange({ range: period }).by

/** Reads the period from the address and ignores other values. */
export const parsePeriod = (search: Record<string, unknown>): { range?: Period } => {
  const range = periods.find(period => period === search.range)
  return range ? { range } : {}
}

/** Returns the query of the summary: the period and the one before, in whole hours or days. */
export const summaryQuery = (period: Period, now: number) => {
  const { from, to, by } = toChartRange({ range: period }, now)
  return { by, from: new Date(2 * Date.parse(from) - Date.parse(to) - 1).toISOString(), to }
}

/** Returns the bars of a period, oldest first, without those of the period before. */
export const toBars = <One extends object>(period: Period, summary: readonly One[]): readonly One[] =>
  summary.slice(-barCounts[period])

/**
 * Counts each message in its latest status only. The API counts it in each status that it reached, so a later status is
 * subtracted from the newest earlier one. The result is not exact. A failed message may not have been sent, and a skipped
 * one not queued, but both are subtracted. A read without a report of the delivery, and an unknown message that is sent
 * later, count twice.
 */
export const byLatestStatus = (bars: readonly Entry[]): Entry[] => {
  const gone = { queued: 0, sent: 0, delivered: 0 }
  return bars
    .toReversed()
    .map(bar => {
      const { queued, sent, delivered, read, failed, skipped, unknown } = bar.messages
      const remain = (status: keyof typeof gone, reached: number, left: number) => {
        const rest = reached - gone[status] - left
        gone[status] = Math.max(-rest, 0)
        return Math.max(rest, 0)
      }
      const messages = {
        ...bar.messages,
        queued: remain('queued', queued, sent + failed + skipped + unknown),
        sent: remain('sent', sent, delivered + failed),
        delivered: remain('delivered', delivered, read),
      }
      return { ...bar, messages }
    })
    .toReversed()
}

/** Adds the counts of entries. The result starts with the first of them. */
export const sumEntries = <One extends object>(entries: readonly One[]): One => entries.reduce(addCounts)

const addCounts = <Counts extends object>(one: Counts, other: Counts): Counts =>
  Object.fromEntries(
    Object.entries(one).map(([key, value]) => {
      const added: unknown = Reflect.get(other, key)
      if (typeof value === 'number' && typeof added === 'number') return [key, value + added]
      return [key, typeof value === 'object' && typeof added === 'object' ? addCounts(value, added ?? {}) : value]
    }),
  ) as Counts

/**
 * Returns the sum of a period, and of the period before up to the same time. The last hour or day is not over, so only
 * the same share of the first one of the period before counts.
 */
export const compare = (
  period: Period,
  summary: readonly Entry[],
  now: number,
  select: (entry: Entry) => number,
): { current: number; previous: number } => {
  const unitMs = unitOf(period) === 'hour' ? 3_600_000 : 86_400_000
  const sum = (part: readonly Entry[]) => part.reduce((total, entry) => total + select(entry), 0)
  const [first, ...others] = summary.slice(0, -barCounts[period])
  const elapsedShare = (now % unitMs) / unitMs
  return {
    current: sum(toBars(period, summary)),
    previous: Math.round((first ? select(first) * elapsedShare : 0) + sum(others)),
  }
}
