/** Reads the entries of a customer's last eight weeks, for the chart and the number of active days. */
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../api/client.ts'
import { pageReader, toRows } from '../../api/pages.ts'
import { withRetryAfter } from '../../api/retry.ts'
import { formatClock, useZone } from '../../ui/zone.ts'
import { activityByDay, shownSince } from './activity.ts'
import { useTimeline } from './useTimeline.ts'

type Item = Schemas['TimelineItem']

/** Maximum number of pages of 100 entries. A customer with more has a chart of the newest entries. */
const maxPages = 10

/**
 * Returns the newest entry, and the number of entries on each day. Both are undefined while they are loaded. The first
 * page of the timeline is enough for most customers. The further pages are read once a minute at most.
 */
export const useActivity = (customerId: string) => {
  const zone = useZone()
  const dayOf = (at: string) => formatClock(new Date(at), zone).slice(0, 10)
  const timeline = useTimeline(customerId)
  const { rows: newest } = toRows<Item>(timeline)
  const needsMore = newest !== undefined && timeline.hasNextPage && !coversPeriod(newest)
  const further = useQuery({
    queryKey: ['customer-activity', customerId],
    queryFn: ({ signal }) => readPeriod(customerId, signal),
    enabled: needsMore,
    staleTime: 60_000,
  })
  const isLoading = newest === undefined || (needsMore && further.isPending)
  const items = newest && mergeItems(newest, further.data?.items ?? [])
  const isComplete = !timeline.hasNextPage || (further.data?.isComplete ?? false)
  const days = isLoading || !items ? undefined : activityByDay(items, isComplete, dayOf, Date.now())
  return {
    newest: newest && (newest[0] ?? null),
    days,
    /** Request of the further pages. Its error means that `days` has only the newest entries. */
    query: further,
    loadedCount: items?.length ?? 0,
    hasAllDays: days?.every(({ counts }) => counts !== null) ?? false,
  }
}

const coversPeriod = (items: readonly Item[]): boolean => {
  const last = items.at(-1)
  return last !== undefined && Date.parse(last.at) < shownSince(Date.now())
}

/** Reads the timeline from the newest entry until the period is covered, at most `maxPages` pages. */
const readPeriod = async (customerId: string, signal: AbortSignal) => {
  const readPage = pageReader<Item>('/v1/customers/{id}/timeline', { params: { path: { id: customerId }, query: {} } })
  const items: Item[] = []
  let cursor: string | null = null
  for (let pages = 0; pages < maxPages && !coversPeriod(items); pages++) {
    const page = await withRetryAfter(() => readPage(cursor, signal), signal)
    items.push(...page.data)
    cursor = page.nextCursor ?? null
    if (cursor === null) break
  }
  return { items, isComplete: cursor === null }
}

/** Merges two parts of the timeline, newest first. */
const mergeItems = (some: readonly Item[], others: readonly Item[]): Item[] =>
  [...new Map([...some, ...others].map(item => [item.id, item])).values()].sort(
    (one, other) => Date.parse(other.at) - Date.parse(one.at),
  )
