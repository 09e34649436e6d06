import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { askAhead, listOf } from '../../api/pages.ts'
import { lazyPage } from '../../shell/lazyPage.ts'
import { searchOf } from './address.ts'

/** `/workflows?new=<event type>` opens the dialog for a new one; `/workflows/<id>?view&step&event` is one of them. */
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
