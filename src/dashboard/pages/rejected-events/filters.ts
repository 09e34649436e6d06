/** Filters and order of the rejected events, as stored in the address. */
import { parseSort, type Sorted } from '../../ui/list/sort.ts'
import {
  type Preset,
  parseTimeRange,
  type TimeRange,
  toTimeQuery,
  withDefaultRange,
} from '../../ui/time-range/time-range.ts'
import { isId } from '../customers/filters.ts'

/** Time range while the address has none: all entries that are kept. */
export const defaultRange: Preset = '30d'

export interface RejectedEventFilters extends TimeRange, Sorted {
  /** Store plugin, `custom`, or the kind of a channel. */
  sender?: string
  apiKeyId?: string
  /** Exactly this error message. */
  message?: string
}

const senderPattern = /^[a-z0-9_-]{1,100}$/

/** Reads the filters from the address and ignores invalid values. */
export const parseRejectedEventFilters = (search: Record<string, unknown>): RejectedEventFilters => ({
  ...parseTimeRange(search),
  ...parseSort(search),
  ...(typeof search.sender === 'string' && senderPattern.test(search.sender) && { sender: search.sender }),
  ...(isId(search.apiKeyId) && { apiKeyId: search.apiKeyId }),
  ...(typeof search.message === 'string' && search.message !== '' && { message: search.message }),
})

/** Returns the query parameters of the API. */
export const toRejectedEventQuery = ({ range, since, until, ...filters }: RejectedEventFilters) => ({
  ...filters,
  ...toTimeQuery(withDefaultRange({ range, since, until }, defaultRange)),
})
