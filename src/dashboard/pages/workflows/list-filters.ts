/** Filters of the workflows list, as stored in the address. */
import { listParams } from '../../api/pages.ts'
import { parseText } from '../../ui/list/text-search.ts'

export interface WorkflowFilters {
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
  }
}

const sorts = ['oldest', 'name', 'name_descending'] as const

/** Returns the parameters of the list, shared by its page and by the prefetch. */
export const workflowParams = ({ archived, enabled, ...texts }: WorkflowFilters) =>
  listParams({ ...(archived && { archived: true }), ...(enabled && { enabled: enabled === 'true' }), ...texts })
