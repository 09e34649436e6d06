/** Statuses of campaigns and outcomes of recipients. */
import type { Schemas } from '../../api/client.ts'
import { parseTimeRange, type TimeRange, toTimeQuery } from '../../ui/time-range/time-range.ts'
import { isId } from '../customers/filters.ts'

export type Campaign = Schemas['Campaign']
export type CampaignStatus = Campaign['status']

/** Returns true if the campaign can be changed and removed, because it has not started and is not cancelled. */
export const canChange = ({ status }: Campaign): boolean => status === 'draft' || status === 'scheduled'

/** Returns true once the campaign has started, so that it has results. One that was cancelled before its start has none. */
export const hasStarted = ({ startedAt }: Campaign): boolean => startedAt !== null

/** Outcomes of the sending, and results of the messages. */
export const outcomes = [
  'pending',
  'queued',
  'sent',
  'delivered',
  'read',
  'replied',
  'sale',
  'opted_out',
  'failed',
  'skipped',
  'unknown',
] as const

/** Results that a filtered list of recipients shows in place of the outcome of the sending. */
export const results = ['replied', 'sale', 'opted_out'] as const

export type Outcome = (typeof outcomes)[number]

export interface RecipientFilters extends TimeRange {
  outcome?: Outcome
  customerId?: string
}

const reasons = [
  'opted_out',
  'no_opt_in',
  'no_address',
  'plan',
  'channel_disconnected',
  'refused',
  'cancelled',
  'template_missing',
  'skipped_after_restore',
] as const
export type Reason = (typeof reasons)[number]

/** Returns true if the reason has a text on this page. */
export const isReason = (code: string): code is Reason => (reasons as readonly string[]).includes(code)

/** Reads the filters from the address and ignores invalid values. */
export const parseRecipientFilters = (search: Record<string, unknown>): RecipientFilters => {
  const outcome = outcomes.find(one => one === search.outcome)
  return {
    ...(outcome && { outcome }),
    ...(isId(search.customerId) && { customerId: search.customerId }),
    ...parseTimeRange(search),
  }
}

/** Returns the query parameters of the API. */
export const toRecipientQuery = ({ outcome, customerId, ...range }: RecipientFilters) => ({
  ...(outcome && { outcome }),
  ...(customerId !== undefined && { customerId }),
  ...toTimeQuery(range),
})
