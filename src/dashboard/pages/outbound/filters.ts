/** Filters and order of the outbound events list, as stored in the address. */
import type { Schemas } from '../../api/client.ts'
import { type OutboundType, outboundTypes } from '../../api/event-types.ts'
import { listParams } from '../../api/pages.ts'
import { parseSort, type Sorted } from '../../ui/list/sort.ts'
import {
  type Preset,
  parseTimeRange,
  type TimeRange,
  toTimeQuery,
  withDefaultRange,
} from '../../ui/time-range/time-range.ts'
import { isId } from '../customers/filters.ts'

/** Time range while the address has none. */
export const defaultRange: Preset = '30d'

export const outboundStatuses = [
  'failed',
  'retrying',
  'waiting',
  'delivered',
] as const satisfies readonly Schemas['OutboundEvent']['status'][]

export interface OutboundFilters extends TimeRange, Sorted {
  type?: OutboundType
  /** Endpoint that the event was sent to. */
  webhookId?: string
  status?: (typeof outboundStatuses)[number]
}

/** Reads the filters from the address and ignores invalid values. */
export const parseOutboundFilters = (search: Record<string, unknown>): OutboundFilters => {
  const type = outboundTypes.find(one => one === search.type)
  const status = outboundStatuses.find(one => one === search.status)
  return {
    ...parseTimeRange(search),
    ...parseSort(search),
    ...(type && { type }),
    ...(isId(search.webhookId) && { webhookId: search.webhookId }),
    ...(status && { status }),
  }
}

/** Returns the parameters of the list, shared by its page and by the prefetch. */
export const outboundParams = ({ type, webhookId, status, sort, ...range }: OutboundFilters) =>
  listParams({
    ...(type && { type }),
    ...(webhookId && { webhookId }),
    ...(status && { status }),
    ...(sort && { sort }),
    ...toTimeQuery(withDefaultRange(range, defaultRange)),
  })
