/** Known event types, taken from one page of the newest events and one page of the workflows. */
import { useMemo } from 'react'
import { hooks } from '../../api/client.ts'

const seldom = { staleTime: 60_000 }
const mostOfAPage = { params: { query: { limit: 100 } } }

/** Returns the types in alphabetical order. Nothing is fetched until `wanted` is true. */
export const useEventTypes = (wanted: boolean): string[] => {
  const events = hooks.useQuery('get', '/v1/activity/events', mostOfAPage, { ...seldom, enabled: wanted })
  const workflows = hooks.useQuery('get', '/v1/workflows', mostOfAPage, { ...seldom, enabled: wanted })
  return useMemo(
    () =>
      [
        ...new Set([
          ...(events.data?.data ?? []).map(({ type }) => type),
          ...(workflows.data?.data ?? []).map(({ triggerType }) => triggerType),
        ]),
      ].sort(),
    [events.data, workflows.data],
  )
}
