import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { prefetchList } from '../../api/pages.ts'
import { lazyPage } from '../../shell/lazyPage.ts'
import { parseWorkflowFilters, type WorkflowFilters, workflowParams } from './list-filters.ts'
import { parseSearch } from './search.ts'

/**
 * Routes `/workflows?archived&q&triggerType&enabled`, `/workflows?new=<event type>`, which opens the dialog for a new
 * workflow, and `/workflows/<id>?view&step&event`.
 */
export const workflowRoutes = <Parent extends AnyRoute>(parent: Parent) => [
  createRoute({
    getParentRoute: () => parent,
    path: '/workflows',
    validateSearch: (search: Record<string, unknown>): WorkflowFilters & { new?: string } => ({
      ...(typeof search.new === 'string' && { new: search.new }),
      ...parseWorkflowFilters(search),
    }),
    loaderDeps: ({ search }) => search,
    loader: ({ context, deps }) =>
      prefetchList(context.queries, '/v1/workflows', workflowParams(parseWorkflowFilters({ ...deps }))),
    component: lazyPage(() => import('./Workflows.tsx'), 'Workflows'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/workflows/$id',
    validateSearch: parseSearch,
    component: lazyPage(() => import('./WorkflowPage.tsx'), 'WorkflowPage'),
  }),
]
