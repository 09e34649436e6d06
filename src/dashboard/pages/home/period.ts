/** Periods of Home: their hours or days, their bars, and the comparison with the period before. */
import type { Schemas } from '../../api/client.ts'

export type Entry = Schemas['ActivitySummary']

export const periods = ['24h', '7d', '30d'] as const
export type Period = (typeof periods)[number]
export const defaultPeriod: Period = '24h'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Number of entries of the summary in a period, and number of entries in a bar. */
const shapes = {
  '24h': { by: 'hour', unitMs: hourMs, entries: 24, entriesPerBar: 1 },
  '7d': { by: 'hour', unitMs: hourMs, entries: 168, entriesPerBar: 6 },
  '30d': { by: 'day', unitMs: dayMs, entries: 30, entriesPerBar: 1 },
} as const

/** Reads the period from the address and ignores other values. */
export const parsePeriod = (search: Record<string, unknown>): { range?: Period } => {
  const range = periods.find(period => period === search.range)
  return range ? { range } : {}
}

/** Returns the query of the summary: the period, and by default the one before too, in whole hours or days. */
export const summaryQuery = (period: Period, now: number, periods = 2) => {
  const { by, unitMs, entries } = shapes[period]
  const end = Math.ceil((now + 1) / unitMs) * unitMs
  return { by, from: new Date(end - periods * entries * unitMs).toISOString(), to: new Date(end).toISOString() }
}

/** Returns the bars of a period, oldest first. */
export const toBars = <One extends object>(period: Period, summary: readonly One[]): One[] => {
  const { entries, entriesPerBar } = shapes[period]
  const current = summary.slice(-entries)
  return Array.from({ length: Math.ceil(current.length / entriesPerBar) }, (_, index) =>
    sumEntries(current.slice(index * entriesPerBar, (index + 1) * entriesPerBar)),
  )
}

/** Returns the time range of a bar, as a filter of a list. */
export const barRange = (period: Period, at: string): { since: string; until: string } => {
  const { unitMs, entriesPerBar } = shapes[period]
  return { since: at, until: new Date(Date.parse(at) + entriesPerBar * unitMs).toISOString() }
}

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
  const { unitMs, entries } = shapes[period]
  const sum = (part: readonly Entry[]) => part.reduce((total, entry) => total + select(entry), 0)
  const [first, ...others] = summary.slice(0, -entries)
  const elapsedShare = (now % unitMs) / unitMs
  return {
    current: sum(summary.slice(-entries)),
    previous: Math.round((first ? select(first) * elapsedShare : 0) + sum(others)),
  }
}
