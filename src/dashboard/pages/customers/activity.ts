/** Activity of a customer: the entries of the timeline in order, and their number by day. */
import type { Schemas } from '../../api/client.ts'

/** Number of days that the chart shows: eight weeks. */
const shownDays = 56
const dayMs = 86_400_000

/** Returns a time before the first shown day of any time zone. */
export const shownSince = (now: number): number => now - (shownDays + 1) * dayMs

type Item = Pick<Schemas['TimelineItem'], 'at' | 'kind'>

/** Entry of the timeline, or a sale, which the API lists separately. */
export type Entry = Schemas['TimelineItem'] | { kind: 'sale'; id: string; at: string; sale: Schemas['Sale'] }

/**
 * Merges the timeline with the sales, newest first. A run stands above the event that started it. Sales older than the
 * loaded timeline are left out until it `isComplete`. `sales` are the newest ones, and older ones are left out too.
 */
export const mergeSales = (
  items: readonly Schemas['TimelineItem'][],
  sales: readonly Schemas['Sale'][],
  isComplete: boolean,
): Entry[] => {
  const oldest = isComplete ? '' : (items.at(-1)?.at ?? '')
  const entries: Entry[] = [
    ...items,
    ...sales
      .filter(({ createdAt }) => createdAt >= oldest)
      .map(sale => ({ kind: 'sale' as const, id: sale.id, at: sale.createdAt, sale })),
  ].sort((one, other) => Date.parse(other.at) - Date.parse(one.at))
  const seen = new Set<string>()
  const late = new Set(
    entries.filter(entry => {
      seen.add(entry.id)
      return entry.kind === 'run' && seen.has(entry.eventId)
    }),
  )
  const lateRuns = Object.groupBy(late, entry => (entry.kind === 'run' ? entry.eventId : ''))
  return entries.filter(entry => !late.has(entry)).flatMap(entry => [...(lateRuns[entry.id] ?? []), entry])
}

/** Kinds of entries, as the filter of the timeline names them. */
export const activityKinds = ['message', 'event', 'run', 'consent'] as const
type ActivityKind = (typeof activityKinds)[number]

export const kindOf = (kind: Item['kind']): ActivityKind =>
  kind === 'event' || kind === 'message' || kind === 'run' ? kind : 'consent'

export interface Day {
  /** Date in the zone of the reader, such as `2026-11-24`. */
  at: string
  /** Number of entries of each kind. Null if the entries of this day are not loaded. */
  counts: Record<ActivityKind, number> | null
}

/** Counts the loaded entries of the last days, oldest day first. `dayOf` returns the date of a time. */
export const activityByDay = (
  items: readonly Item[],
  isComplete: boolean,
  dayOf: (at: string) => string,
  now: number,
): Day[] => {
  const byDay = Object.groupBy(items, ({ at }) => dayOf(at))
  const last = items.at(-1)
  const oldestDay = isComplete || !last ? '' : dayOf(last.at)
  return Array.from({ length: shownDays }, (_, index) => {
    const day = dayOf(new Date(now - (shownDays - 1 - index) * dayMs).toISOString())
    return { at: day, counts: day < oldestDay ? null : countKinds(byDay[day] ?? []) }
  })
}

const countKinds = (items: readonly Item[]): Record<ActivityKind, number> => {
  const counts = { message: 0, event: 0, run: 0, consent: 0 }
  for (const { kind } of items) counts[kindOf(kind)]++
  return counts
}
