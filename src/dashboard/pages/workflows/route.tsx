import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { listParams, prefetchList } from '../../api/pages.ts'
import { lazyPage } from '../../shell/lazyPage.ts'
import { parseSearch } from './search.ts'

/**
 * Routes `/workflows?archived=true`, `/workflows?new=<event type>`, which opens the dialog for a new workflow, and
 * `/workflows/<id>?view&step&event`.
 */
export const workflowRoutes = <Parent extends AnyRoute>(parent: Parent) => [
  createRoute({
    getParentRoute: () => parent,
    path: '/workflows',
    validateSearch: (search: Record<string, unknown>): { new?: string; archived?: 'true' } => ({
      ...(typeof search.new === 'string' && { new: search.new }),
      ...(search.archived === 'true' && { archived: 'true' }),
    }),
    loader: ({ context }) => prefetchList(context.queries, '/v1/workflows', listParams({})),
    component: lazyPage(() => import('./Workflows.tsx'), 'Workflows'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/workflows/$id',
    validateSearch: parseSearch,
    component: lazyPage(() => import('./WorkflowPage.tsx'), 'WorkflowPage'),
  }),
]
