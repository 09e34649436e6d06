/** Filters and order of the customers list, as stored in the address. */
import { parseSort, type Sorted } from '../../ui/list/sort.ts'
import { parseText } from '../../ui/list/text-search.ts'
import { parseTimeRange, type TimeRange, toTimeQuery } from '../../ui/time-range/time-range.ts'

export const consents = ['opted_in', 'opted_out', 'none'] as const
export type Consent = (typeof consents)[number]

export interface CustomerFilters extends TimeRange, Sorted {
  q?: string
  externalId?: string
  consent?: Consent
  /** Channel of a conversation with the customer. */
  channelId?: string
}

/** Reads the filters from the address and ignores invalid values. */
export const parseCustomerFilters = (search: Record<string, unknown>): CustomerFilters => {
  const consent = consents.find(one => one === search.consent)
  const [q, externalId] = [parseText(search.q), parseText(search.externalId)]
  return {
    ...(q && { q }),
    ...(externalId && { externalId }),
    ...(consent && { consent }),
    ...(isId(search.channelId) && { channelId: search.channelId }),
    ...parseTimeRange(search),
    ...parseSort(search),
  }
}

const e164 = /^\+[1-9]\d{7,14}$/

/** Looks up a complete phone number exactly. Any other text is searched in names, phones and external ids. */
export const toQuery = ({ q, externalId, consent, channelId, sort, ...range }: CustomerFilters) => {
  const phone = q?.replaceAll(/[\s\p{Cf}\p{Pd}().]/gu, '')
  return {
    ...(q && (phone && e164.test(phone) ? { phone } : { q })),
    ...(externalId && { externalId }),
    ...(consent && { consent }),
    ...(channelId && { channelId }),
    ...(sort && { sort }),
    ...toTimeQuery(range),
  }
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Returns true for a UUID: a pasted id identifies a single customer. */
export const isId = (text: unknown): text is string => typeof text === 'string' && uuid.test(text)
