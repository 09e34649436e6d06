/** Statistics of the inbox today, in the navigation, in the title of the tab and in the inbox. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { hooks, type Schemas } from '../api/client.ts'
import { useLive, usePollInterval, useThrottled } from '../api/useLive.ts'
import { useTranslate } from '../texts/index.tsx'
import { setUnreadCount } from '../ui/hooks/title.ts'
import { useWhenIdle } from '../ui/hooks/whenIdle.ts'
import { formatClock, parseClock, useZone } from '../ui/zone.ts'
import styles from './shell.module.css'

/** Interval in milliseconds while the tab is hidden or the stream is interrupted. */
const pollMs = 30_000
/** Minimum time in milliseconds between two refreshes because of messages. */
const refreshMs = 10_000
/** Largest count that the badge shows. */
const maxShown = 99

/** Waiting conversations now, and the first responses since midnight in the person's time zone. */
export const useInboxToday = (): {
  data: Schemas['InboxStats'] | undefined
  error: unknown
  refetch: () => unknown
} => {
  const zone = useZone()
  const midnight = parseClock(`${formatClock(new Date(), zone).slice(0, 10)}T00:00`, zone)!
  const enabled = useWhenIdle()
  return hooks.useQuery(
    'get',
    '/v1/inbox/stats',
    { params: { query: { by: 'hour', since: midnight.toISOString() } } },
    // A hidden tab has no stream, and its title still shows the count.
    { enabled, staleTime: pollMs, refetchInterval: usePollInterval(pollMs), refetchIntervalInBackground: true },
  )
}

/** Keeps the statistics current and shows the number of unread conversations in the title of the tab. */
export const InboxToday = () => {
  const queries = useQueryClient()
  const refresh = useThrottled(
    () => void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === '/v1/inbox/stats' }),
    refreshMs,
  )
  useLive(['conversation', 'message'], refresh)
  const unread = useInboxToday().data?.unread ?? 0
  useEffect(() => setUnreadCount(unread), [unread])
  useEffect(() => () => setUnreadCount(0), [])
  return null
}

/** Number of waiting conversations at an entry of the navigation, as in the inbox. */
export const WaitingBadge = () => {
  const t = useTranslate()
  const { waiting = 0 } = useInboxToday().data ?? {}
  if (waiting === 0) return null
  const label = t('nav.waiting', { count: waiting })
  return (
    <span className={styles.badge} role="img" aria-label={label} title={label}>
      {waiting > maxShown ? `${maxShown}+` : waiting}
    </span>
  )
}
