/** Known event types, taken from the counts of 30 days, one page of the newest events, and one page of the workflows. */
import { useMemo } from 'react'
import { hooks } from '../../api/client.ts'

const cacheOptions = { staleTime: 60_000 }
const frequentTypes = { params: { query: { by: 'day', group: 'type' } } } as const
const firstPage = { params: { query: { limit: 100 } } }

/** Returns the types in alphabetical order. Nothing is fetched until `isEnabled` is true. */
export const useEventTypes = (isEnabled: boolean): string[] => {
  const events = hooks.useQuery('get', '/v1/activity/events', firstPage, { ...cacheOptions, enabled: isEnabled })
  const counts = hooks.useQuery('get', '/v1/activity/summary', frequentTypes, { ...cacheOptions, enabled: isEnabled })
  const workflows = hooks.useQuery('get', '/v1/workflows', firstPage, { ...cacheOptions, enabled: isEnabled })
  return useMemo(
    () =>
      [
        ...new Set([
          ...(events.data?.data ?? []).map(({ type }) => type),
          ...(counts.data?.groups ?? []).flatMap(({ id }) => id || []),
          ...(workflows.data?.data ?? []).flatMap(({ triggerType }) => triggerType || []),
        ]),
      ].sort(),
    [events.data, counts.data, workflows.data],
  )
}
