import type { Schemas } from '../../api/client.ts'
import { listParams } from '../../api/pages.ts'
import { audit } from '../../texts/en/audit.ts'
import { parseSort, type Sorted } from '../../ui/list/sort.ts'
import { parseTimeRange, type TimeRange, toTimeQuery } from '../../ui/time-range/time-range.ts'
import { isId } from '../customers/filters.ts'

export type Action = Schemas['AuditAction']

/** Filters and order of the audit log, as stored in the address. */
export interface AuditFilters extends TimeRange, Sorted {
  actorId?: string
  action?: Action
  targetId?: string
}

const prefix = 'audit.action.'

/** All actions that have a text. */
export const actions = Object.keys(audit)
  .filter(id => id.startsWith(prefix))
  .map(id => id.slice(prefix.length) as Action)

/** Reads the filters from the address and ignores invalid values. */
export const parseAuditFilters = (search: Record<string, unknown>): AuditFilters => {
  const action = actions.find(one => one === search.action)
  return {
    ...parseTimeRange(search),
    ...parseSort(search),
    ...(isId(search.actorId) && { actorId: search.actorId }),
    ...(action && { action }),
    ...(isId(search.targetId) && { targetId: search.targetId }),
  }
}

/** Returns the parameters of the list, for its page and an export. */
export const auditParams = ({ range, since, until, ...filters }: AuditFilters) =>
  listParams({
    ...filters,
    ...toTimeQuery({ ...(range && { range }), ...(since && { since }), ...(until && { until }) }),
  })
