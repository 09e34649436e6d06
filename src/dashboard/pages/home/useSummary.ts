/** Query of Home: the counts of the chosen period and of the one before. */
import { keepPreviousData } from '@tanstack/react-query'
import { hooks } from '../../api/client.ts'
import { useLiveRefresh } from '../../api/useLive.ts'
import { useNow } from '../../ui/Time.tsx'
import { type Period, summaryQuery } from './period.ts'

export const useSummary = (period: Period) => {
  const now = useNow()
  useLiveRefresh(['event', 'run', 'message', 'delivery', 'not_accepted'], ['/v1/activity/summary'])
  return hooks.useQuery(
    'get',
    '/v1/activity/summary',
    { params: { query: summaryQuery(period, now) } },
    { refetchInterval: 60_000, placeholderData: keepPreviousData },
  )
}

export type Summary = ReturnType<typeof useSummary>
