import { hooks } from '../../api/client.ts'
import { useLiveRefresh } from '../../api/useLive.ts'
import type { Entry } from './period.ts'

/**
 * Returns whether the workspace is empty: no event is recorded, and the periods have no events, messages or deliveries.
 * Null until known.
 */
export const useIsEmpty = (entries: readonly Entry[] | undefined, failed: boolean): boolean | null => {
  const recorded = hooks.useQuery('get', '/v1/activity/events', { params: { query: { limit: 1 } } })
  useLiveRefresh(['event'], ['/v1/activity/events'])
  if (recorded.data?.data.length !== 0) return recorded.data || recorded.error || failed ? false : null
  return entries
    ? entries.every(
        ({ events, refused, messages, deliveries }) => events + refused + messages.received + deliveries.attempts === 0,
      )
    : null
}
