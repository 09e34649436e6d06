/** Rejected requests over time, by problem. */
import { keepPreviousData } from '@tanstack/react-query'
import { hooks, type Schemas } from '../../api/client.ts'
import { useLiveRefresh } from '../../api/useLive.ts'
import type { ChartRange } from '../../ui/time-range/time-range.ts'

type Group = Schemas['ActivityGroup']

/** Counts of the shown errors in a bucket, in their order. */
export interface TrendRow {
  at: string
  counts: number[]
}

/** Returns the counts of each problem in a range. */
export const useTrend = (range: ChartRange) => {
  useLiveRefresh(['not_accepted'], ['/v1/activity/summary'])
  const query = hooks.useQuery(
    'get',
    '/v1/activity/summary',
    { params: { query: { ...range, group: 'problem' } } },
    { placeholderData: keepPreviousData },
  )
  const groups = query.data?.groups
  return {
    query,
    entries: query.data?.data,
    groups,
    countsOf: (problemId: string): number[] | undefined => groups?.find(({ id }) => id === problemId)?.counts.refused,
  }
}

/** The problems with one error message, which several senders and keys can have. Null for those that have none. */
export interface ErrorGroup {
  message: string | null
  groups: Group[]
}

/** Returns the error messages with their problems, the most frequent first, and one for all others at the end. */
export const toErrors = (groups: readonly Group[]): ErrorGroup[] => {
  const byMessage = [...Map.groupBy(groups, ({ name }) => name)].map(([message, groups]) => ({ message, groups }))
  const total = ({ groups }: ErrorGroup) => groups.flatMap(({ counts }) => counts.refused ?? []).reduce(sum, 0)
  return byMessage.toSorted((a, b) => Number(a.message === null) - Number(b.message === null) || total(b) - total(a))
}

const sum = (a: number, b: number) => a + b

/** Returns a row for each bucket, with the counts of each error. */
export const toTrendRows = (
  entries: readonly Schemas['ActivitySummary'][],
  errors: readonly ErrorGroup[],
): TrendRow[] =>
  entries.map(({ at }, index) => ({
    at,
    counts: errors.map(({ groups }) => groups.map(({ counts }) => counts.refused?.[index] ?? 0).reduce(sum, 0)),
  }))
