/** Filters and order of an endpoint's deliveries, as stored in the address. */
import { type OutboundType, outboundTypes } from '../../../api/event-types.ts'
import { parseSort, type Sorted } from '../../../ui/list/sort.ts'
import {
  type Preset,
  parseTimeRange,
  type TimeRange,
  toTimeQuery,
  withDefaultRange,
} from '../../../ui/time-range/time-range.ts'

export const deliveryStatuses = ['pending', 'retrying', 'delivered', 'failed'] as const
/** Classes of response codes, and `none` for attempts without a response. */
export const codeClasses = ['2xx', '3xx', '4xx', '5xx', 'none'] as const

/** Time range of the endpoints and of their deliveries while the address has none. */
export const defaultRange: Preset = '24h'

export interface DeliveryFilters extends TimeRange, Sorted {
  status?: (typeof deliveryStatuses)[number]
  eventType?: OutboundType
  /** Status of the last attempt: a code, a class, or `none`. */
  statusCode?: string
}

const codePattern = /^([1-5](\d{2}|xx)|none)$/

/** Reads the filters from the address and ignores invalid values. */
export const parseDeliveryFilters = (search: Record<string, unknown>): DeliveryFilters => {
  const status = deliveryStatuses.find(one => one === search.status)
  const eventType = outboundTypes.find(one => one === search.eventType)
  // The router reads a code in the address as a number.
  const code = typeof search.statusCode === 'number' ? String(search.statusCode) : search.statusCode
  return {
    ...parseTimeRange(search),
    ...parseSort(search),
    ...(status && { status }),
    ...(eventType && { eventType }),
    ...(typeof code === 'string' && codePattern.test(code) && { statusCode: code }),
  }
}

/** Returns the query parameters of the API. */
export const toDeliveryQuery = ({ range, since, until, ...filters }: DeliveryFilters) => ({
  ...filters,
  ...toTimeQuery(withDefaultRange({ range, since, until }, defaultRange)),
})
