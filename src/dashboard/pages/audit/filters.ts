import type { Schemas } from '../../api/client.ts'
import { audit } from '../../texts/en/audit.ts'
import { isId } from '../customers/filters.ts'

export type Action = Schemas['AuditAction']

/** What the log can be narrowed down to, as it stands in the address. */
export interface AuditFilters {
  actorId?: string
  action?: Action
  targetId?: string
}

const prefix = 'audit.action.'

/** All that there are words for. */
export const actions = Object.keys(audit)
  .filter(id => id.startsWith(prefix))
  .map(id => id.slice(prefix.length) as Action)

/** What is no filter is left out. */
export const auditFilters = (search: Record<string, unknown>): AuditFilters => {
  const action = actions.find(one => one === search.action)
  return {
    ...(isId(search.actorId) && { actorId: search.actorId }),
    ...(action && { action }),
    ...(isId(search.targetId) && { targetId: search.targetId }),
  }
}
