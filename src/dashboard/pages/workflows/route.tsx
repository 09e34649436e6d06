import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { askAhead, listOf } from '../../api/pages.ts'
import { lazyPage } from '../../shell/lazyPage.ts'
import { searchOf } from './address.ts'

/**
 * Routes `/workflows?new=<event type>`, which opens the dialog for a new workflow, and
 * `/workflows/<id>?view&step&event`.
 */
export const workflowRoutes = <Parent extends AnyRoute>(parent: Parent) => [
  createRoute({
    getParentRoute: () => parent,
    path: '/workflows',
    validateSearch: (search: Record<string, unknown>): { new?: string } =>
      typeof search.new === 'string' ? { new: search.new } : {},
    loader: ({ context }) => askAhead(context.queries, '/v1/workflows', listOf({})),
    component: lazyPage(() => import('./Workflows.tsx'), 'Workflows'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/workflows/$id',
    validateSearch: searchOf,
    component: lazyPage(() => import('./WorkflowPage.tsx'), 'WorkflowPage'),
  }),
]
