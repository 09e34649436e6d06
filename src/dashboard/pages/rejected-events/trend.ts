/** Rejected requests over time, by problem. */
import { keepPreviousData } from '@tanstack/react-query'
import { hooks, type Schemas } from '../../api/client.ts'
import { useLiveRefresh } from '../../api/useLive.ts'
import type { ChartRange } from '../../ui/time-range/time-range.ts'

type Group = Schemas['ActivityGroup']

/** Values of the shown problems in a bucket, in their order. The last value is the sum of all others. */
export interface TrendRow {
  at: string
  counts: number[]
}

/** Returns the counts of each problem in a range. */
export const useTrend = (range: ChartRange) => {
  useLiveRefresh(['not_accepted'], ['/v1/activity/summary'])
  const { data } = hooks.useQuery(
    'get',
    '/v1/activity/summary',
    { params: { query: { ...range, group: 'problem' } } },
    { placeholderData: keepPreviousData, staleTime: 10_000 },
  )
  const groups = data?.groups
  return {
    entries: data?.data,
    groups,
    countsOf: (problemId: string): number[] | undefined => groups?.find(({ id }) => id === problemId)?.counts.refused,
  }
}

/** Returns a row for each bucket, with the counts of the shown problems and the sum of all others. */
export const toTrendRows = (
  entries: readonly Schemas['ActivitySummary'][],
  shown: readonly Group[],
  others: readonly Group[],
): TrendRow[] =>
  entries.map(({ at }, index) => {
    const countOf = ({ counts }: Group) => counts.refused?.[index] ?? 0
    return { at, counts: [...shown.map(countOf), others.reduce((sum, group) => sum + countOf(group), 0)] }
  })
