import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { searchOf } from './address.ts'

/** `/workflows?new=<event type>` opens the dialog for a new one; `/workflows/<id>?view&step&event` is one of them. */
export const workflowRoutes = <Parent extends AnyRoute>(parent: Parent) => [
  createRoute({
    getParentRoute: () => parent,
    path: '/workflows',
    validateSearch: (search: Record<string, unknown>): { new?: string } =>
      typeof search.new === 'string' ? { new: search.new } : {},
    component: lazyRouteComponent(() => import('./Workflows.tsx'), 'Workflows'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/workflows/$id',
    validateSearch: searchOf,
    component: lazyRouteComponent(() => import('./WorkflowPage.tsx'), 'WorkflowPage'),
  }),
]
