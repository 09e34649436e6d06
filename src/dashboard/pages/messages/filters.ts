/** Filters and order of the messages list, as stored in the address. */
import type { Schemas } from '../../api/client.ts'
import { parseSort, type Sorted } from '../../ui/list/sort.ts'
import { parseText } from '../../ui/list/text-search.ts'
import { parseTimeRange, type TimeRange, toTimeQuery } from '../../ui/time-range/time-range.ts'
import { isId } from '../customers/filters.ts'

type Message = Schemas['Message']

export const directions = ['inbound', 'outbound'] as const satisfies readonly Message['direction'][]

/** Statuses of the filter. A received message has only one, which the direction finds. */
export const filterStatuses = [
  'failed',
  'skipped',
  'unknown',
  'queued',
  'sent',
  'delivered',
  'read',
] as const satisfies readonly Message['status'][]

export interface MessageFilters extends TimeRange, Sorted {
  customerId?: string
  channelId?: string
  direction?: Message['direction']
  status?: (typeof filterStatuses)[number]
  /** Part of the text. */
  q?: string
}

/** Reads the filters from the address and ignores invalid values. */
export const parseMessageFilters = (search: Record<string, unknown>): MessageFilters => {
  const direction = directions.find(one => one === search.direction)
  const status = filterStatuses.find(one => one === search.status)
  const q = parseText(search.q)
  return {
    ...(isId(search.customerId) && { customerId: search.customerId }),
    ...(isId(search.channelId) && { channelId: search.channelId }),
    ...(direction && { direction }),
    ...(status && { status }),
    ...(q && { q }),
    ...parseTimeRange(search),
    ...parseSort(search),
  }
}

export const toMessageQuery = ({ customerId, channelId, direction, status, q, sort, ...range }: MessageFilters) => ({
  ...(customerId !== undefined && { customerId }),
  ...(channelId !== undefined && { channelId }),
  ...(direction !== undefined && { direction }),
  ...(status !== undefined && { status }),
  ...(q !== undefined && { q }),
  ...(sort && { sort }),
  ...toTimeQuery(range),
})
