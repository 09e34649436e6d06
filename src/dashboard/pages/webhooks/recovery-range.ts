/** Time ranges of the dialog that recovers deliveries. */
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'

const hourMs = 3_600_000
export const spans = {
  hour: hourMs,
  sixHours: 6 * hourMs,
  day: 24 * hourMs,
  threeDays: 72 * hourMs,
  week: 168 * hourMs,
}
type Span = keyof typeof spans
/**
 * `oldest`, `waiting`: since the event of the oldest failed or waiting delivery, or of the oldest waiting one. `filter`:
 * the time range of the list.
 */
export type Choice = Span | 'oldest' | 'waiting' | 'filter' | 'custom'

/** Times of the events of the oldest deliveries. Undefined if there is none, or if it is unknown. */
export interface Oldest {
  oldest?: string | undefined
  waiting?: string | undefined
}

/** Milliseconds between events whose deliveries can have been created in another order. */
const orderMs = 10_000

/** Returns the start of a recovery that includes all deliveries since the oldest one. */
export const includeOldest = (at: string): string => new Date(Date.parse(at) - orderMs).toISOString()

/**
 * Returns the time of the event of the oldest failed delivery: null if none failed, undefined if the request failed. A
 * delivery is created after its event, and a recovery compares with the event.
 */
export const useFailedSince = (webhookId: string) =>
  useQuery({
    queryKey: ['failedSince', webhookId],
    gcTime: 0,
    queryFn: async (): Promise<string | null> => {
      const query = { status: 'failed', sort: 'oldest', limit: 1 } as const
      const failed = await api.GET('/v1/webhooks/{id}/deliveries', { params: { path: { id: webhookId }, query } })
      const id = failed.data?.data[0]?.eventId
      if (id === undefined) return null
      const event = await api.GET('/v1/outbound-events/{id}', { params: { path: { id } } })
      return event.data?.createdAt ?? null
    },
  })

/** Returns the start of the ranges. The oldest waiting delivery is a choice of its own if a failed one is older. */
export const oldestOf = (failedSince: string | null | undefined, waitingSince: string | null | undefined): Oldest => {
  const waiting = waitingSince ?? undefined
  if (failedSince === undefined) return { waiting }
  const [oldest] = [failedSince, waiting].filter(time => typeof time === 'string').sort()
  return { oldest, waiting: waiting === oldest ? undefined : waiting }
}

export const choicesOf = ({ oldest, waiting }: Oldest, hasFilter: boolean): Choice[] => [
  ...(hasFilter ? (['filter'] as const) : []),
  ...(oldest === undefined ? [] : (['oldest'] as const)),
  ...(waiting === undefined ? [] : (['waiting'] as const)),
  ...(Object.keys(spans) as Span[]),
  'custom',
]
