/** Filters of the workflows list and the time range of its statistics, as stored in the address. */
import { listParams } from '../../api/pages.ts'
import { parseText } from '../../ui/list/text-search.ts'
import {
  isLongerThanChart,
  type Preset,
  parseTimeRange,
  type TimeRange,
  toChartRange,
  toTimeQuery,
  withDefaultRange,
} from '../../ui/time-range/time-range.ts'

/** Time range of the statistics while the address has none. */
export const defaultRange: Preset = '7d'

export interface WorkflowFilters extends TimeRange {
  archived?: 'true'
  /** Part of the name. */
  q?: string
  triggerType?: string
  enabled?: 'true' | 'false'
  /** Missing for the newest first. */
  sort?: 'oldest' | 'name' | 'name_descending'
}

/** Whether only workflows that are turned on are listed, or only the others. */
export const switches = ['true', 'false'] as const

/** Reads the filters from the address and ignores invalid values. */
export const parseWorkflowFilters = (search: Record<string, unknown>): WorkflowFilters => {
  const [q, triggerType] = [parseText(search.q), parseText(search.triggerType)]
  const isArchived = String(search.archived) === 'true'
  const sort = sorts.find(one => one === search.sort)
  // An archived workflow is always off.
  const enabled = isArchived ? undefined : switches.find(one => one === String(search.enabled))
  return {
    ...(isArchived && { archived: 'true' }),
    ...(q && { q }),
    ...(triggerType && { triggerType }),
    ...(enabled && { enabled }),
    ...(sort && { sort }),
    ...parseTimeRange(search),
  }
}

const sorts = ['oldest', 'name', 'name_descending'] as const

/** Returns the parameters of the list, shared by its page and by the prefetch. The time range filters no workflow. */
export const workflowParams = ({
  archived,
  enabled,
  range: _range,
  since: _since,
  until: _until,
  ...texts
}: WorkflowFilters) =>
  listParams({ ...(archived && { archived: true }), ...(enabled && { enabled: enabled === 'true' }), ...texts })

/** Returns the period of the statistics, which has at most the last 400 days of the time range, the limit of the API. */
export const statsPeriod = (filters: TimeRange): { since?: string; until?: string } => {
  const range = withDefaultRange(filters, defaultRange)
  if (!isLongerThanChart(range)) return toTimeQuery(range)
  const { from, to } = toChartRange(range)
  return { since: from, until: to }
}
