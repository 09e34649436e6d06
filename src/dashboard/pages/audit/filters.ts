import type { Schemas } from '../../api/client.ts'
import { audit } from '../../texts/en/audit.ts'
import { isId } from '../customers/filters.ts'

export type Action = Schemas['AuditAction']

/** Filters of the audit log, as stored in the address. */
export interface AuditFilters {
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
    ...(isId(search.actorId) && { actorId: search.actorId }),
    ...(action && { action }),
    ...(isId(search.targetId) && { targetId: search.targetId }),
  }
}
