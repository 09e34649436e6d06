/** Filters and order of the campaigns list, as stored in the address. */
import { listParams } from '../../api/pages.ts'
import { parseSort, type Sorted } from '../../ui/list/sort.ts'
import { parseText } from '../../ui/list/text-search.ts'
import { parseTimeRange, type TimeRange, toTimeQuery } from '../../ui/time-range/time-range.ts'
import type { CampaignStatus } from './status.ts'

export interface CampaignFilters extends TimeRange, Sorted {
  /** Part of the name. */
  q?: string
  status?: CampaignStatus
}

export const statuses = ['draft', 'scheduled', 'running', 'paused', 'completed', 'cancelled'] as const

/** Reads the filters from the address and ignores invalid values. */
export const parseCampaignFilters = (search: Record<string, unknown>): CampaignFilters => {
  const q = parseText(search.q)
  const status = statuses.find(one => one === search.status)
  return { ...(q && { q }), ...(status && { status }), ...parseTimeRange(search), ...parseSort(search) }
}

/** Returns the parameters of the list, shared by its page and by the prefetch. */
export const campaignParams = ({ q, status, sort, ...range }: CampaignFilters) =>
  listParams({ ...(q && { q }), ...(status && { status }), ...(sort && { sort }), ...toTimeQuery(range) })
